import { createHash } from 'node:crypto';
import type { Decider } from '@leeward/engine';
import { ENGINE_VERSION } from '@leeward/engine/compiled';

/** Versions that determine an answer. A given distance has no coastline, and a point has no addresses. */
export interface AnswerVersions {
  /** Version of the engine. */
  readonly engine?: string | undefined;
  /** `catalogStamp` of the rules. */
  readonly rules?: string | undefined;
  /** Names and versions of the shorelines. */
  readonly coastline?: string | undefined;
  /** The source that found the address, with its version if it has one. */
  readonly addresses?: string | undefined;
}

/** The part of the versions that a place determines. */
export type PlaceVersions = Pick<AnswerVersions, 'coastline' | 'addresses'>;

const stamps = new WeakMap<Decider['carriers'], string>();

/**
 * Names the rules of a catalog, equally in all processes.
 *
 * @example
 * catalogStamp(catalog) === catalogStamp(sameCatalogElsewhere); // true
 */
export function catalogStamp({ carriers }: Pick<Decider, 'carriers'>): string {
  let stamp = stamps.get(carriers);
  if (stamp === undefined) {
    const versions = carriers.map(
      ({ key, versions }) =>
        `${key} ${versions.map(({ ruleSet, overrideSha256 = '' }) => `${ruleSet.sha256}${overrideSha256}`)}`,
    );
    stamp = hashOf(versions.sort().join('\n'));
    stamps.set(carriers, stamp);
  }
  return stamp;
}

/** Versions of a decision. */
export function decisionVersions(decider: Pick<Decider, 'carriers'>, place: PlaceVersions | undefined): AnswerVersions {
  return { engine: ENGINE_VERSION, rules: catalogStamp(decider), ...place };
}

/** @returns undefined without any */
export function coastlineVersion(
  datasets: readonly { readonly name: string; readonly version: string }[],
): string | undefined {
  return joined(datasets.map(({ name, version }) => `${name} ${version}`));
}

/** @returns undefined without any */
export function addressesVersion(places: Iterable<string>): string | undefined {
  return joined([...new Set(places)].sort());
}

/** A dictionary of RFC 9651, of at most one kilobyte. */
export function versionHeaders(versions: AnswerVersions | undefined): Record<string, string> {
  const written = Object.entries(versions ?? {}).flatMap(([name, version]) =>
    typeof version === 'string' ? [`${name}="${version.replaceAll(/["\\]/g, '\\$&')}"`] : [],
  );
  return written.length === 0 ? {} : { 'leeward-versions': written.join(', ') };
}

const MAX_VERSION_LENGTH = 120;

/** A long text, or one that a header cannot contain, is replaced by its hash. */
function joined(versions: readonly string[]): string | undefined {
  const text = versions.join('; ');
  if (text === '') return undefined;
  return text.length <= MAX_VERSION_LENGTH && /^[ -~]+$/.test(text) ? text : hashOf(text);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
