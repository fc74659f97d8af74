import { type BookCarriers, carriersOfCatalog, hashOf } from '@leeward/books';
import type { Catalog } from '@leeward/engine';
import { eventAggregates } from '@leeward/engine/compiled';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

/** From the command, the environment, or the invented carriers of the line. */
export function carriersFolder(
  carriersPath: string | undefined,
  { environment }: Pick<Terminal, 'environment'>,
  lines: KnownLines = knownLines,
): string {
  return carriersPath ?? (environment['LEEWARD_CARRIERS'] || demoCarriersOf(lines.requested));
}

/** @throws {CommandError} If a carrier needs host facts. */
export function openBookCarriers(folder: string, terminal: Pick<Terminal, 'folder'>, lines: KnownLines = knownLines) {
  const catalog = readCatalog(folder, terminal.folder, lines);
  const needy = catalog.evaluators.find(({ evaluator }) => evaluator === 'reference');
  if (needy) {
    const { carrierKey, version, reason } = needy;
    throw new CommandError(
      `Version ${version} of ${carrierKey} cannot evaluate books${reason === undefined ? '' : ` (${reason})`}: remove it from the folder, or evaluate homes one by one.`,
    );
  }
  return { carriers: carriersOfCatalog(catalog) satisfies BookCarriers, catalog, sha256: catalogHash(catalog) };
}

export type OpenCarriers = ReturnType<typeof openBookCarriers>;

/** SHA-256 of all rule sets of a catalog. */
export function catalogHash(catalog: Catalog): string {
  return hashOf(catalog.carriers.map(({ key, versions }) => [key, versions.map(({ ruleSet }) => ruleSet.sha256)]));
}

/** Reports once that rules test events, which are unknown without `--events`. */
export function noteUnknownEvents(catalog: Catalog, isKnown: boolean, terminal: Pick<Terminal, 'writeError'>): void {
  if (isKnown) return;
  const testing = catalog.carriers.filter(({ versions }) =>
    versions.some(({ ruleSet }) => eventAggregates(ruleSet).length > 0),
  );
  const [first] = testing;
  if (!first) return;
  const others = testing.length === 1 ? '' : ` and ${testing.length - 1} more`;
  terminal.writeError(
    `Events are unknown, but rules of ${first.key}${others} test them: give a JSON list with --events FILE, [] for none.\n`,
  );
}
