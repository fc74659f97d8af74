import type { Catalog, Vocabulary } from '@leeward/engine';
import { certaintiesOf } from '@leeward/engine/compiled';
import { type BookDates, type BookTables, bookTables } from '../tables/book-tables.ts';

/** The carriers that evaluate a book. A worker thread has their tables, and creates the catalog only if a row needs it. */
export interface BookCarriers {
  readonly vocabulary: Vocabulary;
  /** In the catalog's order. */
  readonly carrierKeys: readonly string[];
  readonly bookTables: (dates: BookDates) => BookTables;
  /** Certainties of the rule sets, from `certaintiesOf`: measured distances have a range for each. @default none */
  readonly certainties?: readonly number[];
  /** For rows that columns cannot hold. */
  readonly catalog: () => Pick<Catalog, 'carriers' | 'decideSync' | 'statusCodes' | 'declines'>;
}

/**
 * The carriers of a catalog, for `createBookEvaluator`.
 *
 * @example
 * const evaluator = createBookEvaluator({ carriers: carriersOfCatalog(catalog), format: 'csv', name, asOf, readRow });
 */
export function carriersOfCatalog(catalog: Catalog): BookCarriers {
  return {
    vocabulary: catalog.vocabulary,
    carrierKeys: catalog.carriers.map(({ key }) => key),
    bookTables: (dates) => bookTables(catalog, dates),
    certainties: certaintiesOf(catalog),
    catalog: () => catalog,
  };
}
