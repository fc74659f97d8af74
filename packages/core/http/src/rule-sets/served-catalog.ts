import type { Catalog, Decider } from '@leeward/engine';
import { unavailable } from '../problem/problem.ts';

/** The carriers under the rules in force. Replaced when rules go into force. */
export interface ServedCatalog {
  /** At the last poll, for vocabulary and carriers. */
  readonly latest: Catalog;
  /** For decisions. A promise if it must poll first; rejects if that fails. */
  current(): Catalog | Promise<Catalog>;
}

/**
 * Wraps a catalog that never changes.
 *
 * @example
 * servedCatalog(catalog).latest === catalog; // true
 */
export function servedCatalog(catalog: Catalog | ServedCatalog): ServedCatalog {
  return 'current' in catalog ? catalog : { latest: catalog, current: () => catalog };
}

/**
 * The catalog that decides a request.
 *
 * @throws {Problem} `unavailable`, or rejects with it, if the registry cannot be read
 *
 * @example
 * locate: () => locateCatalog(servedCatalog(catalog)),
 */
export function locateCatalog(catalog: ServedCatalog): Decider | Promise<Decider> {
  const current = catalog.current();
  if (!(current instanceof Promise)) return current;
  return current.catch((cause: unknown) => {
    throw unavailable('The registry of rule sets', cause);
  });
}
