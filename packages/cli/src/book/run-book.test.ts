import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRequest, STATUS_CODES } from '@leeward/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { openHomeRows } from '../homes/open-home-rows.ts';
import { readBookHomes } from '../homes/read-book-homes.ts';
import { createLineFile } from '../rows/line-file.ts';
import { runBook } from './run-book.ts';

const asOf = new Date('2026-11-20T12:00:00Z');
const effectiveDate = '2026-11-20';
const catalog = readCatalog(demoCarriersFolder(), '.');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leeward-book-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const homes = Array.from({ length: 5000 }, (_, index) => ({
  state: index % 2 === 0 ? 'tx' : 'fl',
  county: index % 2 === 0 ? 'harris' : 'broward',
  policy_type: ['ho3', 'HO-5', 'dp3', ' wind only '][index % 4],
  year_built: 1950 + (index % 70),
  dwelling_a: 150_000 + 1000 * (index % 400),
  ...(index % 3 === 0 ? {} : { roof_age: index % 20, roof_type: '3-tab shingle' }),
}));

async function run(path: string, signal = new AbortController().signal, onRows: (rows: number) => void = () => {}) {
  const results = createLineFile(join(folder, 'results.ndjson'));
  const rejects = createLineFile(join(folder, 'rejects.ndjson'));
  const { rows } = await openHomeRows(path, 'homes');
  const distance = () => Promise.reject(new Error('No home of this book has a place.'));
  const homes = readBookHomes(rows, { asOf, effectiveDate, vocabulary: catalog.vocabulary, distance });
  const outcome = await runBook({ catalog, homes, asOf, results, rejects, signal, onRows });
  return { outcome, results, rejects };
}

describe('a run over a book', () => {
  it('says of every row what the catalog says, from NDJSON', async () => {
    const path = join(folder, 'homes.ndjson');
    writeFileSync(path, homes.map((home) => JSON.stringify(home)).join('\r\n'));
    const { outcome, results, rejects } = await run(path);
    results.finish();
    rejects.finish();
    expect(outcome).toMatchObject({ rejected: 0, isCancelled: false, summary: { rows: homes.length } });
    const lines = readFileSync(join(folder, 'results.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(homes.length);
    lines.forEach((text, index) => {
      const { line, ...statuses } = JSON.parse(text) as { line: number } & Record<string, string[]>;
      expect(line).toBe(index + 1);
      const parsed = parseRequest({ ...homes[index], effective_date: effectiveDate }, { now: asOf });
      if (!parsed.ok) throw new Error('a home that does not fit');
      catalog.statusCodes(parsed.request.property).forEach((code, carrier) => {
        const status = STATUS_CODES[code]!;
        if (status !== 'not_offered') expect(statuses[status]).toContain(catalog.carriers[carrier]!.key);
      });
    });
    expect(existsSync(join(folder, 'rejects.ndjson'))).toBe(false);
  });

  it('reads CSV, sends bad rows to the rejects with their line, and goes on', async () => {
    const path = join(folder, 'homes.csv');
    writeFileSync(
      path,
      [
        '\uFEFFState,County,policy_type,year_built,roof_age,roof_type',
        'tx,harris,ho3,1987,22,3-tab shingle',
        'tx,harris,ho3,1987,22',
        'tx,"harris",ho3,1987,,',
        'tx,harris,,1987,,',
        'zz,harris,ho3,87,,',
        'Florida,"Miami-Dade",HO-3,1987,"250,000",tile',
      ].join('\n'),
    );
    const { outcome, results, rejects } = await run(path);
    results.finish();
    rejects.finish();
    expect(outcome.summary.rows).toBe(2);
    const rejected = readFileSync(join(folder, 'rejects.ndjson'), 'utf8').trimEnd().split('\n');
    expect(rejected.map((text) => (JSON.parse(text) as { line: number }).line)).toEqual([3, 5, 6, 7]);
    expect(rejected[3]).toContain('/roof_age');
  });

  it('stops when told to, leaving whole lines under another name', async () => {
    const path = join(folder, 'homes.ndjson');
    writeFileSync(path, homes.map((home) => JSON.stringify(home)).join('\n'));
    const cancelled = new AbortController();
    const { outcome, results } = await run(path, cancelled.signal, () => cancelled.abort());
    expect(outcome.isCancelled).toBe(true);
    expect(outcome.summary.rows).toBeLessThan(homes.length);
    const kept = results.keepPartial()!;
    expect(existsSync(join(folder, 'results.ndjson'))).toBe(false);
    const lines = readFileSync(kept, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBe(outcome.summary.rows);
    expect(() => lines.map((line) => JSON.parse(line) as unknown)).not.toThrow();
  });
});
