import { type BookCarriers, carriersOfCatalog, hashOf } from '@leeward/books';
import type { Catalog } from '@leeward/engine';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersOf } from '../carriers/demo-carriers.ts';
import { CommandError } from '../command-error.ts';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';

/** The folder of carriers that a command names, or the environment, or the invented ones of the line. */
export function carriersFolder(
  carriersPath: string | undefined,
  { environment }: Pick<Terminal, 'environment'>,
  lines: KnownLines = knownLines,
): string {
  return carriersPath ?? (environment['LEEWARD_CARRIERS'] || demoCarriersOf(lines.requested));
}

/**
 * The carriers for evaluating a book, and the hash of their rule sets.
 *
 * @throws {CommandError} If a carrier needs host facts.
 */
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

/** Carriers that were opened, and the hash of their rule sets. */
export type OpenCarriers = ReturnType<typeof openBookCarriers>;

/** SHA-256 of all rule sets of a catalog. */
export function catalogHash(catalog: Catalog): string {
  return hashOf(catalog.carriers.map(({ key, versions }) => [key, versions.map(({ ruleSet }) => ruleSet.sha256)]));
}
