import { type CellSet, isWithinSet } from './cell-set.ts';
import { type CompiledProgram, PLACE } from './compile-program.ts';
import type { Term } from './term.ts';

/** The places where a program is written: cells of its own place axis. */
export function writtenPlaces({ place, territory }: CompiledProgram): CellSet {
  return place.full.map((word, index) => word & ~territory[index]!);
}

/** A term without a place that is the whole of where its carrier writes: elsewhere no rule of it applies. */
export function withoutWholePlace(term: Term, written: CellSet): Term {
  return term[0]?.axis === PLACE && isWithinSet(written, term[0].cells) ? term.slice(1) : term;
}
