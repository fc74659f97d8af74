import { type CellSet, has, isWithinSet, setOf } from '../compiled/cell-set.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import { type Encoded, encode, partDefinite, partPossible } from '../compiled/encode.ts';
import { createTestCell } from '../compiled/encoder.ts';
import type { TermPart } from '../compiled/term.ts';
import { readComputed } from '../condition/computed.ts';
import { valueFact } from '../condition/condition.ts';
import type { RuleReading } from '../decide/rule-reading.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { ChangeAim, ChangeLayout, ChangePart, LaidOutPart, Obstacle, Standing } from './change-layout.ts';
import { type ChangeableField, changeableField, type FieldTargets, finerAxis } from './changeable-field.ts';
import { fieldTargets, finerTargets } from './field-targets.ts';
import { bitsOf, intersect, type TermBits, take } from './term-bits.ts';
import { axisLimits, fieldsOfTest, sourceWith, usesOf } from './test-limits.ts';

export interface ChangeTerm {
  readonly parts: readonly ChangePart[];
  readonly obstacle: Obstacle;
}

/** The terms that block the aimed status of one carrier, and the changeable fields. */
export interface ChangeProblem {
  readonly program: CompiledProgram;
  readonly property: Property;
  readonly layout: ChangeLayout;
  readonly reading: RuleReading;
  /** By loose axis of the reading. */
  readonly looseAxes: readonly number[];
  /** Terms that decline or refer, with moratoria only while they are in force. */
  readonly inForce: TermBits;
  /** The terms of `inForce` that the aim must avoid. */
  readonly unwanted: TermBits;
  /** Results independent of the aim. */
  readonly cache: ProblemCache;
  /** See `termsOf`. */
  terms: readonly ChangeTerm[] | undefined;
}

interface ProblemCache {
  /** By place of the field. */
  readonly targets: (FieldTargets | undefined)[];
  readonly fields: (ChangeableField | undefined)[];
  encoded: Encoded | undefined;
  readonly finer: Map<ChangePart, Map<number, CellSet>>;
}

/** Computes everything beyond bit masks on demand. */
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
    cache: { targets: [], fields: [], encoded: undefined, finer: new Map() },
    terms: undefined,
  };
}

export function withAim(problem: ChangeProblem, aim: ChangeAim): ChangeProblem {
  const { inForce, reading } = problem;
  return { ...problem, unwanted: unwantedFor(aim, inForce, reading.table), terms: undefined };
}

const NONE: readonly never[] = [];

function unwantedFor(aim: ChangeAim, inForce: TermBits, { decline }: RuleTable): TermBits {
  return aim === 'eligible' ? inForce : intersect(inForce, decline);
}

/** By its place in the layout. */
export function fieldAt({ layout, property, cache, reading }: ChangeProblem, place: number): ChangeableField {
  let field = cache.fields[place];
  if (!field) {
    const { index, axis, tests } = layout.fields[place]!;
    if (tests.length === 0) {
      cache.targets[place] ??= fieldTargets(layout.fields[place]!, reading.table, property);
      field = changeableField(index, axis!, property, cache.targets[place]);
    } else {
      const vocabularyField = property.vocabulary.fields[index]!;
      const limits = tests.flatMap((test) => axisLimits(test, index, property));
      field = changeableField(
        index,
        finerAxis(vocabularyField, vocabularyField.domain(property), axis, limits),
        property,
      );
    }
    cache.fields[place] = field;
  }
  return field;
}

export function targetsAt(problem: ChangeProblem, place: number): FieldTargets {
  const { layout, property, cache, reading } = problem;
  let targets = cache.targets[place];
  if (!targets) {
    const laidOut = layout.fields[place]!;
    targets =
      laidOut.tests.length === 0
        ? fieldTargets(laidOut, reading.table, property)
        : finerTargets(fieldAt(problem, place), laidOut, reading.table);
    cache.targets[place] = targets;
  }
  return targets;
}

export function satisfiedEverywhere(problem: ChangeProblem, place: number): TermBits {
  return targetsAt(problem, place).everywhere;
}

export function encodedAt({ cache, program, property }: ChangeProblem): Encoded {
  cache.encoded ??= encode(program, property);
  return cache.encoded;
}

/** The cells of a field's axis in which a part holds that depends only on this field. */
export function cellsOfPart(problem: ChangeProblem, part: ChangePart, place: number): CellSet {
  const { program, property, cache } = problem;
  const field = fieldAt(problem, place);
  if (program.axes[part.axis]!.axis === field.axis) return part.cells;
  const byPlace = cache.finer.get(part) ?? new Map<number, CellSet>();
  cache.finer.set(part, byPlace);
  const cells = byPlace.get(place) ?? cellsOn(field, part, program, property);
  byPlace.set(place, cells);
  return cells;
}

/** False if the other side of a test is unknown, or is not a field. */
export function isExact(problem: ChangeProblem, part: ChangePart, place: number): boolean {
  const { program, property } = problem;
  const { test, computed } = program.axes[part.axis]!;
  if (computed) {
    const uses = usesOf(computed, property.vocabulary);
    const changed = fieldAt(problem, place).index;
    // Twice in one number, a field need not move it one way.
    return [...uses].every(([index, count]) => (index === changed ? count === 1 : isSettled(property.values[index])));
  }
  if (!test) return true;
  // A fact compared with itself has one result for every value.
  if (valueFact(test.value)?.fact === test.fact) return true;
  const others = fieldsOfTest(test, property.vocabulary).filter((index) => index !== fieldAt(problem, place).index);
  return others.length > 0 && others.every((index) => isSettled(property.values[index]));
}

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

function isSettled(value: Knowledge): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

/** Undefined if the term cannot hold. */
function changeParts(term: readonly LaidOutPart[], at: Encoded): ChangePart[] | undefined {
  // First pass: reject terms with a part that no change can satisfy.
  for (const { part, isChangeable } of term) if (!isChangeable && standingOf(part, at) === 'fails') return undefined;
  const parts: ChangePart[] = [];
  for (const { part, isChangeable, standing } of term) {
    const state = standingOf(part, at);
    if (isChangeable || state !== 'holds') parts.push(standing[state]);
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
  const programAxis = program.axes[part.axis]!;
  const { axis, index } = field;
  if (programAxis.field >= 0) {
    return setOf(axis.size, (cell) => has(part.cells, programAxis.axis.cellOf(axis.samples[cell])));
  }
  if (programAxis.computed) {
    const { computed } = programAxis;
    return setOf(axis.size, (cell) => {
      const { min, max } = readComputed(computed, sourceWith(property, index, axis.samples[cell] as number));
      return isWithinSet(programAxis.axis.cellsBetween(min, max), part.cells);
    });
  }
  const testCell = createTestCell(programAxis.test!, property.vocabulary);
  const { state, counties, effectiveYear } = property;
  const context = {
    state,
    county: counties?.length === 1 ? counties[0] : undefined,
    policyType: program.policyType,
    effectiveYear,
  };
  return setOf(axis.size, (cell) => {
    const sample = axis.samples[cell] as number | string;
    const answer = testCell((at) => (at === index ? sample : property.values[at]), context);
    return answer >= 0 && has(part.cells, answer);
  });
}

export function canEscape(problem: ChangeProblem, part: ChangePart, field: number): boolean {
  if (part.dependsOn.length > 1) return true;
  return !isWithinSet(fieldAt(problem, field).allowed, cellsOfPart(problem, part, field));
}

/** Terms that hold after any possible change. */
export function immovableTerms(problem: ChangeProblem): TermBits {
  const { layout, reading } = problem;
  const { axes, rows } = reading.table;
  const bits = intersect(reading.certain, problem.unwanted);
  for (let place = 0; place < layout.fields.length; place++) {
    const { axisNumber } = layout.fields[place]!;
    if (axisNumber < 0) continue;
    const { untestedRow } = axes[axisNumber]!;
    // Targets of a field are computed only if some term depends on it.
    let word = 0;
    while (word < bits.length && (bits[word]! & ~rows[untestedRow + word]!) === 0) word++;
    if (word < bits.length) take(bits, satisfiedEverywhere(problem, place), 0);
  }
  for (const axis of layout.tests) {
    for (const bit of bitsOf(bits)) {
      const tested = layout.terms[bit]!.parts.find(({ part }) => part.axis === axis)?.standing.holds;
      if (tested?.dependsOn.some((field) => canEscape(problem, tested, field))) bits[bit >>> 5]! &= ~(1 << (bit & 31));
    }
  }
  return bits;
}
