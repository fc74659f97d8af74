import { type CellSet, cellsOf, fullSet, has, isWithinSet, setOf } from '../compiled/cell-set.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import { type Encoded, encode, partDefinite, partPossible } from '../compiled/encode.ts';
import type { TermPart } from '../compiled/term.ts';
import { valueFact } from '../condition/condition.ts';
import type { RuleReading } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import { createTestCell } from '../planes/encoder.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type {
  ChangeAim,
  ChangeLayout,
  ChangePart,
  LaidOutField,
  LaidOutPart,
  Obstacle,
  Standing,
} from './change-layout.ts';
import { type ChangeableField, changeableField, finerAxis } from './changeable-field.ts';
import { bitsOf, type TermBits, take } from './term-bits.ts';
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
  readonly layout: ChangeLayout;
  readonly reading: RuleReading;
  /** The number of the axis of each of its loose ones. */
  readonly looseAxes: readonly number[];
  /** Terms that decline or refer, moratoria only while they are in force. */
  readonly inForce: TermBits;
  /** Those of them that the aim wants avoided. */
  readonly unwanted: TermBits;
  /** A changeable field, by its place among those of the program. */
  fieldAt(place: number): ChangeableField;
  /** Terms that every cell lets through that a field may change to. */
  wherever(place: number): TermBits;
  /** The property on the axes of the program. */
  at(): Encoded;
  /** The terms to be avoided that something can make hold. */
  terms(): readonly ChangeTerm[];
  /** The cells of a field, on its own axis, in which a part holds that rests on it alone. */
  cellsOf(part: ChangePart, field: number): CellSet;
  /** Whether those cells are exact: not where the other side of a test is not known, or cells cannot carry it. */
  isExact(part: ChangePart, field: number): boolean;
}

/** What is the same of a problem for every aim. */
export type ChangeQuestion = Omit<ChangeProblem, 'unwanted' | 'terms'>;

/** Lays out the question, as far as its bits: the rest when it is first asked for. */
export function createChangeQuestion(reading: RuleReading, layout: ChangeLayout): ChangeQuestion {
  const { table, property } = reading;
  const { program } = table.carriers[0]!;
  const fields: (ChangeableField | undefined)[] = new Array(layout.fields.length).fill(undefined);
  const everywhere: (TermBits | undefined)[] = new Array(layout.fields.length).fill(undefined);
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
  const finer = new Map<ChangePart, Map<number, CellSet>>();
  let at: Encoded | undefined;
  return {
    program,
    property,
    layout,
    reading,
    looseAxes: reading.loose.length === 0 ? NONE : reading.loose.map(({ axis }) => table.axes.indexOf(axis)),
    inForce: termsInForce(reading),
    fieldAt,
    wherever(place) {
      everywhere[place] ??= everyRow(table, layout.fields[place]!, fieldAt(place));
      return everywhere[place];
    },
    at() {
      at ??= encode(program, property);
      return at;
    },
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

const NONE: readonly never[] = [];

/** The problem of a question: what is to be avoided for one aim. */
export function createChangeProblem(question: ChangeQuestion, aim: ChangeAim): ChangeProblem {
  const { decline } = question.reading.table;
  const unwanted =
    aim === 'eligible' ? question.inForce : question.inForce.map((word, index) => word & decline[index]!);
  let terms: readonly ChangeTerm[] | undefined;
  return {
    ...question,
    unwanted,
    terms() {
      terms ??= termsOf(question, unwanted);
      return terms;
    },
  };
}

function termsOf({ at, layout }: ChangeQuestion, unwanted: TermBits): ChangeTerm[] {
  const encoded = at();
  const terms: ChangeTerm[] = [];
  for (const bit of bitsOf(unwanted)) {
    const { obstacle, parts: laidOut } = layout.terms[bit]!;
    const parts = changeParts(laidOut, encoded);
    if (parts) terms.push({ parts, obstacle });
  }
  return terms;
}

function termsInForce({ table, property: { asOfMs } }: RuleReading): TermBits {
  const { decline, refer, moratoria } = table;
  const bits = decline.map((word, index) => word | refer[index]!);
  for (const { word, bit, fromMs, untilMs } of moratoria) if (asOfMs < fromMs || asOfMs >= untilMs) bits[word]! &= ~bit;
  return bits;
}

function everyRow(
  { rows, axes, words }: RuleTable,
  laidOut: LaidOutField,
  { axis, allowed }: ChangeableField,
): TermBits {
  const { rowOfCell } = axes[laidOut.axisNumber]!;
  const bits: TermBits = new Int32Array(words).fill(-1);
  for (const cell of cellsOf(allowed))
    take(bits, rows, rowOfCell[laidOut.axis === axis ? cell : laidOut.axis!.cellOf(axis.samples[cell])]!);
  return bits;
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

/** Terms that certainly hold, whatever a person changes. */
export function immovableTerms(problem: ChangeProblem): TermBits {
  const { layout, reading } = problem;
  const { axes, rows } = reading.table;
  const bits = reading.certain.map((word, index) => word & problem.unwanted[index]!);
  for (const [place, { axisNumber }] of layout.fields.entries()) {
    if (axisNumber < 0) continue;
    const { untestedRow } = axes[axisNumber]!;
    // What does not rest on the field need not know where it can go.
    if (bits.some((word, index) => (word & ~rows[untestedRow + index]!) !== 0)) take(bits, problem.wherever(place), 0);
  }
  for (const axis of layout.tests) {
    for (const bit of bitsOf(bits)) {
      const tested = layout.terms[bit]!.parts.find(({ part }) => part.axis === axis)?.standing.holds;
      if (tested?.restsOn.some((field) => canEscape(problem, tested, field))) bits[bit >>> 5]! &= ~(1 << (bit & 31));
    }
  }
  return bits;
}

export const bothAnswers: CellSet = fullSet(2);
