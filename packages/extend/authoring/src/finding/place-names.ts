import { type CellSet, covers, emptySet, type PlaceAxis, type Program, union } from '@leeward/engine/compiled';

/** Places that need not be listed. */
export interface PlaceName {
  readonly words: string;
  readonly cells: CellSet;
}

/** Where programs write, all together and each by itself: `wherever it is written`, `where "tx" is written`. */
export function namesOfPlaces(programs: readonly Program[], place: PlaceAxis, written: string): PlaceName[] {
  const each = programs.map(({ id, places }) => ({
    words: `where "${id}" ${written}`,
    cells: place.cellsWhere((where) => covers(places, where)),
  }));
  const all = each.map(({ cells }) => cells).reduce(union, emptySet(place.size));
  // A rule of one program reads the same for a policy type that has no other.
  return [...each, { words: `wherever it ${written}`, cells: all }];
}
