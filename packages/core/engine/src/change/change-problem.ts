import { type CellSet, fullSet, has, isWithinSet, setOf } from '../compiled/cell-set.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import { type Encoded, encode, partDefinite, partPossible } from '../compiled/encode.ts';
import { createTestCell } from '../compiled/encoder.ts';
import type { TermPart } from '../compiled/term.ts';
import { valueFact } from '../condition/condition.ts';
import type { RuleReading } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { ChangeAim, ChangeLayout, ChangePart, LaidOutPart, Obstacle, Standing } from './change-layout.ts';
import { type ChangeableField, changeableField, type FieldTargets, finerAxis } from './changeable-field.ts';
import { fieldTargets, finerTargets } from './field-targets.ts';
import { bitsOf, both, type TermBits, take } from './term-bits.ts';
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
  /** What is worked out when it is first asked for, the same for every aim. */
  readonly found: FoundOfProblem;
  /** The terms to be avoided that something can make hold; see `termsOf`. */
  terms: readonly ChangeTerm[] | undefined;
}

interface FoundOfProblem {
  /** By place of the field. */
  readonly targets: (FieldTargets | undefined)[];
  readonly fields: (ChangeableField | undefined)[];
  /** The property on the axes of the program. */
  at: Encoded | undefined;
  readonly finer: Map<ChangePart, Map<number, CellSet>>;
}

/** The problem of a property for one aim, as far as its bits: the rest when it is first asked for. */
export function createChangeProblem(reading: RuleReading, layout: ChangeLayout, aim: ChangeAim): ChangeProblem {
  const { table, property, loose } = reading;
  const inForce = termsInForce(reading);
  return {
    program: table.carriers[0]!.program,
    property,
    layout,
    reading,
    looseAxes: loose.length === 0 ? NONE : loose.map(({ axis }) => table.axes.indexOf(axis)),
    inForce,
    unwanted: unwantedFor(aim, inForce, table),
    found: { targets: [], fields: [], at: undefined, finer: new Map() },
    terms: undefined,
  };
}

/** The same for another aim. */
export function withAim(problem: ChangeProblem, aim: ChangeAim): ChangeProblem {
  const { inForce, reading } = problem;
  return { ...problem, unwanted: unwantedFor(aim, inForce, reading.table), terms: undefined };
}

const NONE: readonly never[] = [];

function unwantedFor(aim: ChangeAim, inForce: TermBits, { decline }: RuleTable): TermBits {
  return aim === 'eligible' ? inForce : both(inForce, decline);
}

/** A changeable field, by its place among those of the program. */
export function fieldAt({ layout, property, found, reading }: ChangeProblem, place: number): ChangeableField {
  let field = found.fields[place];
  if (!field) {
    const { index, axis, tests } = layout.fields[place]!;
    if (tests.length === 0) {
      found.targets[place] ??= fieldTargets(layout.fields[place]!, reading.table, property);
      field = changeableField(index, axis!, property, found.targets[place]);
    } else {
      const known = property.vocabulary.fields[index]!;
      const limits = tests.flatMap((test) => testLimits(test, index, property));
      field = changeableField(index, finerAxis(known, known.domain(property), axis, limits), property);
    }
    found.fields[place] = field;
  }
  return field;
}

/** What a changeable field may become. */
export function targetsAt(problem: ChangeProblem, place: number): FieldTargets {
  const { layout, property, found, reading } = problem;
  let targets = found.targets[place];
  if (!targets) {
    const laidOut = layout.fields[place]!;
    targets =
      laidOut.tests.length === 0
        ? fieldTargets(laidOut, reading.table, property)
        : finerTargets(fieldAt(problem, place), laidOut, reading.table);
    found.targets[place] = targets;
  }
  return targets;
}

/** Terms that every cell lets through that a field may change to. */
export function wherever(problem: ChangeProblem, place: number): TermBits {
  return targetsAt(problem, place).everywhere;
}

/** The property on the axes of the program. */
export function encodedAt({ found, program, property }: ChangeProblem): Encoded {
  found.at ??= encode(program, property);
  return found.at;
}

/** The cells of a field, on its own axis, in which a part holds that rests on it alone. */
export function cellsOfPart(problem: ChangeProblem, part: ChangePart, place: number): CellSet {
  const { program, property, found } = problem;
  const field = fieldAt(problem, place);
  if (program.axes[part.axis]!.axis === field.axis) return part.cells;
  const known = found.finer.get(part) ?? new Map<number, CellSet>();
  found.finer.set(part, known);
  const cells = known.get(place) ?? cellsOn(field, part, program, property);
  known.set(place, cells);
  return cells;
}

/** Whether those cells are exact: not where the other side of a test is not known, or cells cannot carry it. */
export function isExact(problem: ChangeProblem, part: ChangePart, place: number): boolean {
  const { program, property } = problem;
  const { test } = program.axes[part.axis]!;
  if (!test) return true;
  // A fact against itself is one answer for every value.
  if (valueFact(test.value)?.fact === test.fact) return true;
  const others = fieldsOfTest(test, property.vocabulary).filter((index) => index !== fieldAt(problem, place).index);
  return others.length > 0 && others.every((index) => isKnown(property.values[index]));
}

/** The terms to be avoided that something can make hold. */
export function termsOf(problem: ChangeProblem): readonly ChangeTerm[] {
  if (problem.terms) return problem.terms;
  const encoded = encodedAt(problem);
  const terms: ChangeTerm[] = [];
  for (const bit of bitsOf(problem.unwanted)) {
    const { obstacle, parts: laidOut } = problem.layout.terms[bit]!;
    const parts = changeParts(laidOut, encoded);
    if (parts) terms.push({ parts, obstacle });
  }
  problem.terms = terms;
  return terms;
}

function termsInForce({ table, property: { asOfMs } }: RuleReading): TermBits {
  const { decline, refer, moratoria, words } = table;
  const bits = new Int32Array(words);
  for (let word = 0; word < words; word++) bits[word] = decline[word]! | refer[word]!;
  for (const { word, bit, fromMs, untilMs } of moratoria) if (asOfMs < fromMs || asOfMs >= untilMs) bits[word]! &= ~bit;
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
  return !isWithinSet(fieldAt(problem, field).allowed, cellsOfPart(problem, part, field));
}

/** Terms that certainly hold, whatever a person changes. */
export function immovableTerms(problem: ChangeProblem): TermBits {
  const { layout, reading } = problem;
  const { axes, rows } = reading.table;
  const bits = both(reading.certain, problem.unwanted);
  for (let place = 0; place < layout.fields.length; place++) {
    const { axisNumber } = layout.fields[place]!;
    if (axisNumber < 0) continue;
    const { untestedRow } = axes[axisNumber]!;
    // What does not rest on the field need not know where it can go.
    let word = 0;
    while (word < bits.length && (bits[word]! & ~rows[untestedRow + word]!) === 0) word++;
    if (word < bits.length) take(bits, wherever(problem, place), 0);
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
