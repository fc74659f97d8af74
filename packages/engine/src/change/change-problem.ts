import { type CellSet, fullSet, has, isWithinSet, setOf } from '../compiled/cell-set.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import { type Encoded, encode, partDefinite, partPossible } from '../compiled/encode.ts';
import type { TermPart } from '../compiled/term.ts';
import { valueFact } from '../condition/condition.ts';
import { createTestCell } from '../planes/test-cell.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Moratorium } from '../rule-set/rule-set.ts';
import {
  type ChangeAim,
  type ChangePart,
  changeLayout,
  type LaidOutPart,
  type Obstacle,
  type Standing,
} from './change-layout.ts';
import { type ChangeableField, changeableField, finerAxis } from './changeable-field.ts';
import { fieldsOfTest, testLimits } from './test-limits.ts';

/** A term of an obstacle. */
export interface ChangeTerm {
  readonly parts: readonly ChangePart[];
  readonly obstacle: Obstacle;
}

/** What stands between a property and an answer of one carrier, and what a person could do about it. */
export interface ChangeProblem {
  readonly program: CompiledProgram;
  readonly property: Property;
  readonly at: Encoded;
  /** A changeable field, by its place among those of the program. */
  fieldAt(place: number): ChangeableField;
  readonly terms: readonly ChangeTerm[];
  /** The cells of a field, on its own axis, in which a part holds that rests on it alone. */
  cellsOf(part: ChangePart, field: number): CellSet;
  /** Whether those cells are exact: not where the other side of a test is not known, or cells cannot carry it. */
  isExact(part: ChangePart, field: number): boolean;
}

/** Lays out the terms to be avoided. */
export function createChangeProblem(
  program: CompiledProgram,
  property: Property,
  aim: ChangeAim,
  at: Encoded = encode(program, property),
): ChangeProblem {
  const layout = changeLayout(program);
  const fields: (ChangeableField | undefined)[] = new Array(layout.fields.length).fill(undefined);
  const fieldAt = (place: number): ChangeableField => {
    let found = fields[place];
    if (!found) {
      const { index, axis, tests } = layout.fields[place]!;
      const field = property.vocabulary.fields[index]!;
      const limits = tests.flatMap((test) => testLimits(test, index, property));
      found = changeableField(index, finerAxis(field, field.domain(property), axis, limits), property);
      fields[place] = found;
    }
    return found;
  };
  const terms: ChangeTerm[] = [];
  for (const obstacle of layout.obstacles[aim]) {
    if (obstacle.moratorium && !isInForce(obstacle.moratorium, property)) continue;
    for (const term of obstacle.terms) {
      const parts = changeParts(term, at);
      if (parts) terms.push({ parts, obstacle });
    }
  }
  const finer = new Map<ChangePart, Map<number, CellSet>>();
  return {
    program,
    property,
    at,
    fieldAt,
    terms,
    cellsOf(part, field) {
      const { axis } = fieldAt(field);
      if (program.axes[part.axis]!.axis === axis) return part.cells;
      const known = finer.get(part) ?? new Map<number, CellSet>();
      finer.set(part, known);
      const cells = known.get(field) ?? cellsOn(fieldAt(field), part, program, property);
      known.set(field, cells);
      return cells;
    },
    isExact(part, field) {
      const { test } = program.axes[part.axis]!;
      if (!test) return true;
      // A fact against itself is one answer for every value.
      if (valueFact(test.value)?.fact === test.fact) return true;
      const others = fieldsOfTest(test, property.vocabulary).filter((index) => index !== fieldAt(field).index);
      return others.length > 0 && others.every((index) => isKnown(property.values[index]));
    },
  };
}

function isInForce({ fromMs, untilMs }: Moratorium, { asOfMs }: Property): boolean {
  return fromMs <= asOfMs && asOfMs < untilMs;
}

function isKnown(value: Knowledge): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

/** The parts that matter; undefined where nothing can make the term hold. */
function changeParts(term: readonly LaidOutPart[], at: Encoded): ChangePart[] | undefined {
  // Nothing is gathered of what nobody can make hold.
  for (const { part, isChangeable } of term) if (!isChangeable && standingOf(part, at) === 'fails') return undefined;
  const parts: ChangePart[] = [];
  for (const { part, isChangeable, standing } of term) {
    const stands = standingOf(part, at);
    if (isChangeable || stands !== 'holds') parts.push(standing[stands]);
  }
  return parts;
}

function standingOf(part: TermPart, at: Encoded): Standing {
  const cell = at.cells[part.axis]!;
  if (cell >= 0) return has(part.cells, cell) ? 'holds' : 'fails';
  if (!partPossible(part, at)) return 'fails';
  return partDefinite(part, at) ? 'holds' : 'open';
}

function cellsOn(field: ChangeableField, part: ChangePart, program: CompiledProgram, property: Property): CellSet {
  const known = program.axes[part.axis]!;
  const { axis, index } = field;
  if (!known.test) {
    return setOf(axis.size, (cell) => has(part.cells, known.axis.cellOf(axis.samples[cell])));
  }
  const testCell = createTestCell(known.test, property.vocabulary);
  const { state, counties, effectiveYear } = property;
  const surroundings = {
    state,
    county: counties?.length === 1 ? counties[0] : undefined,
    policyType: program.policyType,
    effectiveYear,
  };
  return setOf(axis.size, (cell) => {
    const sample = axis.samples[cell] as number | string;
    const answer = testCell((at) => (at === index ? sample : property.values[at]), surroundings);
    return answer >= 0 && has(part.cells, answer);
  });
}

/** Whether a field can be brought out of a part at all. */
export function canEscape(problem: ChangeProblem, part: ChangePart, field: number): boolean {
  if (part.restsOn.length > 1) return true;
  return !isWithinSet(problem.fieldAt(field).allowed, problem.cellsOf(part, field));
}

/** Obstacles that certainly stand, whatever a person changes. */
export function immovable(problem: ChangeProblem): ReadonlySet<Obstacle> {
  const found = new Set<Obstacle>();
  for (const { parts, obstacle } of problem.terms) {
    const stands = parts.every(
      (part) => part.standing === 'holds' && !part.restsOn.some((field) => canEscape(problem, part, field)),
    );
    if (stands) found.add(obstacle);
  }
  return found;
}

export const bothAnswers: CellSet = fullSet(2);
