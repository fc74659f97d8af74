import type { Catalog, Decider } from '@leeward/engine';
import { unavailable } from '../problem/problem.ts';

/** Every carrier there is, by the rules in force: another catalog whenever rules go into force. */
export interface ServedCatalog {
  /** What was in force when it was last looked: its vocabulary, its carriers, what they are called. */
  readonly latest: Catalog;
  /**
   * What is in force now, to judge by. At once where that is known; a promise where it must be looked up first, which rejects
   * where it cannot be.
   */
  current(): Catalog | Promise<Catalog>;
}

/** A catalog that never changes, as one that may. */
export function servedCatalog(catalog: Catalog | ServedCatalog): ServedCatalog {
  return 'current' in catalog ? catalog : { latest: catalog, current: () => catalog };
}

/** The rules in force; at once, but where they must be looked up first. */
export function locateCatalog(catalog: ServedCatalog): Decider | Promise<Decider> {
  const current = catalog.current();
  if (!(current instanceof Promise)) return current;
  return current.catch((cause: unknown) => {
    throw unavailable('The registry of rule sets', cause);
  });
}
