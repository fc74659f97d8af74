import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Int32, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { fewCarriers } from '../testing/few-carriers.ts';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const words = ['--as-of', '2026-11-20T12:00:00Z', '--threads', '1'];
const homes = Array.from({ length: 3000 }, (_, index) => ({
  state: index % 2 === 0 ? 'tx' : 'fl',
  county: index % 2 === 0 ? 'harris' : 'broward',
  policy_type: ['ho3', 'HO-5', 'dp3', ' wind only '][index % 4],
  year_built: 1950 + (index % 70),
  dwelling_a: index % 500 === 3 ? 'a lot' : 150_000 + 1000 * (index % 400),
  ...(index % 3 === 0 ? {} : { roof_age: index % 20, roof_type: '3-tab shingle' }),
}));
const ndjson = homes.map((home) => `${JSON.stringify(home)}\n`).join('');

interface Summary {
  readonly rows: number;
  readonly rejected: number;
  readonly carriers: readonly { readonly carrier_key: string; readonly counts: Readonly<Record<string, number>> }[];
}

const few = fewCarriers();
afterAll(() => few[Symbol.dispose]());
const { environment } = few;

describe('book run', () => {
  it('writes the same summary for every format of statuses', async () => {
    using folder = temporaryFolder({ 'book.ndjson': ndjson });
    const summaries = new Set<string>();
    for (const format of ['parquet', 'arrow', 'csv', 'ndjson']) {
      const out = `out.${format}`;
      const line = ['book', 'run', 'book.ndjson', '--out', out, '--summary', 'summary.json', '--parts', '3', ...words];
      const { code, errors } = await runWords(line, { folder: folder.path, environment });
      expect([code, errors]).toEqual([0, expect.stringContaining('6 bad rows are in book.ndjson.rejects.ndjson')]);
      summaries.add(readFileSync(join(folder.path, 'summary.json'), 'utf8'));
      const again = await runWords(['book', 'run', out, ...words], { folder: folder.path, environment: oneCarrier });
      // Readable, but without a state column.
      expect(again.errors).toMatch(format === 'ndjson' ? /No row of/ : /columns "row", .* are not fields/);
    }
    expect(summaries.size).toBe(1);
    const { rows, rejected, carriers } = JSON.parse([...summaries][0]!) as Summary;
    expect([rows, rejected]).toEqual([3000, 6]);
    for (const { counts } of carriers) {
      expect(Object.keys(counts)).toEqual(['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered']);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(2994);
    }
    const lines = readFileSync(join(folder.path, 'out.ndjson'), 'utf8').trimEnd().split('\n');
    const statuses = lines.map((line) => JSON.parse(line) as { row: number; statuses?: Record<string, string> });
    expect(statuses.map(({ row }) => row)).toEqual(homes.map((_, index) => index + 1));
    const eligible = statuses.filter((row) => row.statuses?.[carriers[0]!.carrier_key] === 'eligible').length;
    expect(eligible).toBe(carriers[0]!.counts['eligible']);
    expect(readdirSync(folder.path).sort()).toEqual(
      [
        'book.ndjson',
        'book.ndjson.rejects.ndjson',
        'out.arrow',
        'out.arrow.rejects.ndjson',
        'out.csv',
        'out.csv.rejects.ndjson',
      ]
        .concat([
          'out.ndjson',
          'out.ndjson.rejects.ndjson',
          'out.parquet',
          'out.parquet.rejects.ndjson',
          'summary.json',
        ])
        .filter((name) => existsSync(join(folder.path, name))),
    );
  });

  it('writes the long form in every format alike, however many parts it is written in', async () => {
    // Three batches, so that there can be parts.
    const batches = [0, 1, 2].map((batch) => {
      const some = homes.slice(batch * 300, batch * 300 + 300);
      const column = (name: 'state' | 'policy_type') =>
        vectorFromArray(
          some.map((home) => home[name]!),
          new Utf8(),
        );
      const built = vectorFromArray(
        some.map(({ year_built }) => year_built),
        new Int32(),
      );
      return new Table({ state: column('state'), policy_type: column('policy_type'), year_built: built });
    });
    using folder = temporaryFolder({ 'book.arrow': '' });
    writeFileSync(join(folder.path, 'book.arrow'), tableToIPC(batches[0]!.concat(...batches.slice(1)), 'file'));
    const at = (name: string) => join(folder.path, name);
    const long = async (out: string, parts: string) => {
      const given = ['run', 'book.arrow', '--long', '--out', out, '--parts', parts, ...words];
      expect(await runWords(['book', ...given], { folder: folder.path, environment })).toMatchObject({ code: 0 });
    };
    await long('out.csv', '1');
    const wanted = readFileSync(at('out.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 4));
    expect(wanted.length).toBeGreaterThan(900);
    expect(wanted.some(([, , status, codes]) => status === 'ineligible' && codes !== '')).toBe(true);
    for (const parts of ['1', '3']) {
      await long(`${parts}.parquet`, parts);
      const file = await asyncBufferFromFile(at(`${parts}.parquet`));
      const rows = await parquetReadObjects({ file });
      expect(rows.map(({ row, carrier_key, status, codes }) => [String(row), carrier_key, status, codes])).toEqual(
        wanted,
      );
      await long(`${parts}.arrow`, parts);
      const lines = tableFromIPC(readFileSync(at(`${parts}.arrow`))).toArray();
      expect(lines.map((each) => [String(each.row), each.carrier_key, each.status, each.codes])).toEqual(wanted);
    }
    const nowhere = await runWords(['book', 'run', 'book.arrow', '--long', ...words], { folder: folder.path });
    expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining('--long concerns the output') });
  });

  it('writes fields, types and faults in words, also with --restart and without an output', async () => {
    const rows = [...homes.slice(0, 4), { state: 'tx', policy_type: 'ho3', roof_type: 'tile' }];
    using folder = temporaryFolder({ 'book.ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join('') });
    const line = ['book', 'run', 'book.ndjson', '--restart', ...words];
    const { code, output, errors } = await runWords(line, { folder: folder.path, environment });
    expect(code).toBe(0);
    expect(output).toMatch(/ TX .* HO3 /s);
    expect(errors).toContain('dwelling coverage A invalid number 1');
    expect(errors).toContain('Warnings: value given without its pair, so unknown 1.');
  });

  it('resumes a stopped run, and refuses one of other inputs', async () => {
    using folder = temporaryFolder({ 'book.ndjson': ndjson });
    const line = ['book', 'run', 'book.ndjson', '--out', 'out.parquet', '--parts', '4', ...words];
    const given = { folder: folder.path, environment: oneCarrier };
    const whole = await runWords(line, given);
    expect(whole.code).toBe(0);
    const bytes = readFileSync(join(folder.path, 'out.parquet'));
    await runWords(['book', 'run', 'book.ndjson', '--out', 'out.parquet', ...words], given);
    expect(readFileSync(join(folder.path, 'out.parquet')).length).toBeGreaterThan(0);
    writeFileSync(join(folder.path, 'nothing.ndjson'), '{"state":"zz"}\n');
    const bad = await runWords(['book', 'run', 'nothing.ndjson', '--out', 'bad.csv', ...words], given);
    expect([bad.code, bad.errors]).toEqual([1, expect.stringContaining('No row of nothing.ndjson was evaluated.')]);
    writeFileSync(join(folder.path, 'misspelled.csv'), 'stat,policy_type\ntx,ho3\n');
    const misspelled = await runWords(['book', 'run', 'misspelled.csv', '--out', 'mended.csv', ...words], given);
    expect([misspelled.code, misspelled.errors]).toEqual([1, expect.stringContaining('Did you mean "state"?')]);
    // A run that failed to start leaves no files.
    expect(readdirSync(folder.path).filter((name) => name.startsWith('mended'))).toEqual([]);
    const again = await runWords(line, given);
    expect([again.code, readFileSync(join(folder.path, 'out.parquet')).equals(bytes)]).toEqual([0, true]);
  });
});
