import { type CellSet, emptySet, union } from '../compiled/cell-set.ts';
import { covers, type PlaceAxis } from '../compiled/place-axis.ts';
import type { Program } from '../rule-set/rule-set.ts';

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
