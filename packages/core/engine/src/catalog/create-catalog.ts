import { runSteps } from '../turns/steps.ts';
import { createTurn, runInTurns, type Turn } from '../turns/turn.ts';
import { carriersOf } from './carriers-of.ts';
import type { Catalog } from './catalog.ts';
import { type CatalogChange, changedCarriersInSteps } from './catalog-change.ts';
import { catalogOf } from './catalog-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';

/** What a service makes a catalog with. */
export interface AsyncCatalogOptions extends CatalogOptions {
  /** Effective dates for which everything is compiled beforehand; default none: it is when first asked for. */
  readonly prepareFor?: readonly string[];
  /** Whose turn it is; default one of its own, of about 8 ms. */
  readonly turn?: Turn;
}

/** Builds a catalog from rule-set files. Throws one `RuleSetError` with the faults of all files. */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  return catalogOf(carriersOf(runSteps(checkEntries(entries, options))), options);
}

/**
 * The same for services: rule by rule, between which others have their turn. Rejects as `createCatalog` throws.
 */
export async function createCatalogAsync(
  entries: readonly CatalogEntry[],
  { prepareFor = [], turn = createTurn(), ...options }: AsyncCatalogOptions = {},
): Promise<Catalog> {
  const catalog = catalogOf(carriersOf(await runInTurns(checkEntries(entries, options), turn)), options);
  for (const effectiveDate of prepareFor) await catalog.prepare(effectiveDate, undefined, turn);
  return catalog;
}

/**
 * What `catalog.update` makes, for services: the new files are checked, and what decisions of `prepareFor` read is compiled,
 * rule by rule, between which others have their turn; the catalog that was goes on answering meanwhile. Rejects as
 * `update` throws.
 */
export async function updateCatalogAsync(
  catalog: Catalog,
  change: CatalogChange,
  { prepareFor = [], turn = createTurn() }: Pick<AsyncCatalogOptions, 'prepareFor' | 'turn'> = {},
): Promise<Catalog> {
  const { options } = catalog;
  const carriers = await runInTurns(changedCarriersInSteps(catalog.carriers, change, options), turn);
  const updated = catalogOf(carriers, options);
  for (const effectiveDate of prepareFor) await updated.prepare(effectiveDate, undefined, turn);
  return updated;
}
