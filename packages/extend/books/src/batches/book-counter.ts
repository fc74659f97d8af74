import type { Vocabulary } from '@leeward/engine';
import { countRecent } from '@leeward/engine/compiled';
import type { BookColumns, ListColumn } from '../columns/book-columns.ts';
import { momentOfRow } from '../columns/property-of-row.ts';
import { cellOf, type RawBatch } from '../source/raw-batch.ts';
import { type BookTally, createTally, type TallyCounts } from '../tally/tally.ts';
import { OpenQuestionCounter, type OpenQuestions } from './open-questions.ts';
import type { RejectedRow } from './single-rows.ts';
import type { DatedBatch } from './year-reader.ts';

/** The counts of all batches of a book. */
export interface BookCounts {
  readonly tally: TallyCounts;
  readonly rows: number;
  readonly rejected: number;
  /** Number of policies by effective date. */
  readonly effectiveDates: ReadonlyMap<string, number>;
  /** Number of policies by the code of a warning. */
  readonly warnings: ReadonlyMap<string, number>;
  /** Answers that a missing field alone would settle, in the sampled rows. */
  readonly openQuestions: OpenQuestions;
  /** Number of rejected rows by field and code of a fault: `/roof_age out_of_range`. */
  readonly faults: ReadonlyMap<string, number>;
}

type CountedBy = Parameters<typeof countRecent>[1];

export class BookCounter {
  readonly tally: BookTally;
  readonly openQuestions = new OpenQuestionCounter();
  rows = 0;
  rejected = 0;
  readonly #vocabulary: Vocabulary;
  readonly #warnings = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #effectiveDates = new Map<string, number>();

  constructor(vocabulary: Vocabulary, carrierCount: number) {
    this.#vocabulary = vocabulary;
    this.tally = createTally(vocabulary, carrierCount);
  }

  addEffectiveDate(date: string, policies: number): void {
    add(this.#effectiveDates, date, policies);
  }

  addWarning(code: string, policies: number): void {
    add(this.#warnings, code, policies);
  }

  addRejected({ faults }: RejectedRow): void {
    this.rejected += 1;
    for (const name of new Set(faults.map(({ path, code }) => `${path} ${code}`.trim()))) add(this.#faults, name, 1);
  }

  /** Adds the warnings that `parseRequest` would give for the rows that columns hold. */
  addColumnWarnings(batch: RawBatch, read: DatedBatch): void {
    const { rows } = batch;
    const { columns, doubtful } = read;
    const { relations, fields, lists = [] } = this.#vocabulary;
    const { county } = columns;
    let elsewhere = 0;
    let ambiguous = 0;
    for (let row = 0; row < rows; row++) {
      if (county[row]! >= 0 || doubtful[row] === 1) continue;
      if (county[row] === -1) elsewhere += 1;
      else ambiguous += 1;
    }
    this.addWarning('county_not_in_state', elsewhere);
    this.addWarning('ambiguous_county', ambiguous);
    const inconsistent = new Uint8Array(rows);
    const columnOf = (name: string) => columns.fields[fields.findIndex((field) => field.name === name)]!;
    for (const { lower, higher } of relations) {
      const [low, high] = [columnOf(lower), columnOf(higher)];
      for (let row = 0; row < rows; row++) if (high[row]! < low[row]!) inconsistent[row] = 1;
    }
    lists.forEach((list, place) => {
      if (list.countedBy && columns.lists[place])
        markMiscounted(columns.lists[place], list.countedBy, columnOf(list.countedBy.field), columns, inconsistent);
    });
    this.addWarning('age_with_earlier_date', countEarlierAges(batch, read, this.#vocabulary));
    this.addWarning('inconsistent', markedRows(inconsistent, rows).filter((row) => doubtful[row] === 0).length);
  }

  counts(): BookCounts {
    return {
      tally: this.tally.counts(),
      rows: this.rows,
      rejected: this.rejected,
      effectiveDates: this.#effectiveDates,
      warnings: this.#warnings,
      faults: this.#faults,
      openQuestions: this.openQuestions,
    };
  }
}

/** Marks rows whose list has more or fewer items than the field that counts them. */
function markMiscounted(
  { lists, places }: ListColumn,
  countedBy: CountedBy,
  counts: ArrayLike<number>,
  columns: BookColumns,
  marks: Uint8Array,
): void {
  for (let row = 0; row < marks.length; row++) {
    const items = lists[places[row]!];
    if (!items || Number.isNaN(counts[row]!)) continue;
    const [min, max] = countRecent(items, countedBy, momentOfRow(columns, row).effectiveDate);
    if (counts[row]! < min || counts[row]! > max) marks[row] = 1;
  }
}

/**
 * Number of rows that columns hold with an age and evidence of an earlier year: it may be the age in that year. `parseRequest` warns
 * of these.
 */
function countEarlierAges(batch: RawBatch, read: DatedBatch, { fields, derivedFacts }: Vocabulary): number {
  const { columns, doubtful, when } = read;
  const marks = new Set<number>();
  for (const [subject, evidence] of columns.evidence ?? []) {
    const place = fields.findIndex(({ name }) => name === subject);
    const age = fields[place]?.requestName;
    if (!derivedFacts.some(({ name, field }) => name === age && field === subject)) continue;
    const column = read.fields.find(({ field }) => field === age);
    if (!column) continue;
    for (let row = 0; row < batch.rows; row++) {
      const asOf = doubtful[row] === 0 ? evidence[row]?.asOf : undefined;
      if (asOf === undefined) continue;
      const year = Number(when.moments[when.ofRow?.[row] ?? 0]!.effectiveDate.slice(0, 4));
      if (Number(asOf.slice(0, 4)) >= year) continue;
      const cell = column.place < 0 ? column.constant : cellOf(batch.columns[column.place], row);
      const input = column.convert ? column.convert(cell) : cell;
      if (typeof input === 'number' && columns.fields[place]![row] === year - input) marks.add(row);
    }
  }
  return marks.size;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

/** The rows whose mark is 1. Marks are rare, so they are searched for. */
export function markedRows(marks: Uint8Array, rows: number): number[] {
  const all = marks.subarray(0, rows);
  const marked: number[] = [];
  for (let row = all.indexOf(1); row >= 0; row = all.indexOf(1, row + 1)) marked.push(row);
  return marked;
}
