import { isNumberAxis, type NumberAxis } from './axis.ts';
import { setOf } from './cell-set.ts';
import type { CompiledProgram } from './compile-program.ts';
import type { Term } from './term.ts';

const byProgram = new WeakMap<CompiledProgram, readonly Term[]>();

/** The boxes that the relations of the vocabulary exclude, such as a roof older than its house. */
export function impossibleTerms(program: CompiledProgram): readonly Term[] {
  let terms = byProgram.get(program);
  if (!terms) {
    terms = findImpossible(program);
    byProgram.set(program, terms);
  }
  return terms;
}

const related = new WeakMap<CompiledProgram, readonly (readonly [number, number])[]>();

/** As [lower, higher]. */
export function relatedAxes(program: CompiledProgram): readonly (readonly [number, number])[] {
  let pairs = related.get(program);
  if (!pairs) {
    const numberOf = (name: string) =>
      program.axes.findIndex((programAxis) => programAxis && !programAxis.test && programAxis.axis.name === name);
    pairs = program.vocabulary.relations
      .map(({ lower, higher }) => [numberOf(lower), numberOf(higher)] as const)
      .filter(([lower, higher]) => lower > 0 && higher > 0);
    related.set(program, pairs);
  }
  return pairs;
}

function findImpossible(program: CompiledProgram): Term[] {
  const terms: Term[] = [];
  for (const [lower, higher] of relatedAxes(program)) {
    const low = program.axes[lower]!.axis;
    const high = program.axes[higher]!.axis;
    if (!isNumberAxis(low) || !isNumberAxis(high)) continue;
    const starts = endsOf(low);
    const ends = endsOf(high);
    let before = 0;
    for (let cell = 0; cell < low.size; cell++) {
      // From this cell on, the other field cannot be in cells that end before it starts.
      let below = before;
      while (below < high.size && endsBefore(ends[below]!, starts[cell]!)) below++;
      if (below === before) continue;
      before = below;
      const parts = [
        { axis: lower, cells: setOf(low.size, (each) => each >= cell), leaves: [] },
        { axis: higher, cells: setOf(high.size, (each) => each < below), leaves: [] },
      ];
      terms.push(lower < higher ? parts : parts.reverse());
    }
  }
  return terms;
}

interface Ends {
  readonly min: number;
  readonly max: number;
  readonly includesMin: boolean;
  readonly includesMax: boolean;
}

function endsOf({ cuts, cellByPlace, domain, size }: NumberAxis): Ends[] {
  const ends: Ends[] = new Array(size);
  for (let place = 0; place < cellByPlace.length; place++) {
    const cell = cellByPlace[place]!;
    if (cell < 0) continue;
    const above = cuts[place >> 1];
    const below = cuts[(place >> 1) - 1];
    if (place % 2 === 1) ends[cell] = { min: above!, max: above!, includesMin: true, includesMax: true };
    else if (domain.integer) {
      const min = below === undefined ? domain.min : Math.floor(below) + 1;
      const max = above === undefined ? domain.max : Math.ceil(above) - 1;
      ends[cell] = { min, max, includesMin: true, includesMax: true };
    } else {
      ends[cell] = {
        min: below ?? domain.min,
        max: above ?? domain.max,
        includesMin: below === undefined,
        includesMax: above === undefined,
      };
    }
  }
  return ends;
}

function endsBefore(one: Ends, other: Ends): boolean {
  return one.max < other.min || (one.max === other.min && !(one.includesMax && other.includesMin));
}
