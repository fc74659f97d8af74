import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../test/support/test-volume.ts';
import { writeCells } from './csv-cells.ts';
import { describeRecognized } from './describe-recognized.ts';
import { type OpenRowsOptions, openRows } from './open-rows.ts';

type Piece = string | Uint8Array;
const bytesOf = (file: Piece) => (typeof file === 'string' ? Buffer.from(file) : Buffer.from(file));

async function read(file: Piece, options: OpenRowsOptions = {}, chunkBytes = 1 << 16) {
  const bytes = bytesOf(file);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const opened = await openRows(Readable.from(chunks, { objectMode: false }), { name: 'homes', ...options });
  const rows = [];
  for await (const { line, cells, value, fault } of opened.rows)
    rows.push([line, cells ?? value ?? fault!.code] as const);
  const told = describeRecognized('homes', opened.recognized());
  return { columns: opened.format === 'csv' ? opened.columns : undefined, rows, told };
}

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

describe('a table', () => {
  it.each([
    ['commas', 'a,b\n1,2\n', []],
    ['semicolons', 'a;b\n1;2\n', ['homes is read with semicolons between cells.']],
    ['tabs', 'a\tb\n1\t2\n', ['homes is read with tabs between cells.']],
    ['sep=', 'sep=|\na|b\n1|2\n', ['homes is read with bars between cells.']],
    ['a byte order mark', '\uFEFFa,b\n1,2\n', []],
    ['line ends of Windows', 'a,b\r\n1,2\r\n', []],
    ['line ends of old Macs', 'a,b\r1,2\r', []],
    ['no line end at its end', 'a,b\n1,2', []],
    ['blanks around cells', ' a , b\n 1 , "2" \n', []],
    ['empty cells behind the last column', 'a,b\n1,2,,\n', []],
    ['gzip', gzipSync('a,b\n1,2\n'), []],
    ['UTF-16 with a mark', utf16('\uFEFFa,b\n1,2\n', false), ['homes is read as UTF-16.']],
    ['UTF-16, the other way round', utf16('\uFEFFa,b\n1,2\n', true), ['homes is read as UTF-16.']],
    ['UTF-16 without a mark', utf16('a,b\n1,2\n', false), ['homes is read as UTF-16.']],
  ])('with %s', async (_, file, told) => {
    for (const chunkBytes of [1, 3, 1 << 16]) {
      const result = await read(file, {}, chunkBytes);
      expect(result.columns).toEqual(['a', 'b']);
      expect(result.rows.map(([, cells]) => cells)).toEqual([['1', '2']]);
      expect(result.told).toEqual(told);
    }
  });

  it('in Windows-1252 is recognized line by line, and reported', async () => {
    const file = Buffer.concat([
      Buffer.from('name,city\nNuñez,Cañon City\n'),
      Buffer.from('O\x92Brien,Ca\xf1on City\n', 'latin1'),
      Buffer.from('Muñoz,Tampa\n'),
    ]);
    for (const chunkBytes of [1, 7, 1 << 16]) {
      expect(await read(file, {}, chunkBytes)).toEqual({
        columns: ['name', 'city'],
        rows: [
          [2, ['Nuñez', 'Cañon City']],
          [3, ['O’Brien', 'Cañon City']],
          [4, ['Muñoz', 'Tampa']],
        ],
        told: ['Line 3 of homes is not UTF-8 and was read as Windows-1252.'],
      });
    }
  });

  it('with semicolons and a comma in its heading', async () => {
    const { rows } = await read('id;address (street, number, city, state);form\n1;"a; b";ho3\n2;c, d;dp3\n');
    expect(rows.map(([, cells]) => cells)).toEqual([
      ['1', 'a; b', 'ho3'],
      ['2', 'c, d', 'dp3'],
    ]);
  });

  it('of one column needs no quotation marks', async () => {
    const { rows } = await read('address\n1 Main St, Miami, FL\n"2 Main St, Miami, FL"\n');
    expect(rows.map(([, cells]) => cells)).toEqual([['1 Main St, Miami, FL'], ['2 Main St, Miami, FL']]);
  });

  it('counts lines of the file, blank ones and those within cells', async () => {
    const { rows } = await read('\n\na,b\n"1\n2",x\n\n3,y\n');
    expect(rows).toEqual([
      [4, ['1\n2', 'x']],
      [7, ['3', 'y']],
    ]);
  });
});

describe('a malformed row is reported, and the next rows are read', () => {
  it.each([
    [
      'a mark never closed',
      'a,b\n"1,2\n3,4\n',
      [
        [2, 'malformed_row'],
        [3, ['3', '4']],
      ],
    ],
    [
      'a mark closed by another row',
      'a,b\n"1,2\n3,4\n5,6"\n',
      [
        [2, 'malformed_row'],
        [3, ['3', '4']],
        [4, ['5', '6"']],
      ],
    ],
    [
      'text behind a mark',
      'a,b\n"1"x,2\n3,4\n',
      [
        [2, 'malformed_row'],
        [3, ['3', '4']],
      ],
    ],
    [
      'a cell too many',
      'a,b\n1,2,3\n4,5\n',
      [
        [2, 'malformed_row'],
        [3, ['4', '5']],
      ],
    ],
    [
      'a cell too few',
      'a,b\n1\n4,5\n',
      [
        [2, 'malformed_row'],
        [3, ['4', '5']],
      ],
    ],
    [
      'a row too long',
      `a,b\n1,${'x'.repeat(200)}\n4,5\n`,
      [
        [2, 'record_too_long'],
        [3, ['4', '5']],
      ],
    ],
    ['a quoted row too long', `a,b\n"1\n${'x'.repeat(90)}\n${'x'.repeat(90)}\n",2\n4,5\n`, undefined],
    [
      'a line that is no JSON',
      '{"a":1}\n{"a":\n{"a":2}\n',
      [
        [1, { a: 1 }],
        [2, 'malformed_row'],
        [3, { a: 2 }],
      ],
    ],
  ])('%s', async (_, file, rows) => {
    for (const chunkBytes of [1, 5, 1 << 16]) {
      const result = await read(file, { maxRecordCharacters: 150 }, chunkBytes);
      if (rows) expect(result.rows).toEqual(rows);
      expect(result.rows.at(-1)?.[1]).not.toBe('malformed_row');
    }
  });

  it('nor does a mark too many in each of many rows', async () => {
    const lines = ['a,b', '"open,1', ...Array.from({ length: 40 }, (_, index) => `home ${index},"quoted"`), '"open,2'];
    const { rows } = await read(lines.join('\n'));
    expect(rows.map(([line]) => line)).toEqual(lines.slice(1).map((_, index) => index + 2));
    expect(rows.filter(([, what]) => what === 'malformed_row').map(([line]) => line)).toEqual([2, 43]);
  });
});

describe('a file without rows', () => {
  it.each([
    ['empty_file', ''],
    ['empty_file', '\n \n'],
    ['empty_file', 'sep=;\n'],
    ['unreadable_header', 'a,"b\n1,2\n'],
    ['not_rows', '[\n{"a":1}\n]\n'],
    ['not_text', 'PK\u0003\u0004 workbook'],
    ['not_text', 'PAR1....'],
    ['not_text', gzipSync('a,b\n1,2\n'.repeat(100)).subarray(0, 30)],
  ])('is refused by name: %s', async (code, file) => {
    const error = await read(file).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ name: 'RowFileError', code });
    expect(error?.message).toContain('homes');
  });

  it('throws the error of the file system if it cannot be opened', async () => {
    await expect(openRows('/nowhere/homes.csv')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('an aborted signal ends the reading, also of a stream that waits', async () => {
  const controller = new AbortController();
  const waiting = new Readable({ read() {} });
  waiting.push('a,b\n');
  const opening = openRows(waiting, { signal: controller.signal });
  controller.abort(new Error('stopped'));
  await expect(opening).rejects.toThrow('stopped');
  expect(waiting.destroyed).toBe(true);
});

it('leaving the rows early closes the file', async () => {
  const stream = Readable.from(Array.from({ length: 10_000 }, () => Buffer.from('a,b\n')));
  const { rows } = await openRows(stream);
  for await (const _ of rows) break;
  expect(stream.destroyed).toBe(true);
});

it('reads the rows that were written, with any content', async () => {
  const cell = fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .map((text) => text.trim().split(String.fromCharCode(0)).join('').replaceAll('\r', ''))
    .filter((text) => text.isWellFormed());
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(table, fc.nat(40), async (rows, chunk) => {
      const text = [['alpha', 'beta', 'gamma'], ...rows.map((row) => [`x${row[0]}`, ...row.slice(1)])];
      const result = await read(text.map((row) => `${writeCells(row)}\n`).join(''), {}, chunk + 1);
      expect(result.rows.map(([, cells]) => cells)).toEqual(text.slice(1));
    }),
    { numRuns: testVolume(40) },
  );
});

it('a line of any length is passed over in bounded memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const megabytes = testVolume(20);
  const held = () => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    return arrayBuffers + heapUsed;
  };
  collect();
  const before = held();
  /** Collected memory is freed later, on another thread: check a few times. */
  const expectBounded = async () => {
    for (let look = 0; look < 100; look += 1) {
      collect();
      if (held() - before < 16 * 1024 * 1024) return;
      await sleep(20);
    }
    expect.fail(`${Math.round((held() - before) / 1024 / 1024)} MiB are held.`);
  };
  async function* file() {
    yield Buffer.from('a,b\n1,2\n"');
    for (let index = 0; index < megabytes; index += 1) {
      if (index === Math.floor(megabytes * 0.9)) await expectBounded();
      yield Buffer.alloc(1 << 20, 'x');
    }
    yield Buffer.from('\n3,4\n');
  }
  const { rows } = await openRows(Readable.from(file(), { objectMode: false }));
  const lines = [];
  for await (const row of rows) {
    lines.push([row.line, row.cells ?? row.fault?.code]);
    expect(row.text.length).toBeLessThan(1_000);
    await expectBounded();
  }
  expect(lines).toEqual([
    [2, ['1', '2']],
    [3, 'record_too_long'],
    [4, ['3', '4']],
  ]);
});
