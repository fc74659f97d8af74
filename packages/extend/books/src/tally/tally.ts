import { type Property, STATUS_CODES, type Vocabulary } from '@leeward/engine';
import { states } from '@leeward/places/counties';
import type { BookColumns } from '../columns/book-columns.ts';
import { createStatusCounter, type StatusCounter } from './status-counter.ts';

/** The counts of a tally, as plain data. */
export interface TallyCounts {
  readonly rows: number;
  /** By state, policy type, carrier and status code, in this order. */
  readonly statuses: Uint32Array;
  /** By reason code: for each carrier, the number of policies that it certainly declines for it. */
  readonly reasons: ReadonlyMap<string, Uint32Array>;
}

/** Counts statuses and reasons while a book is read. */
export interface BookTally {
  /** @param only by row, 1 to count it */
  addStatuses(columns: BookColumns, from: number, rows: number, codes: Uint8Array, only?: Uint8Array): void;
  /**
   * Counts a property that columns cannot hold: its status codes by carrier, and by index of each carrier that certainly declines it,
   * the codes of its reasons.
   */
  addProperty(property: Property, codes: Uint8Array, declines: ReadonlyMap<number, ReadonlySet<string>>): void;
  /** Counts a reason of certain declines. */
  addReason(code: string, carrier: number, count: number): void;
  counts(): TallyCounts;
}

const STATUS_COUNT = STATUS_CODES.length;

/**
 * Creates an empty tally. Its memory does not depend on the number of rows.
 *
 * @example
 * const tally = createTally(homeVocabulary, tables.carrierCount);
 * for (const chunk of readBook(tables, columns, homeVocabulary, { tally }));
 * console.log(summarize(tally.counts(), homeVocabulary, carrierKeys).byReason);
 */
export function createTally(vocabulary: Vocabulary, carrierCount: number): BookTally {
  const types = vocabulary.policyTypes.length;
  const statuses = new Uint32Array(states.length * types * carrierCount * STATUS_COUNT);
  const reasons = new Map<string, Uint32Array>();
  let total = 0;
  let groups = new Int16Array(0);
  let counter: StatusCounter | undefined;
  const countsOf = (name: string): Uint32Array => {
    const counts = reasons.get(name) ?? new Uint32Array(carrierCount);
    reasons.set(name, counts);
    return counts;
  };
  return {
    addStatuses({ county, state, policyType }, from, rows, codes, only) {
      if (groups.length < rows) groups = new Int16Array(rows);
      for (let row = 0; row < rows; row++) {
        const isRead = only === undefined || only[from + row] === 1;
        if (isRead) total += 1;
        // A row whose county is not in its state has no status.
        const isCounted = isRead && county[from + row] !== -1;
        groups[row] = isCounted ? state[from + row]! * types + policyType[from + row]! : -1;
      }
      counter ??= createStatusCounter(carrierCount, states.length * types);
      counter.add(codes, rows, groups, statuses);
    },
    addProperty(property, codes, declines) {
      total += 1;
      if (property.counties?.length === 0) return;
      const state = states.findIndex(({ code }) => code === property.state);
      const type = vocabulary.policyTypes.indexOf(property.policyType ?? '');
      const base = (state * types + type) * carrierCount;
      for (let carrier = 0; carrier < carrierCount; carrier++)
        statuses[(base + carrier) * STATUS_COUNT + codes[carrier]!]!++;
      for (const [carrier, names] of declines) for (const name of names) countsOf(name)[carrier]!++;
    },
    addReason(code, carrier, count) {
      countsOf(code)[carrier]! += count;
    },
    counts: () => ({ rows: total, statuses, reasons }),
  };
}

/**
 * Adds up the tallies of parts of a book.
 *
 * @example
 * const total = mergeTallies([first.counts(), second.counts()]);
 */
export function mergeTallies(parts: readonly TallyCounts[]): TallyCounts {
  const [first] = parts;
  if (!first) return { rows: 0, statuses: new Uint32Array(0), reasons: new Map() };
  const statuses = new Uint32Array(first.statuses.length);
  const reasons = new Map<string, Uint32Array>();
  let rows = 0;
  for (const part of parts) {
    rows += part.rows;
    for (let index = 0; index < statuses.length; index++) statuses[index]! += part.statuses[index]!;
    for (const [code, counts] of part.reasons) {
      const sum = reasons.get(code) ?? new Uint32Array(counts.length);
      for (let index = 0; index < counts.length; index++) sum[index]! += counts[index]!;
      reasons.set(code, sum);
    }
  }
  return { rows, statuses, reasons };
}

/** Number of answers by status. */
export type StatusCounts = Readonly<Record<(typeof STATUS_CODES)[number], number>>;

/** The counts of a tally by carrier key, lower-case state, policy type and reason code. */
export interface BookSummary {
  readonly rows: number;
  readonly byCarrier: Readonly<Record<string, StatusCounts>>;
  readonly byState: Readonly<Record<string, StatusCounts>>;
  readonly byPolicyType: Readonly<Record<string, StatusCounts>>;
  /** Certain declines by reason code. A decline with two codes counts for both. */
  readonly byReason: Readonly<Record<string, number>>;
  readonly byReasonAndCarrier: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * Names the counts of a tally.
 *
 * @example
 * const { byCarrier } = summarize(tally.counts(), homeVocabulary, catalog.carriers.map(({ key }) => key));
 */
export function summarize(counts: TallyCounts, vocabulary: Vocabulary, carrierKeys: readonly string[]): BookSummary {
  const empty = (): Record<string, number> => Object.fromEntries(STATUS_CODES.map((status) => [status, 0]));
  const byCarrier = new Map<string, Record<string, number>>();
  const byState = new Map<string, Record<string, number>>();
  const byPolicyType = new Map<string, Record<string, number>>();
  const add = (map: Map<string, Record<string, number>>, key: string, status: string, count: number) => {
    const entry = map.get(key) ?? empty();
    entry[status]! += count;
    map.set(key, entry);
  };
  let at = 0;
  for (const state of states) {
    for (const policyType of vocabulary.policyTypes) {
      for (const carrier of carrierKeys) {
        for (const status of STATUS_CODES) {
          const count = counts.statuses[at++]!;
          if (count === 0) continue;
          add(byCarrier, carrier, status, count);
          add(byState, state.code, status, count);
          add(byPolicyType, policyType, status, count);
        }
      }
    }
  }
  const sorted = [...counts.reasons]
    .map(([code, each]) => ({ code, each, sum: each.reduce((sum, count) => sum + count, 0) }))
    .sort((a, b) => b.sum - a.sum);
  const toRecord = (map: Map<string, Record<string, number>>) =>
    Object.fromEntries(map) as Record<string, StatusCounts>;
  return {
    rows: counts.rows,
    byCarrier: toRecord(byCarrier),
    byState: toRecord(byState),
    byPolicyType: toRecord(byPolicyType),
    byReason: Object.fromEntries(sorted.map(({ code, sum }) => [code, sum])),
    byReasonAndCarrier: Object.fromEntries(
      sorted.map(({ code, each }) => [
        code,
        Object.fromEntries(carrierKeys.flatMap((key, index) => (each[index]! > 0 ? [[key, each[index]!]] : []))),
      ]),
    ),
  };
}
