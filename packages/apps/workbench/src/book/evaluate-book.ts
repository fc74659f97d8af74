import {
  type BookCounts,
  carriersOfCatalog,
  createBookEvaluator,
  type EvaluatedBatch,
  summarize,
  writeReject,
} from '@leeward/books/evaluate';
import type { Catalog, Vocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { countyByFips } from '@leeward/places/counties';
import { policyStatuses } from '../design/policy-statuses.ts';
import { countAnswers } from '../evaluate/count-answers.ts';
import type {
  BookQuestion,
  Counts,
  CountyOfBook,
  EvaluatedBook,
  ListedPolicies,
  PolicySelection,
  RefusedRow,
} from '../evaluate/evaluator-messages.ts';
import { createKeptPolicies } from './kept-policies.ts';
import { readBook } from './read-book.ts';
import { readRow } from './read-row.ts';

export interface KeptBook {
  readonly overview: EvaluatedBook;
  /** A row per row of the book with all statuses; empty for a rejected row. */
  statuses(): Blob;
  /** An object per rejected row, with its faults. */
  rejects(): Blob;
  policies(selection: PolicySelection): Promise<ListedPolicies>;
  policyFile(selection: PolicySelection): Promise<Blob>;
}

/** Rows whose missing fields are counted. Each takes some milliseconds. */
const SAMPLED_ROWS = 100;
/** Length of an ordinary row, to estimate the number of rows. */
const BYTES_PER_ROW = 100;
const MAX_SHOWN = 100;
const SHOWN_CHARACTERS = 300;

/**
 * Evaluates a file with all carriers. The data stays in the page.
 * @throws `BookFileError` if the file is not a book.
 */
export async function evaluateBook(
  catalog: Catalog,
  { file, asOf, effectiveDate, columns }: BookQuestion,
  onRead: (bytes: number) => void,
): Promise<KeptBook> {
  const began = performance.now();
  const carriers = carriersOfCatalog(catalog);
  const now = new Date(asOf);
  const { map, keep = [] } = columns ?? {};
  const isKept = (name: string) => keep.some((column) => column.name === name);
  const read = (progress: typeof onRead) =>
    readBook(file, { vocabulary: catalog.vocabulary, map, isKept, onRead: progress });
  const book = await read(onRead);
  const options = {
    carriers,
    format: book.format,
    name: file.name,
    asOf: now,
    effectiveDate,
    ...(map && { map }),
    readRow: readRow(now),
  };
  const questionShare = Math.min(1, (SAMPLED_ROWS * BYTES_PER_ROW) / Math.max(1, file.size));
  const evaluator = createBookEvaluator({ ...options, countsReasons: true, questionShare });
  const policies = createKeptPolicies(catalog.vocabulary, carriers.carrierKeys, keep);
  const rejected: EvaluatedBatch['rejected'][] = [];
  const takers: Takers = {
    byCarriers: new Array<number>(carriers.carrierKeys.length + 1).fill(0),
    open: 0,
    byCounty: new Map(),
  };
  const width = carriers.carrierKeys.length;
  for await (const batch of book.batches) {
    const evaluated = await evaluator.evaluate(batch);
    countTakers(evaluated, width, takers);
    policies.add(batch, evaluated);
    if (evaluated.rejected.size > 0) rejected.push(evaluated.rejected);
  }
  /** Reads the book again: to keep the reasons of all rows would take more memory than the book. */
  const declinedFor = async (code: string): Promise<readonly Uint8Array[]> => {
    const marker = createBookEvaluator({ ...options, listsReason: code });
    const marks: Uint8Array[] = [];
    for await (const batch of (await read(() => {})).batches) marks.push((await marker.evaluate(batch)).declined!);
    return marks;
  };
  let lastDeclined: { readonly code: string; readonly marks: Promise<readonly Uint8Array[]> } | undefined;
  const marksOf = (selection: PolicySelection) => {
    if (selection.kind !== 'reason') return undefined;
    const { code } = selection;
    if (lastDeclined?.code !== code) {
      lastDeclined = { code, marks: declinedFor(code) };
      // The file may have been changed or moved: read it again the next time.
      lastDeclined.marks.catch(() => {
        lastDeclined = undefined;
      });
    }
    return lastDeclined.marks;
  };
  const counts = evaluator.counts();
  const refused = rejected.flatMap((rows) => [...rows.values()]);
  return {
    overview: overviewOf(counts, {
      catalog,
      name: file.name,
      refused,
      takers,
      seconds: (performance.now() - began) / 1000,
    }),
    statuses: () => policies.statuses(),
    policies: async (selection) => policies.list(selection, await marksOf(selection)),
    policyFile: async (selection) => policies.file(selection, await marksOf(selection)),
    rejects: () =>
      new Blob(
        refused.map((row) => `${writeReject(row)}\n`),
        { type: 'application/x-ndjson' },
      ),
  };
}

/** Policies by the number of carriers that take or refer them, those that are open, and both by county. */
interface Takers {
  readonly byCarriers: number[];
  open: number;
  readonly byCounty: Map<number, { policies: number; withTaker: number; open: number }>;
}

function countTakers({ rows, codes, rejected, counties }: EvaluatedBatch, width: number, takers: Takers): void {
  const { byCarriers, byCounty } = takers;
  for (let row = 0; row < rows; row++) {
    if (rejected.has(row)) continue;
    const { takes, could } = countAnswers(codes, row * width, (row + 1) * width);
    const isOpen = takes === 0 && could > 0;
    byCarriers[takes]! += 1;
    if (isOpen) takers.open += 1;
    const fips = counties[row]!;
    if (fips <= 0) continue;
    const existing = byCounty.get(fips);
    const county = existing ?? { policies: 0, withTaker: 0, open: 0 };
    if (!existing) byCounty.set(fips, county);
    county.policies += 1;
    if (takes > 0) county.withTaker += 1;
    if (isOpen) county.open += 1;
  }
}

function countiesOfBook(byCounty: Takers['byCounty']): readonly CountyOfBook[] {
  return [...byCounty]
    .map(([number, { policies, withTaker, open }]) => {
      const fips = String(number).padStart(5, '0');
      const county = countyByFips(fips);
      return {
        fips,
        name: county ? `${county.label}, ${county.state.toUpperCase()}` : fips,
        policies,
        withTaker,
        open,
      };
    })
    .sort((a, b) => b.policies - a.policies);
}

interface OverviewParts {
  readonly catalog: Catalog;
  readonly name: string;
  readonly refused: readonly {
    readonly row: number;
    readonly line: number | undefined;
    readonly faults: readonly { readonly message: string }[];
    readonly input: unknown;
  }[];
  readonly takers: Takers;
  readonly seconds: number;
}

function overviewOf(counts: BookCounts, { catalog, name, refused, takers, seconds }: OverviewParts): EvaluatedBook {
  const { vocabulary, carriers } = catalog;
  const keys = carriers.map(({ key }) => key);
  const summary = summarize(counts.tally, vocabulary, keys);
  const ordered = (each: Readonly<Record<string, number>> | undefined): Counts =>
    policyStatuses.map((status) => each?.[status] ?? 0);
  const listed = (all: Readonly<Record<string, Readonly<Record<string, number>>>>) =>
    Object.entries(all).map(([key, each]) => [key, ordered(each)] as const);
  const byNumber = (entries: Iterable<readonly [string, number]>) => [...entries].sort(([, a], [, b]) => b - a);
  return {
    name,
    rows: counts.rows,
    rejected: counts.rejected,
    refused: refused.slice(0, MAX_SHOWN).map(
      ({ row, line, faults, input }): RefusedRow => ({
        row,
        line,
        messages: faults.map(({ message }) => message),
        text: (typeof input === 'string' ? input : JSON.stringify(input)).slice(0, SHOWN_CHARACTERS),
      }),
    ),
    effectiveDates: byNumber(counts.effectiveDates),
    warnings: byNumber(counts.warnings),
    carriers: carriers.map(({ key, name: carrier }) => ({
      key,
      name: carrier,
      counts: ordered(summary.byCarrier[key]),
    })),
    states: listed(summary.byState),
    policyTypes: listed(summary.byPolicyType),
    reasons: byNumber(Object.entries(summary.byReason)),
    takers: takers.byCarriers,
    open: takers.open,
    counties: countiesOfBook(takers.byCounty),
    settling: settlingOf(counts, vocabulary),
    seconds,
  };
}

const MAX_SETTLING = 3;

function settlingOf({ openQuestions }: BookCounts, vocabulary: Vocabulary): EvaluatedBook['settling'] {
  const { openRows, usefulRows } = openQuestions;
  return [...usefulRows]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_SETTLING)
    .map(([field, rows]) => [labelOf(field, vocabulary), rows / openRows]);
}
