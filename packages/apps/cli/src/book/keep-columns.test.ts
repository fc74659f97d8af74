import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bool, type Field, Float64, Int64, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { oneCarrier } from '../testing/one-carrier.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const usual = ['--as-of', '2026-11-20T12:00:00Z', '--keep', 'policy_id,number,premium,flag,state'];
const kept = [
  { policy_id: '007', number: 1, premium: 1000.25, flag: true, state: 'tx' },
  { policy_id: 'a, "b"', number: 2, premium: 3, flag: null, state: 'nowhere' },
  { policy_id: null, number: null, premium: null, flag: false, state: 'FL' },
];
const rows = kept.map((row) => ({ ...row, policy_type: 'ho3' }));
const texts = kept.map(({ policy_id, number, premium, flag, state }) =>
  [policy_id, number, premium, flag, state].map((value) => (value === null ? '' : String(value))),
);

function folderOfBooks() {
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const csv = rows.map((row) => `${Object.values(row).map(cell).join(',')}\n`);
  const folder = temporaryFolder({
    'book.csv': `${Object.keys(rows[0]!).join(',')}\n${csv.join('')}`,
    'book.ndjson': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  const text = (name: 'policy_id' | 'state' | 'policy_type') =>
    vectorFromArray(
      rows.map((row) => row[name]),
      new Utf8(),
    );
  const table = new Table({
    policy_id: text('policy_id'),
    number: vectorFromArray(
      rows.map(({ number }) => (number === null ? null : BigInt(number))),
      new Int64(),
    ),
    premium: vectorFromArray(
      rows.map(({ premium }) => premium),
      new Float64(),
    ),
    flag: vectorFromArray(
      rows.map(({ flag }) => flag),
      new Bool(),
    ),
    state: text('state'),
    policy_type: text('policy_type'),
  });
  writeFileSync(join(folder.path, 'book.arrow'), tableToIPC(table, 'file'));
  return folder;
}

describe('--keep', () => {
  it('carries columns to every format with their values, also of rejected rows', async () => {
    using folder = folderOfBooks();
    const at = (name: string) => join(folder.path, name);
    const run = async (book: string, out: string, more: readonly string[] = []) => {
      const words = ['book', 'run', book, '--out', out, ...usual, ...more];
      expect((await runWords(words, { folder: folder.path, environment: oneCarrier })).code).toBe(0);
      return at(out);
    };
    const pick = (row: Record<string, unknown>) =>
      Object.fromEntries(['policy_id', 'number', 'premium', 'flag', 'state'].map((name) => [name, row[name] ?? null]));
    const wanted = kept.map((row) => ({ ...row }));
    // The output is a book again: its other columns are ignored.
    writeFileSync(at('columns.json'), '{"policy_type":{"constant":"ho3"},"ignore":"others"}');
    for (const book of ['book.arrow', 'book.ndjson', 'arrow.parquet']) {
      const map = book === 'arrow.parquet' ? ['--columns', 'columns.json'] : [];
      const ndjson = readFileSync(await run(book, 'out.ndjson', map), 'utf8')
        .trimEnd()
        .split('\n');
      expect(ndjson.map((line) => pick(JSON.parse(line) as Record<string, unknown>))).toEqual(wanted);
      const parquet = await asyncBufferFromFile(
        await run(book, book === 'book.arrow' ? 'arrow.parquet' : 'out.parquet', map),
      );
      const objects = (await parquetReadObjects({ file: parquet })) as Record<string, unknown>[];
      const isWhole = book !== 'book.ndjson';
      const numbers = wanted.map((row) => ({
        ...row,
        number: row.number === null ? null : isWhole ? BigInt(row.number) : row.number,
      }));
      expect(objects.map(pick)).toEqual(numbers);
      const arrow = tableFromIPC(readFileSync(await run(book, 'out.arrow', map)));
      expect(arrow.toArray().map((row) => pick(row.toJSON()))).toEqual(numbers);
      expect(arrow.schema.fields.slice(1, 6).map((field: Field) => String(field.type))).toEqual([
        'Utf8',
        isWhole ? 'Int64' : 'Float64',
        'Float64',
        'Bool',
        'Utf8',
      ]);
    }
    for (const book of ['book.arrow', 'book.ndjson', 'book.csv']) {
      const [head, ...lines] = readFileSync(await run(book, 'out.csv'), 'utf8')
        .trimEnd()
        .split('\n');
      expect(head).toMatch(/^row,policy_id,number,premium,flag,state,bayou_mutual$/);
      expect(lines.map((line) => line.replace(/,[a-z_]*$/, ''))).toEqual(
        texts.map((cells, index) =>
          [index + 1, ...cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))].join(','),
        ),
      );
    }
    for (const format of ['csv', 'ndjson', 'parquet', 'arrow']) {
      const path = await run('book.arrow', `long.${format}`, ['--long']);
      const long =
        format === 'parquet'
          ? ((await parquetReadObjects({ file: await asyncBufferFromFile(path) })) as Record<string, unknown>[])
          : format === 'arrow'
            ? tableFromIPC(readFileSync(path))
                .toArray()
                .map((row) => row.toJSON())
            : [];
      for (const row of long) expect(String(row['policy_id'])).toBe(texts[Number(row['row']) - 1]![0]);
      if (format === 'csv')
        expect(readFileSync(path, 'utf8')).toMatch(/^row,policy_id,number,premium,flag,state,carrier_key,status,/);
      if (format === 'ndjson')
        expect(readFileSync(path, 'utf8')).toContain(
          '{"row":1,"policy_id":"007","number":1,"premium":1000.25,"flag":true,"state":"tx","carrier_key":',
        );
    }
  });

  it('writes a column of NDJSON with several types as text', async () => {
    using folder = temporaryFolder({
      'book.ndjson': '{"state":"tx","policy_type":"ho3","id":7}\n{"state":"tx","policy_type":"ho3","id":"7a"}\n',
    });
    const words = ['book', 'run', 'book.ndjson', '--out', 'out.parquet', '--keep', 'id', '--parts', '2'];
    expect(await runWords(words, { folder: folder.path, environment: oneCarrier })).toMatchObject({ code: 0 });
    const file = await asyncBufferFromFile(join(folder.path, 'out.parquet'));
    expect((await parquetReadObjects({ file })).map(({ id }) => id as unknown)).toEqual(['7', '7a']);
  });

  it('refuses names that the book lacks, names of the output, and numbers that would be rounded', async () => {
    using folder = folderOfBooks();
    const big = new Table({
      state: vectorFromArray(['tx'], new Utf8()),
      policy_type: vectorFromArray(['ho3'], new Utf8()),
      id: vectorFromArray([2n ** 53n + 1n], new Int64()),
      bayou_mutual: vectorFromArray(['x'], new Utf8()),
      status: vectorFromArray(['x'], new Utf8()),
    });
    writeFileSync(join(folder.path, 'big.arrow'), tableToIPC(big, 'file'));
    writeFileSync(join(folder.path, 'id.arrow'), tableToIPC(big.select(['state', 'policy_type', 'id']), 'file'));
    const errorsOf = async (book: string, keep: string) => {
      const words = ['book', 'run', book, '--out', 'out.csv', '--keep', keep];
      const { code, errors } = await runWords(words, { folder: folder.path, environment: oneCarrier });
      expect(code).toBe(1);
      return errors;
    };
    for (const book of ['book.csv', 'book.ndjson', 'book.arrow'])
      expect(await errorsOf(book, 'polcy_id')).toContain('has no column "polcy_id" to keep. Did you mean "policy_id"?');
    expect(await errorsOf('big.arrow', 'bayou_mutual')).toContain('because the output has a carrier of that name');
    expect(await errorsOf('big.arrow', 'status')).toContain('because the output has another column of that name');
    expect(await errorsOf('id.arrow', 'id')).toContain('has whole numbers above 9,007,199,254,740,991');
    const nowhere = await runWords(['book', 'run', 'book.csv', '--keep', 'flag'], { folder: folder.path });
    expect(nowhere.errors).toContain('--keep concerns the output: name a file by --out.');
  });

  it('carries columns through a filter', async () => {
    const input = 'state,policy_type,policy_id\ntx,ho3,007\nnowhere,ho3,008\n';
    const words = ['book', 'filter', '--format', 'csv', '--keep', 'policy_id'];
    const { bytes } = await runWords(words, { input, environment: oneCarrier });
    expect(String(bytes)).toMatch(/^row,policy_id,bayou_mutual\n1,007,[a-z_]+\n2,008,\n$/);
  });
});
