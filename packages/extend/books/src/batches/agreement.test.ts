import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog, parseRequest, STATUS_CODES, type Verdict } from '@leeward/engine';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { openBook } from '../open-book.ts';
import { asRequest, oddRows, randomRow, withDates } from '../testing/random-rows.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { bookKinds, writeBook } from '../testing/write-books.ts';
import { carriersOfCatalog } from './book-carriers.ts';
import { createBookEvaluator } from './book-evaluator.ts';

const fixtures = join(import.meta.dirname, '../../../../../fixtures/carriers');
const catalog = createCatalog(
  readdirSync(fixtures).map((key) => ({
    file: JSON.parse(readFileSync(join(fixtures, key, 'rule-set.json'), 'utf8')) as unknown,
  })),
);
const keys = catalog.carriers.map(({ key }) => key);
const folder = mkdtempSync(join(tmpdir(), 'leeward-books-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows per format and date, in addition to the rows with every odd value. */
const ROWS = Number(process.env['LEEWARD_BOOK_ROWS'] ?? testVolume(20));

const dates = [
  ['2026-11-20T12:00:00Z', undefined],
  // The evening before in most states, and another year in all of them but Guam.
  ['2027-01-01T01:00:00Z', undefined],
  ['2026-11-20T12:00:00Z', '2025-07-01'],
] as const;

const byRow = new Map<string, ReturnType<typeof decide>>();

/** Cached, because books of several formats have the same rows. */
function decided(body: Record<string, unknown>, asOf: string, effectiveDate: string | undefined) {
  const row = JSON.stringify([body, asOf, effectiveDate]);
  const known = byRow.get(row) ?? decide(body, asOf, effectiveDate);
  byRow.set(row, known);
  return known;
}

/** The status of every carrier by `decide`, at the row's instant, with one date for all rows if given. */
function decide(body: Record<string, unknown>, asOf: string, effectiveDate: string | undefined) {
  const asked = { ...asRequest(body), ...(effectiveDate === undefined ? {} : { effective_date: effectiveDate }) };
  const now = new Date(asOf);
  const strict = parseRequest(asked, { now });
  const isRoofAlone =
    !strict.ok && strict.faults.every(({ path, code }) => code === 'required_with' && path.startsWith('/roof_'));
  // A book takes a lone age or type of a roof as unknown, where a request is refused.
  const parsed = isRoofAlone ? parseRequest({ ...asked, roof_age: null, roof_type: null }, { now }) : strict;
  if (!parsed.ok) return { faults: strict.ok ? [] : strict.faults };
  if (parsed.request.property.policyType === undefined) return { faults: [{ path: '/policy_type', code: 'required' }] };
  const byKey = new Map<string, Verdict>();
  for (const verdict of catalog.decideSync(parsed.request.property).verdicts) byKey.set(verdict.carrierKey, verdict);
  return {
    statuses: keys.map((key) => byKey.get(key)?.status ?? 'not_offered'),
    warnings: new Set([...parsed.request.warnings.map(({ code }) => code), ...(isRoofAlone ? ['given_alone'] : [])]),
  };
}

describe.each(bookKinds)('a book as %s', (kind) => {
  it.each(dates.map((date, part) => [...date, part] as const))(
    'gives each row the faults and statuses of parseRequest and decide (as of %s, effective %s)',
    async (asOf, effectiveDate, part) => {
      const random = createRandom(Number(process.env['LEEWARD_BOOK_SEED'] ?? 7));
      const path = join(folder, kind.replaceAll(' ', '-'));
      const rows = writeBook(path, kind, [
        ...oddRows(random, part, dates.length),
        ...Array.from({ length: ROWS }, () => withDates(randomRow(random), random)),
      ]);
      const source = await openBook(
        path,
        kind.startsWith('parquet') || kind.startsWith('arrow') ? {} : { format: kind as 'csv' },
      );
      const options = {
        carriers: carriersOfCatalog(catalog),
        format: source.format,
        name: kind,
        asOf: new Date(asOf),
        effectiveDate,
        readRow: readOnceAt(new Date(asOf)),
      };
      const evaluator = createBookEvaluator(options);
      const warnings = new Map<string, number>();
      let next = 0;
      let rejected = 0;
      for await (const batch of source.batches({ isWanted: evaluator.isWanted })) {
        const judged = await evaluator.evaluate(batch);
        expect(judged.firstRow).toEqual(next);
        for (let row = 0; row < batch.rows; row++, next++) {
          const wanted = decided(rows[next]!, asOf, effectiveDate);
          const shown = JSON.stringify(rows[next]);
          if (wanted.faults) {
            rejected++;
            const found = judged.rejected.get(row);
            expect([shown, found?.row, found?.faults.map(({ path, code }) => ({ path, code }))]).toEqual([
              shown,
              next + 1,
              wanted.faults.map(({ path, code }) => ({ path, code })),
            ]);
            continue;
          }
          const codes = [...judged.codes.subarray(row * keys.length, (row + 1) * keys.length)];
          const found = codes.map((code) => STATUS_CODES[code]!);
          if (found.some((status, carrier) => status !== wanted.statuses[carrier]))
            expect([shown, found]).toEqual([shown, wanted.statuses]);
          for (const code of wanted.warnings) warnings.set(code, (warnings.get(code) ?? 0) + 1);
        }
      }
      await source.close();
      expect(next).toBe(rows.length);
      expect(rejected).toBeGreaterThan(0);
      const counts = evaluator.counts();
      expect([counts.rows, counts.rejected]).toEqual([rows.length, rejected]);
      expect(Object.fromEntries(counts.warnings)).toEqual(Object.fromEntries(warnings));
    },
  );
});
