import fs, {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCatalog } from '@leeward/engine';
import { ENGINE_VERSION } from '@leeward/engine/compiled';
import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { carriersOfCatalog } from '../batches/book-carriers.ts';
import { openBook } from '../open-book.ts';
import { readOnceAt } from '../testing/read-once.ts';
import { type BookKind, writeBook } from '../testing/write-books.ts';
import { type BookRun, countInput, cutBook } from './book-run.ts';
import { joinParts } from './join-parts.ts';
import { partFiles, readResult, runPart } from './run-part.ts';

/** Simulates a disk with `bytes` of free space until it is disposed. */
function fullDisk(bytes: number): Disposable {
  const { writeSync: write } = fs;
  let room = bytes;
  fs.writeSync = ((file: number, chunk: Uint8Array, from: number) => {
    if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const written = write(file, chunk, from, Math.min(room, chunk.length - from));
    room -= written;
    return written;
  }) as typeof fs.writeSync;
  syncBuiltinESMExports();
  const giveBack = () => {
    fs.writeSync = write;
    syncBuiltinESMExports();
  };
  return { [Symbol.dispose]: giveBack };
}

const rule = { id: 'claims', outcome: 'decline', code: 'claims', message: 'Claims.' };
const catalog = createCatalog([
  {
    file: {
      format: 1,
      carrier: { key: 'bayou', name: 'Bayou' },
      version: '1',
      effective: { from: '2026-01-01' },
      rules: [{ ...rule, when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 2 }] } }],
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
    },
  },
]);
const carriers = carriersOfCatalog(catalog);
const asOf = '2026-11-20T12:00:00.000Z';
const readRow = readOnceAt(new Date(asOf));
const folder = mkdtempSync(join(tmpdir(), 'leeward-bad-books-'));
afterAll(() => rmSync(folder, { recursive: true }));
let parts = '';
beforeEach(() => {
  parts = mkdtempSync(join(folder, 'parts-'));
});

const homes = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ state: 'tx', policy_type: 'ho3', total_claims: index % 5, ...more }));
const path = join(folder, 'book');
async function runOf(kind: BookKind, rows: readonly Record<string, unknown>[], columns: object | null = null) {
  writeBook(path, kind, rows);
  const terms = {
    catalogSha256: 'x',
    carrierKeys: ['bayou'],
    asOf,
    effectiveDate: null,
    engineVersion: ENGINE_VERSION,
  };
  const how = {
    columns: columns as BookRun['columns'],
    output: 'parquet',
    reasons: false,
    long: false,
    keep: [],
    hasPlaces: false,
    questionShare: 0,
  } as const;
  return cutBook([await countInput(path, 'book')], rows.length, { ...terms, ...how });
}
const evaluate = (run: BookRun) => runPart({ run, index: 0, folder: parts, carriers, readRow });
const files = () => readdirSync(parts);

function damage(from: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(bytes), 0, bytes, from);
  closeSync(file);
}

describe('a book that cannot be read', () => {
  it('names a damaged row group, its rows and its column', async () => {
    const run = await runOf('parquet', homes(4000));
    const { row_groups: groups } = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
    const meta = groups[1]!.columns[2]!.meta_data!;
    const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
    damage(begin, Number(meta.total_compressed_size));
    await expect(evaluate(run)).rejects.toThrow(
      /row group 2 of 3 \(rows 1501 to 3000\), column "total_claims", is damaged or cut off/,
    );
    expect(files()).toEqual([]);
  });

  it('names a page without a checksum whose levels were overwritten', async () => {
    const given = Array.from({ length: 4000 }, (_, index) =>
      (index * 7919) % 13 < 7 ? `${1950 + (index % 70)}` : null,
    );
    const column = (name: string, data: (string | null)[]) => ({ name, data, type: 'STRING' as const, nullable: true });
    const columnData = [
      column(
        'state',
        given.map(() => 'tx'),
      ),
      column(
        'policy_type',
        given.map(() => 'ho3'),
      ),
      column('year_built', given),
    ];
    const rowsOf = async () => {
      const book = await openBook(path);
      try {
        let rows = 0;
        for await (const batch of book.batches()) rows += batch.rows;
        return rows;
      } finally {
        await book.close();
      }
    };
    const refusal = async (statistics: boolean, bytes: number) => {
      writeFileSync(
        path,
        new Uint8Array(parquetWriteBuffer({ columnData, codec: 'UNCOMPRESSED', rowGroupSize: 4000, statistics })),
      );
      expect(await rowsOf()).toBe(4000);
      const meta = parquetMetadata(new Uint8Array(readFileSync(path)).buffer).row_groups[0]!.columns[2]!.meta_data!;
      damage(Number(meta.data_page_offset) + 60, bytes);
      return rowsOf().then(
        () => 'nothing was seen',
        (error: Error) => error.message,
      );
    };
    expect(await refusal(true, 40)).toMatch(/column "year_built", is damaged or cut off: /);
    expect(await refusal(false, 200)).toMatch(/is damaged or cut off: a run of a page goes on behind its values/);
  });

  it('names a damaged record batch', async () => {
    const run = await runOf('arrow stream', homes(4000));
    writeFileSync(path, readFileSync(path).subarray(0, -1500));
    await expect(evaluate(run)).rejects.toThrow(/record batch \d+ is not Arrow, or is damaged or truncated|has 0 rows/);
    expect(files()).toEqual([]);
  });

  it('names a file without its end', async () => {
    writeBook(path, 'parquet', homes(100));
    writeFileSync(path, readFileSync(path).subarray(0, -20));
    await expect(openBook(path)).rejects.toThrow(/is not Parquet, or is damaged or truncated/);
  });

  it('names columns that are missing, not a field, or in an unknown unit', async () => {
    const refused = async (columns: object | null, more?: object) =>
      evaluate(await runOf('parquet', homes(10, more), columns)).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await refused({ year_built: 'built' })).toMatch(/It has no column "built" for year_built/);
    expect(await refused(null, { year_bilt: '1990' })).toMatch(/"year_bilt" is not a field. Did you mean "year_built"/);
    expect(await refused({ dwelling_a: { column: 'total_claims', unit: 'furlongs' } })).toMatch(
      /dwelling_a has the unit "furlongs"; give dollars, thousands/,
    );
    expect(files()).toEqual([]);
  });

  it('counts by its field what a column of another type or unit is refused for', async () => {
    const refused = async (more: object) => {
      const { counts } = await evaluate(await runOf('parquet', homes(10, more)));
      parts = mkdtempSync(join(folder, 'parts-'));
      return [counts.rejected, Object.fromEntries(counts.faults)];
    };
    expect(await refused({ usage: 'seven' })).toEqual([10, { '/usage unknown_value': 10 }]);
    expect(await refused({ dwelling_a: 9e12 })).toEqual([10, { '/dwelling_a out_of_range': 10 }]);
    expect(await refused({ distance_to_coast_miles: 90_000 })).toEqual([
      10,
      { '/distance_to_coast_miles out_of_range': 10 },
    ]);
  });

  it('refuses a file that has fewer rows than were counted', async () => {
    const run = await runOf('csv', homes(1000));
    writeBook(path, 'csv', homes(900));
    await expect(evaluate(run)).rejects.toThrow(/was changed while it was read: begin the run anew/);
    expect(files()).toEqual([]);
  });
});

describe('what is written', () => {
  it.each([0, 100, 400])('leaves nothing half done where the disk is full after %i bytes', async (bytes) => {
    const run = await runOf('csv', [...homes(1000), { state: 'zz' }]);
    {
      using _ = fullDisk(bytes);
      await expect(evaluate(run)).rejects.toMatchObject({
        code: 'ENOSPC',
        path: expect.stringContaining('00000.'),
      });
    }
    expect(readResult(0, parts)).toBeUndefined();
    expect(files()).toEqual([]);
    const { counts } = await evaluate(run);
    expect([counts.rows, counts.rejected]).toEqual([1001, 1]);
  });

  it('names a part whose files were changed', async () => {
    const run = await runOf('csv', homes(1000));
    await evaluate(run);
    const { statuses, result } = partFiles(0, parts);
    const join = () =>
      joinParts({
        run,
        folder: parts,
        vocabulary: carriers.vocabulary,
        rejects: `${parts}.rejects`,
        output: `${parts}.out`,
      });
    await expect(join()).resolves.toMatchObject({ rows: 1000 });
    const written = readFileSync(result);
    for (const [path, bytes] of [
      [statuses, readFileSync(statuses).subarray(0, 50)],
      [result, written.subarray(0, 50)],
    ] as const) {
      writeFileSync(path, bytes);
      await expect(join()).rejects.toThrow(/has a damaged part, 0: begin the run anew with --restart/);
    }
    rmSync(result);
    await expect(join()).rejects.toThrow(/Part 0 of .* is not complete/);
  });
});
