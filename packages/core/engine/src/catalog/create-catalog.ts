import { carriersOf } from './carriers-of.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf } from './catalog-of.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { type CatalogEntry, checkEntries } from './check-entries.ts';

/**
 * Creates a catalog from rule set files.
 *
 * @throws RuleSetError with the faults of all files
 * @example
 *  const catalog = createCatalog([{ file: JSON.parse(text), name: 'pine_ridge.json' }]);
 *  const { verdicts } = catalog.decideSync(property);
 */
export function createCatalog(entries: readonly CatalogEntry[], options: CatalogOptions = {}): Catalog {
  return catalogOf(carriersOf(checkEntries(entries, options)), options);
}
