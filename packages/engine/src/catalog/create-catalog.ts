import { runSteps } from '../compiled/steps.ts';
import { carriersOf } from './carriers-of.ts';
import { type Catalog, catalogOf } from './catalog.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';
import { runInSlices } from './slices.ts';

/** What a service makes a catalog with. */
export interface AsyncCatalogOptions extends CatalogOptions {
  /** Effective dates for which everything is compiled beforehand; default none: it is when first asked for. */
  readonly prepareFor?: readonly string[];
}

/** Builds a catalog from rule-set files. Throws one `RuleSetError` with the faults of all files. */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  return catalogOf(carriersOf(runSteps(checkEntries(entries, options))), options);
}

/**
 * The same for services: file by file, and compiled in slices, between which others have their turn. A turn lasts about
 * 8 ms; longer only where checking one file, or compiling one rule, does. Rejects as `createCatalog` throws.
 */
export async function createCatalogAsync(
  entries: readonly CatalogEntry[],
  { prepareFor = [], ...options }: AsyncCatalogOptions = {},
): Promise<Catalog> {
  const catalog = catalogOf(carriersOf(await runInSlices(checkEntries(entries, options))), options);
  for (const effectiveDate of prepareFor) await catalog.prepare(effectiveDate);
  return catalog;
}
