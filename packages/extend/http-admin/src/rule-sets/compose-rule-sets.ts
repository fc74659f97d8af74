import type { PublishedMoratorium, RuleSetsInForce } from '@leeward/accounts';
import type { Carrier, Catalog, CatalogChange, CatalogEntry, Vocabulary } from '@leeward/engine';
import { arrayOf, isObject } from '@leeward/terms';

/** A version to be served, before its file is read. */
export interface WantedVersion {
  readonly version: string;
  /** The same where file and moratoria are the same. */
  readonly id: string;
  readonly read: () => unknown;
}

/** What is to be served of each carrier: the registry's where it has any, else what comes from elsewhere. */
export function wantedVersions(base: Catalog, inForce: RuleSetsInForce): Map<string, WantedVersion[]> {
  const wanted = new Map<string, WantedVersion[]>();
  const moratoria = inForce.moratoria.flatMap((each) => inWordsOf(base.vocabulary, each));
  for (const { key, versions } of base.carriers) {
    const files = versions.map(({ ruleSet: { version, sha256, file } }) => ({ version, sha256, read: () => file }));
    wanted.set(key, stopped(key, files, moratoria));
  }
  for (const [key, versions] of inForce.carriers) wanted.set(key, stopped(key, versions, moratoria));
  return wanted;
}

/** A moratorium as a line can say it: of its own policy types. One that names only those of other lines stops nothing here. */
function inWordsOf({ policyTypes }: Vocabulary, published: PublishedMoratorium): PublishedMoratorium[] {
  const { moratorium } = published;
  const named = isObject(moratorium) ? moratorium['policy_types'] : undefined;
  if (!isObject(moratorium) || !Array.isArray(named)) return [published];
  const here = named.filter((policyType) => policyTypes.includes(policyType));
  return here.length === 0 ? [] : [{ ...published, moratorium: { ...moratorium, policy_types: here } }];
}

function stopped(
  carrierKey: string,
  versions: readonly { readonly version: string; readonly sha256: string; readonly read: () => unknown }[],
  moratoria: readonly PublishedMoratorium[],
): WantedVersion[] {
  const stops = moratoria.filter(({ carrierKeys }) => carrierKeys?.includes(carrierKey) ?? true);
  return versions.map(({ version, sha256, read }) => ({
    version,
    id: [sha256, ...stops.map(({ moratoriumId }) => moratoriumId)].join(' '),
    read: stops.length === 0 ? read : async () => withMoratoria(await read(), stops),
  }));
}

/** A file with moratoria beside its own; an id that it has already is told apart. */
export function withMoratoria(file: unknown, stops: readonly Pick<PublishedMoratorium, 'moratorium'>[]): unknown {
  if (!isObject(file)) return file;
  const moratoria = [...arrayOf(file['moratoria'])];
  const taken = new Set(moratoria.map((each) => isObject(each) && each['id']));
  for (const { moratorium } of stops) {
    if (!isObject(moratorium)) continue;
    let id = String(moratorium['id']);
    for (let number = 2; taken.has(id); number++) id = `${moratorium['id']}-${number}`;
    taken.add(id);
    moratoria.push({ ...moratorium, id });
  }
  return { ...file, moratoria };
}

/**
 * What leads from what is served (ids of versions by carrier) to what is wanted. Versions that stay are left as they are, so
 * that they are not compiled again.
 */
export async function changeTo(
  wanted: ReadonlyMap<string, readonly WantedVersion[]>,
  served: ReadonlyMap<string, readonly WantedVersion[]>,
  carriers: readonly Carrier[],
): Promise<Required<CatalogChange>> {
  const put: CatalogEntry[] = [];
  const remove: Required<CatalogChange>['remove'][number][] = [];
  const there = new Set(carriers.map(({ key }) => key));
  for (const key of new Set([...served.keys(), ...wanted.keys()])) {
    const [before, after] = [served.get(key) ?? [], wanted.get(key) ?? []];
    const ids = (versions: readonly WantedVersion[]) => new Set(versions.map(({ id }) => id));
    const [idsBefore, idsAfter] = [ids(before), ids(after)];
    const added = after.filter(({ id }) => !idsBefore.has(id));
    const gone = before.filter(({ id }) => !idsAfter.has(id));
    if (added.length === 0 && gone.length === 0) continue;
    // Where two versions have one name, a name removes both.
    const names = before.map(({ version }) => version);
    const isWhole = gone.length === before.length || new Set(names).size < names.length;
    if (isWhole && there.has(key)) remove.push({ carrierKey: key });
    else for (const { version } of gone) remove.push({ carrierKey: key, version });
    for (const { version, read } of isWhole ? after : added) {
      put.push({ name: `${key} ${version}`, file: await read() });
    }
  }
  return { put, remove };
}
