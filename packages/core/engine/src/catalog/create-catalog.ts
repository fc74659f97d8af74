import { carriersOf } from './carriers-of.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf } from './catalog-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';

/** Builds a catalog from rule-set files. Throws one `RuleSetError` with the faults of all files. */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  return catalogOf(carriersOf(checkEntries(entries, options)), options);
}
