import { type CellSet, covers, emptySet, type PlaceAxis, type Program, union } from '@leeward/engine/compiled';

/** A phrase for a set of places. */
export interface PlaceName {
  readonly words: string;
  readonly cells: CellSet;
}

/** Phrases for the places of each program and of all together: `where "tx" is written`, `wherever it is written`. */
export function namesOfPlaces(programs: readonly Program[], place: PlaceAxis, written: string): PlaceName[] {
  const each = programs.map(({ id, places }) => ({
    words: `where "${id}" ${written}`,
    cells: place.cellsWhere((where) => covers(places, where)),
  }));
  const all = each.map(({ cells }) => cells).reduce(union, emptySet(place.size));
  return [...each, { words: `wherever it ${written}`, cells: all }];
}
