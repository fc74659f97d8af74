import { type CellSet, isWithinSet } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import type { Term } from './term.ts';

/** The places where a program applies. */
export function writtenPlaces({ place, territory }: CompiledProgram): CellSet {
  return place.full.map((word, index) => word & ~territory[index]!);
}

/** Removes a place part that covers all places of the program: elsewhere, none of its rules apply. */
export function withoutWholePlace(term: Term, covered: CellSet): Term {
  return term[0]?.axis === PLACE && isWithinSet(covered, term[0].cells) ? term.slice(1) : term;
}
