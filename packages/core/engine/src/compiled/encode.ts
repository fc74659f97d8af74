import { factsOfProperty } from '../condition/facts.ts';
import { sidesOf, truthOfLeaf } from '../condition/tree-truth.ts';
import { negate, type Truth } from '../condition/truth.ts';
import { isWithin } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { ODD } from './axis.ts';
import { add, type CellSet, emptySet, has, intersects, isEmpty, isWithinSet } from './cell-set.ts';
import { type CompiledProgram, type KnownAxis, PLACE } from './compile-program.ts';
import type { Term, TermPart } from './term.ts';

/** The knowledge of a property, axis by axis. */
export interface KnownCells {
  /** The cell where one alone is possible, else -1 (without a set: a value of no cell). */
  readonly cells: Int32Array;
  /** The possible cells, if there is more than one. */
  readonly sets: readonly (CellSet | undefined)[];
  /** Tests a value of no cell; absent where every value has one. */
  readonly oddTruths?: (part: TermPart) => readonly Truth[];
}

/** A property on the axes of one compiled program: for each axis, the cells it can be in. */
export interface Encoded extends KnownCells {
  readonly program: CompiledProgram;
  readonly property: Property;
  /** Axes of which nothing is known at all. */
  readonly missing: readonly boolean[];
}

/** Encodes a property. What it has in common with `near`, another one on the axes of the program, is taken from there. */
export function encode(program: CompiledProgram, property: Property, near?: Encoded): Encoded {
  const count = program.axes.length;
  const cells = new Int32Array(count).fill(-1);
  const sets: (CellSet | undefined)[] = new Array(count).fill(undefined);
  const missing: boolean[] = new Array(count).fill(false);
  if (near && near.property.state === property.state && near.property.counties === property.counties)
    copyCell(near, PLACE, cells, sets, missing);
  else encodePlace(program, property, cells, sets, missing);
  for (let number = 1; number < count; number++) {
    const known = program.axes[number]!;
    const { axis } = known;
    if (near && !known.test && near.property.values[known.field] === property.values[known.field]) {
      copyCell(near, number, cells, sets, missing);
      continue;
    }
    const value = known.test ? testAnswer(known, program, property) : property.values[known.field];
    if (value === undefined) {
      sets[number] = axis.full;
      missing[number] = true;
      continue;
    }
    if (isWithin(value)) {
      sets[number] = value.kind === 'between' ? axis.cellsBetween(value.min, value.max) : wordCells(axis, value.words);
      missing[number] = isEmpty(sets[number]!);
      if (missing[number]) sets[number] = axis.full;
      continue;
    }
    cells[number] = axis.cellOf(value);
  }
  return { program, property, cells, sets, missing, oddTruths: (part) => oddTruths(part, program, property) };
}

function copyCell(
  from: Encoded,
  axis: number,
  cells: Int32Array,
  sets: (CellSet | undefined)[],
  missing: boolean[],
): void {
  cells[axis] = from.cells[axis]!;
  sets[axis] = from.sets[axis];
  missing[axis] = from.missing[axis]!;
}

function encodePlace(
  program: CompiledProgram,
  property: Property,
  cells: Int32Array,
  sets: (CellSet | undefined)[],
  missing: boolean[],
): void {
  const { place } = program;
  const { counties, state } = property;
  if (counties?.length === 1) cells[PLACE] = place.cellOf(state, counties[0]!);
  else if (counties === undefined) {
    sets[PLACE] = place.cellsOfState(state);
    missing[PLACE] = true;
  } else {
    const set = emptySet(place.size);
    for (const county of counties) {
      const cell = place.cellOf(state, county);
      if (cell >= 0) add(set, cell);
    }
    sets[PLACE] = set;
  }
}

function wordCells(axis: KnownAxis['axis'], words: readonly string[]): CellSet {
  const set = emptySet(axis.size);
  for (const word of words) {
    const cell = axis.cellOf(word);
    if (cell !== ODD) add(set, cell);
  }
  return set;
}

/** The answer of a test that cells cannot carry: true, false, or unknown. */
function testAnswer(known: KnownAxis, program: CompiledProgram, property: Property): boolean | undefined {
  const county = property.counties?.length === 1 ? property.counties[0] : undefined;
  const facts = factsOfProperty(property, program.policyType, county);
  const [left, right] = sidesOf(known.test!, facts);
  if (left === undefined || right === undefined) return undefined;
  const truth = truthOfLeaf(known.test!, facts);
  return truth === 'undecided' ? undefined : truth === 'true';
}

/** Whether some value of what is unknown meets the term. */
export function isPossible(term: Term, at: Encoded): boolean {
  for (const part of term) if (!partPossible(part, at)) return false;
  return true;
}

/** Whether every value of what is unknown meets the term. */
export function isDefinite(term: Term, at: Encoded): boolean {
  for (const part of term) if (!partDefinite(part, at)) return false;
  return true;
}

export function partPossible(part: TermPart, at: KnownCells): boolean {
  const cell = at.cells[part.axis]!;
  if (cell >= 0) return has(part.cells, cell);
  const set = at.sets[part.axis];
  return set ? intersects(set, part.cells) : (at.oddTruths?.(part) ?? []).every((truth) => truth !== 'false');
}

export function partDefinite(part: TermPart, at: KnownCells): boolean {
  const cell = at.cells[part.axis]!;
  if (cell >= 0) return has(part.cells, cell);
  const set = at.sets[part.axis];
  return set ? isWithinSet(set, part.cells) : (at.oddTruths?.(part) ?? []).every((truth) => truth === 'true');
}

/** A value that belongs to no cell is put to the tests themselves. */
function oddTruths(part: TermPart, { policyType }: CompiledProgram, property: Property): Truth[] {
  const facts = factsOfProperty(property, policyType, undefined);
  return part.leaves.map(({ leaf, negated }) => {
    const truth = truthOfLeaf(leaf, facts);
    return negated ? negate(truth) : truth;
  });
}
