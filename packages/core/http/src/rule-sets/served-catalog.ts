import type { Catalog, Decider } from '@leeward/engine';
import { unavailable } from '../problem/problem.ts';

/** All carriers under the rules in force. The catalog is replaced when other rules go into force. */
export interface ServedCatalog {
  /** The catalog at the last poll, for its vocabulary and its carriers. */
  readonly latest: Catalog;
  /** The catalog in force now, to decide by. A promise if it must be polled first; it rejects if that fails. */
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

/** The rules in force. @throws {Problem} `unavailable`, or rejects with it, if the registry cannot be read */
export function locateCatalog(catalog: ServedCatalog): Decider | Promise<Decider> {
  const current = catalog.current();
  if (!(current instanceof Promise)) return current;
  return current.catch((cause: unknown) => {
    throw unavailable('The registry of rule sets', cause);
  });
}
