import { type CellSet, isWithinSet } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import type { Term } from './term.ts';

/** Returns the places where a program applies, as cells of its place axis. */
export function writtenPlaces({ place, territory }: CompiledProgram): CellSet {
  return place.full.map((word, index) => word & ~territory[index]!);
}

/** Removes the place from a term if it covers all places of the program: elsewhere, no rule of it applies. */
export function withoutWholePlace(term: Term, covered: CellSet): Term {
  return term[0]?.axis === PLACE && isWithinSet(covered, term[0].cells) ? term.slice(1) : term;
}
