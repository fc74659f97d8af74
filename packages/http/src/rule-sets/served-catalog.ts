import type { Catalog } from '@leeward/engine';

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
