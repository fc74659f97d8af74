import type { CellSet, CompiledProgram, PlaceAxis, Term, TermPart } from '@leeward/engine/compiled';
import { coversState, fullSet, PLACE, placeTerm, setOf } from '@leeward/engine/compiled';
import type { AxisKnowledge } from '../terms/close-terms.ts';
import { boundsOfAxis, type TableInputs } from './table-inputs.ts';

/** An axis of a lane's terms: the cells of an input. */
export interface LaneAxis {
  /** Number of the input. */
  readonly input: number;
  readonly size: number;
  /** Lower bounds of the cells of a number: see `boundsOfAxis`. Undefined for words: cell c is the word with code c + 1. */
  readonly bounds: Float64Array | undefined;
}

/** The axes of the terms of one carrier. The place is axis 0, and undefined in `axes`. */
export interface LaneSpace {
  readonly place: PlaceAxis;
  /** Codes of the states where it is offered. */
  readonly states: readonly string[];
  readonly axes: readonly (LaneAxis | undefined)[];
}

/** One bit of a table: a carrier, or a rule of a carrier in tables of reasons. */
export interface Lane {
  /** Index of the carrier in the catalog; of the reason in tables of reasons. */
  readonly target: number;
  readonly space: LaneSpace;
  readonly declining: readonly Term[];
  readonly referring: readonly Term[];
}

/** The space of a program. Moratoria test the time of the request on the last axis. */
export function spaceOfProgram(program: CompiledProgram, inputs: TableInputs): LaneSpace {
  const { place, axes, programs, moratoria, ruleSet } = program;
  const own = axes.map((each): LaneAxis | undefined => {
    if (!each) return undefined;
    const input = inputs.ofAxis(each, ruleSet.certainty);
    return { input, size: each.axis.size, bounds: boundsOfAxis(each.axis, each.test !== undefined) };
  });
  const instants = new Set(moratoria.flatMap(({ moratorium: { fromMs, untilMs } }) => [fromMs, untilMs]));
  const finite = [...instants].filter(Number.isFinite).sort((a, b) => a - b);
  const bounds = Float64Array.of(Number.NEGATIVE_INFINITY, ...finite);
  const states = [...new Set(place.samples.map(({ state }) => state))];
  return {
    place,
    states: states.filter((state) => programs.some(({ places }) => coversState(places, state))),
    axes: finite.length > 0 ? [...own, { input: inputs.ofTime(), size: bounds.length, bounds }] : own,
  };
}

/** A moratorium of a program as a term: its places, while it is in force. */
export function moratoriumTerm(
  { cells, moratorium: { fromMs, untilMs } }: CompiledProgram['moratoria'][number],
  { axes }: LaneSpace,
): Term {
  const time = axes.at(-1);
  const [part] = placeTerm(cells) as readonly [TermPart];
  if (!time?.bounds || (fromMs === Number.NEGATIVE_INFINITY && untilMs === Number.POSITIVE_INFINITY)) return [part];
  const { bounds, size } = time;
  const during = setOf(size, (cell) => bounds[cell]! >= fromMs && bounds[cell]! < untilMs);
  return [part, { axis: axes.length - 1, cells: during, leaves: [] }];
}

/** Knowledge of the axes of a space, for `closeTerms`. */
export function closingAxes({ place, axes }: LaneSpace, inputs: TableInputs) {
  const parts = [...new Set(place.samples.map(({ state }) => state))].map((state) => place.cellsOfState(state));
  const full = axes.map((axis) => (axis ? fullSet(axis.size) : place.full));
  return {
    fullOf: (axis: number): CellSet => full[axis]!,
    knowledgeOf: (axis: number): AxisKnowledge =>
      axis === PLACE ? { kind: 'parts', parts } : inputs.knowledgeOf(axes[axis]!.input),
  };
}

/** A lane that is open wherever it is offered, because it depends on inputs without values. */
export function openLane(target: number, inputs: readonly number[], place: PlaceAxis, states: readonly string[]): Lane {
  const bounds = Float64Array.of(Number.NEGATIVE_INFINITY, 0.5);
  return {
    target,
    space: { place, states, axes: [undefined, ...inputs.map((input): LaneAxis => ({ input, size: 2, bounds }))] },
    declining: inputs.map((_, index) => [{ axis: index + 1, cells: setOf(2, (cell) => cell === 1), leaves: [] }]),
    referring: [],
  };
}
