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
import { type BookPlan, planBook } from './book-plan.ts';
import { countInput } from './count-input.ts';
import { mergeParts } from './merge-parts.ts';
import { partFiles, readMarker } from './part-marker.ts';
import { runPart } from './run-part.ts';

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
async function planOf(kind: BookKind, rows: readonly Record<string, unknown>[], columns: object | null = null) {
  writeBook(path, kind, rows);
  const terms = {
    catalogSha256: 'x',
    carrierKeys: ['bayou'],
    asOf,
    effectiveDate: null,
    engineVersion: ENGINE_VERSION,
  };
  const how = {
    columns: columns as BookPlan['columns'],
    output: 'parquet',
    reasons: false,
    long: false,
  } as const;
  return planBook([await countInput(path, 'book')], 1, { ...terms, ...how });
}
const run = (plan: BookPlan) => runPart({ plan, index: 0, folder: parts, carriers, readRow });
const finished = () => readdirSync(parts).filter((name) => name !== '.working');
const unfinished = () => readdirSync(join(parts, '.working'));

function damage(from: number, bytes: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, new Uint8Array(bytes), 0, bytes, from);
  closeSync(file);
}

describe('a book that cannot be read', () => {
  it('names a damaged row group, its rows and its column', async () => {
    const plan = await planOf('parquet', homes(4000));
    const { row_groups: groups } = parquetMetadata(new Uint8Array(readFileSync(path)).buffer);
    const meta = groups[1]!.columns[2]!.meta_data!;
    const begin = Number(meta.dictionary_page_offset || meta.data_page_offset);
    damage(begin, Number(meta.total_compressed_size));
    await expect(run(plan)).rejects.toThrow(
      /row group 2 of 3 \(rows 1501 to 3000\), column "total_claims", is damaged or cut off/,
    );
    expect([finished(), unfinished()]).toEqual([[], []]);
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
    const plan = await planOf('arrow stream', homes(4000));
    writeFileSync(path, readFileSync(path).subarray(0, -1500));
    await expect(run(plan)).rejects.toThrow(/record batch \d+ is not Arrow, or is damaged or truncated|has 0 rows/);
    expect(readdirSync(parts)).toEqual([]);
  });

  it('names a file without its end', async () => {
    writeBook(path, 'parquet', homes(100));
    writeFileSync(path, readFileSync(path).subarray(0, -20));
    await expect(openBook(path)).rejects.toThrow(/is not Parquet, or is truncated/);
  });

  it('names columns that are missing, not a field, or in an unknown unit', async () => {
    const refused = async (columns: object | null, more?: object) =>
      run(await planOf('parquet', homes(10, more), columns)).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await refused({ year_built: 'built' })).toMatch(/It has no column "built" for year_built/);
    expect(await refused(null, { year_bilt: '1990' })).toMatch(/"year_bilt" is not a field. Did you mean "year_built"/);
    expect(await refused({ dwelling_a: { column: 'total_claims', unit: 'furlongs' } })).toMatch(
      /dwelling_a has the unit "furlongs"; give dollars, thousands/,
    );
    expect(finished()).toEqual([]);
  });

  it('counts by its field what a column of another type or unit is refused for', async () => {
    const refused = async (more: object) => {
      const marker = await run(await planOf('parquet', homes(10, more)));
      parts = mkdtempSync(join(folder, 'parts-'));
      return [marker.rejected, marker.faults];
    };
    expect(await refused({ usage: 'seven' })).toEqual([10, { '/usage unknown_value': 10 }]);
    expect(await refused({ dwelling_a: 9e12 })).toEqual([10, { '/dwelling_a out_of_range': 10 }]);
    expect(await refused({ distance_to_coast_miles: 90_000 })).toEqual([
      10,
      { '/distance_to_coast_miles out_of_range': 10 },
    ]);
  });

  it('says where a file has fewer rows than its plan', async () => {
    const plan = await planOf('csv', homes(1000));
    writeBook(path, 'csv', homes(900));
    await expect(run(plan)).rejects.toThrow(/has 900 rows where part 0 of the plan has 1000: the file was changed/);
    expect([finished(), unfinished()]).toEqual([[], []]);
  });
});

describe('what is written', () => {
  it.each([0, 100, 400])('leaves nothing half done where the disk is full after %i bytes', async (bytes) => {
    const plan = await planOf('csv', [...homes(1000), { state: 'zz' }]);
    {
      using _ = fullDisk(bytes);
      await expect(run(plan)).rejects.toMatchObject({ code: 'ENOSPC', path: expect.stringContaining('part-00000') });
    }
    expect(readMarker(plan, 0, parts)).toBeUndefined();
    expect(unfinished()).toEqual([]);
    const marker = await run(plan);
    expect([marker.rows, marker.rejected]).toEqual([1001, 1]);
  });

  it('is named where it was cut, also a marker', async () => {
    const plan = await planOf('csv', homes(1000));
    await run(plan);
    const { output, marker } = partFiles(plan, 0, parts);
    const merge = () => mergeParts({ plan, folder: parts, vocabulary: carriers.vocabulary });
    const whole = readFileSync(output);
    writeFileSync(output, whole.subarray(0, 50));
    await expect(merge()).rejects.toThrow(/was changed since it was written \(50 bytes, /);
    writeFileSync(output, whole);
    await expect(merge()).resolves.toMatchObject({ rows: 1000 });
    writeFileSync(marker, readFileSync(marker).subarray(0, 50));
    await expect(merge()).rejects.toThrow(/is damaged or cut off: remove it and run part 0 again/);
  });
});
