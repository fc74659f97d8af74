import { cellsOf } from '../compiled/cell-set.ts';
import type { CompiledProgram } from '../compiled/compile-program.ts';
import { cellOfNumber } from '../compiled/encoder.ts';
import { atCertainty } from '../condition/at-certainty.ts';
import { type Reading, readComputed, sourceOfProperty } from '../condition/computed.ts';
import type { Knowledge, Within } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Findings } from '../verdict/findings.ts';
import type { OfferFindings } from '../verdict/offers.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import { placedRow } from './row-places.ts';
import type { RuleAxis, RuleState, RuleTable } from './rule-table.ts';

/** An axis whose cell is not settled. */
export interface LooseAxis {
  readonly axis: RuleAxis;
  /** Terms that hold for every possible value of the axis: `words` words of `every` from `everyFrom`. */
  readonly every: Int32Array;
  readonly everyFrom: number;
  readonly rows: Int32Array;
  readonly isUnknown: boolean;
  /** The range of a computed fact. */
  readonly computed?: Reading;
}

/** Fields that an open status depends on. */
export interface MissingFields {
  readonly names: readonly string[];
  /** True if the status depends on dependent tests that were treated as independent: between two facts, or bound by a relation. */
  readonly conservative: boolean;
}

/** The result of reading a rule table for one property, term by term. */
export interface RuleReading {
  readonly table: RuleTable;
  readonly property: Property;
  readonly state: RuleState;
  /** Terms that hold for some value of the unknown fields, and for every value. */
  readonly possible: Int32Array;
  readonly certain: Int32Array;
  /** For each axis, the first word of its row; -1 if not settled. */
  readonly rowAt: Int32Array;
  readonly loose: readonly LooseAxis[];
  /**
   * Loose axes that may not be independent: tests between two facts and computed facts, and pairs bound by a relation.
   */
  readonly tests: readonly LooseAxis[];
  readonly related: readonly (readonly [LooseAxis, LooseAxis])[];
  /** By the set of loose axes that a status depends on. */
  readonly missing: Map<number, MissingFields>;
  readonly searched: Searched[];
  readonly offers: Map<number, OfferFindings>;
}

/** If the status was settled before, only the rules behind it were searched. */
export interface Searched {
  readonly program: CompiledProgram;
  readonly status: SettledStatus | undefined;
  readonly findings: Findings;
}

/** One AND per axis. Undefined if no carrier offers the policy type in the state. */
export function readRules(table: RuleTable, home: Property): RuleReading | undefined {
  const property = atCertainty(home, table.certainty);
  const state = table.states.get(property.state);
  if (state === undefined) return undefined;
  const { words, rows, axes, places } = table;
  const { values } = property;
  const { fields } = places;
  const possible = new Int32Array(words).fill(-1);
  const rowAt = new Int32Array(axes.length).fill(-1);
  const loose: LooseAxis[] = [];
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index]!;
    const value = field < 0 ? undefined : values[field];
    const isPlaced = typeof value === 'number' || typeof value === 'string';
    let row = isPlaced ? placedRow(places, index, value) : -1;
    if (row < 0) {
      const reading = index === 0 ? placeOf(table, state, property) : rowOf(table, axes[index]!, property);
      if (typeof reading !== 'number') {
        loose.push(reading);
        continue;
      }
      row = reading;
    }
    take(possible, rows, row, words);
    rowAt[index] = row;
  }
  clearMoratoria(table, property, possible);
  const certain = possible.slice();
  for (let index = 0; index < loose.length; index++) {
    const each = loose[index]!;
    take(certain, each.every, each.everyFrom, words);
    if (!each.isUnknown) takeAny(possible, rows, each.rows, words);
  }
  const tests = loose.some(mayDepend) ? loose.filter(mayDepend) : NONE;
  const related = loose.length < 2 ? NONE : relatedPairs(loose, property);
  return {
    table,
    property,
    state,
    possible,
    certain,
    rowAt,
    loose,
    tests,
    related,
    missing: new Map(),
    searched: [],
    offers: new Map(),
  };
}

const NONE: readonly never[] = [];

function mayDepend({ axis }: LooseAxis): boolean {
  return axis.testCell !== undefined || axis.computed !== undefined;
}

function relatedPairs(
  loose: readonly LooseAxis[],
  { vocabulary }: Property,
): readonly (readonly [LooseAxis, LooseAxis])[] {
  const pairs: [LooseAxis, LooseAxis][] = [];
  for (const { lower, higher } of layoutOf(vocabulary).relations) {
    const low = loose.find(({ axis }) => axis.field === lower);
    const high = low && loose.find(({ axis }) => axis.field === higher);
    if (high) pairs.push([low, high]);
  }
  return pairs.length === 0 ? NONE : pairs;
}

function take(into: Int32Array, rows: Int32Array, from: number, words: number): void {
  for (let word = 0; word < words; word++) into[word]! &= rows[from + word]!;
}

function takeAny(into: Int32Array, rows: Int32Array, any: Int32Array, words: number): void {
  for (let word = 0; word < words; word++) {
    let bits = 0;
    for (let index = 0; index < any.length; index++) bits |= rows[any[index]! + word]!;
    into[word]! &= bits;
  }
}

function clearMoratoria({ moratoria }: RuleTable, { asOfMs }: Property, possible: Int32Array): void {
  for (let index = 0; index < moratoria.length; index++) {
    const { word, bit, fromMs, untilMs } = moratoria[index]!;
    if (asOfMs < fromMs || asOfMs >= untilMs) possible[word]! &= ~bit;
  }
}

/** The row of a known county, else all possible rows. */
function placeOf(table: RuleTable, state: RuleState, { counties }: Property): number | LooseAxis {
  const axis = table.axes[0]!;
  if (counties === undefined) return oneOf(table, axis, state.rows);
  if (counties.length === 1) {
    const cell = table.cellByCounty.get(counties[0]!) ?? state.otherCell;
    return cell >= 0 ? axis.rowOfCell[cell]! : oneOf(table, axis, state.rows);
  }
  const rowSet = new Set<number>();
  for (const county of counties) {
    const cell = table.cellByCounty.get(county) ?? state.otherCell;
    if (cell >= 0) rowSet.add(axis.rowOfCell[cell]!);
  }
  const rows = rowSet.size === 0 ? state.rows : Int32Array.from(rowSet);
  return oneOf(table, axis, rows);
}

/** The row of a value, else all possible rows. */
function rowOf(table: RuleTable, axis: RuleAxis, property: Property): number | LooseAxis {
  if (axis.computed) return computedRow(table, axis, axis.computed, property);
  const { encoder, rowOfCell } = axis;
  if (axis.testCell) {
    const cell = testCellOf(table, axis.testCell, property);
    return cell < 0 ? unknown(table, axis) : rowOfCell[cell]!;
  }
  const value = property.values[axis.field];
  if (value === undefined) return unknown(table, axis);
  if (typeof value === 'object') {
    const rows = rowsWithin(axis, value);
    return rows.length === 0 ? unknown(table, axis) : oneOf(table, axis, rows);
  }
  if (encoder!.kind === 'number') return rowOfCell[cellOfNumber(encoder!, value as number)]!;
  const cell = encoder!.kind === 'word' ? encoder!.cells.get(value as string) : undefined;
  return cell === undefined ? unknown(table, axis) : rowOfCell[cell]!;
}

function computedRow(
  table: RuleTable,
  axis: RuleAxis,
  { fact, axis: cells }: NonNullable<RuleAxis['computed']>,
  property: Property,
): number | LooseAxis {
  const computed = readComputed(fact, sourceOfProperty(property));
  const rowSet = new Set<number>();
  for (const cell of cellsOf(cells.cellsBetween(computed.min, computed.max))) rowSet.add(axis.rowOfCell[cell]!);
  const row = oneOf(table, axis, Int32Array.from(rowSet));
  return typeof row === 'number' ? row : { ...row, computed };
}

function testCellOf(table: RuleTable, testCell: NonNullable<RuleAxis['testCell']>, property: Property): number {
  const { policyType, effectiveYear } = table;
  const { counties, state, values } = property;
  const county = counties?.length === 1 ? counties[0] : undefined;
  return testCell((field): Knowledge => values[field], { state, county, policyType, effectiveYear });
}

function unknown({ rows }: RuleTable, axis: RuleAxis): LooseAxis {
  return { axis, every: rows, everyFrom: axis.untestedRow, rows: axis.cellRows, isUnknown: true };
}

/** A single row is settled. */
function oneOf({ rows, words }: RuleTable, axis: RuleAxis, some: Int32Array): number | LooseAxis {
  if (some.length === 1) return some[0]!;
  const every = new Int32Array(words).fill(-1);
  for (let index = 0; index < some.length; index++) take(every, rows, some[index]!, words);
  return { axis, every, everyFrom: 0, rows: some, isUnknown: false };
}

function rowsWithin({ encoder, rowOfCell }: RuleAxis, within: Within): Int32Array {
  const rowSet = new Set<number>();
  if (encoder?.kind === 'word' && within.kind === 'one of') {
    for (const word of within.words) {
      const cell = encoder.cells.get(word);
      if (cell !== undefined) rowSet.add(rowOfCell[cell]!);
    }
  } else if (encoder?.kind === 'number' && within.kind === 'between') {
    const last = cellOfNumber(encoder, within.max);
    for (let cell = cellOfNumber(encoder, within.min); cell <= last; cell++) rowSet.add(rowOfCell[cell]!);
  }
  return Int32Array.from(rowSet);
}
