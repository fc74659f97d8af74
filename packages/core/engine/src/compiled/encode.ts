import { atCertainty } from '../condition/at-certainty.ts';
import { computer, sourceOfProperty } from '../condition/computed.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { sidesOf, truthOfLeaf } from '../condition/tree-truth.ts';
import { negate, type Truth } from '../condition/truth.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { NO_CELL } from './axis.ts';
import { add, type CellSet, emptySet, has, intersects, isEmpty, isWithinSet } from './cell-set.ts';
import { type CompiledProgram, PLACE, type ProgramAxis } from './compile-program.ts';
import type { Term, TermPart } from './term.ts';

export interface PossibleCells {
  /** The cell, if only one is possible; else -1. Without a set, -1 means a value outside all cells. */
  readonly cells: Int32Array;
  readonly sets: readonly (CellSet | undefined)[];
  /** Evaluates tests of a value outside all cells; undefined if every value has a cell. */
  readonly oddTruths?: (part: TermPart) => readonly Truth[];
}

export interface Encoded extends PossibleCells {
  readonly program: CompiledProgram;
  readonly property: Property;
  readonly missing: readonly boolean[];
}

/** @param near a similar property, encoded on the same program; axes with equal values are copied */
export function encode(program: CompiledProgram, home: Property, near?: Encoded): Encoded {
  const property = atCertainty(home, program.ruleSet.certainty);
  const count = program.axes.length;
  const cells = new Int32Array(count).fill(-1);
  const sets: (CellSet | undefined)[] = new Array(count).fill(undefined);
  const missing: boolean[] = new Array(count).fill(false);
  if (near && near.property.state === property.state && near.property.counties === property.counties)
    copyCell(near, PLACE, cells, sets, missing);
  else encodePlace(program, property, cells, sets, missing);
  for (let number = 1; number < count; number++) {
    const programAxis = program.axes[number]!;
    const { axis } = programAxis;
    if (
      near &&
      programAxis.field >= 0 &&
      near.property.values[programAxis.field] === property.values[programAxis.field]
    ) {
      copyCell(near, number, cells, sets, missing);
      continue;
    }
    const value = valueOnAxis(programAxis, program, property);
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

function valueOnAxis(
  programAxis: ProgramAxis,
  program: CompiledProgram,
  property: Property,
): Knowledge | boolean | undefined {
  const { test, computed, field } = programAxis;
  if (test) return testAnswer(programAxis, program, property);
  return computed ? computer(sourceOfProperty(property))(computed) : property.values[field];
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

function wordCells(axis: ProgramAxis['axis'], words: readonly string[]): CellSet {
  const set = emptySet(axis.size);
  for (const word of words) {
    const cell = axis.cellOf(word);
    if (cell !== NO_CELL) add(set, cell);
  }
  return set;
}

/** Undefined if the test between two facts is open. */
function testAnswer(programAxis: ProgramAxis, program: CompiledProgram, property: Property): boolean | undefined {
  const county = property.counties?.length === 1 ? property.counties[0] : undefined;
  const facts = factsOfProperty(property, program.policyType, county);
  const [left, right] = sidesOf(programAxis.test!, facts);
  if (left === undefined || right === undefined) return undefined;
  const truth = truthOfLeaf(programAxis.test!, facts);
  return truth === 'undecided' ? undefined : truth === 'true';
}

/** True if some value of the unknown fields satisfies the term. */
export function isPossible(term: Term, at: Encoded): boolean {
  for (const part of term) if (!partPossible(part, at)) return false;
  return true;
}

/** True if every value of the unknown fields satisfies the term. */
export function isDefinite(term: Term, at: Encoded): boolean {
  for (const part of term) if (!partDefinite(part, at)) return false;
  return true;
}

export function partPossible(part: TermPart, at: PossibleCells): boolean {
  const cell = at.cells[part.axis]!;
  if (cell >= 0) return has(part.cells, cell);
  const set = at.sets[part.axis];
  return set ? intersects(set, part.cells) : (at.oddTruths?.(part) ?? []).every((truth) => truth !== 'false');
}

export function partDefinite(part: TermPart, at: PossibleCells): boolean {
  const cell = at.cells[part.axis]!;
  if (cell >= 0) return has(part.cells, cell);
  const set = at.sets[part.axis];
  return set ? isWithinSet(set, part.cells) : (at.oddTruths?.(part) ?? []).every((truth) => truth === 'true');
}

function oddTruths(part: TermPart, { policyType }: CompiledProgram, property: Property): Truth[] {
  const facts = factsOfProperty(property, policyType, undefined);
  return part.leaves.map(({ leaf, negated }) => {
    const truth = truthOfLeaf(leaf, facts);
    return negated ? negate(truth) : truth;
  });
}
