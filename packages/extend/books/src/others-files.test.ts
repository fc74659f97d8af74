import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { homeVocabulary } from '@leeward/engine';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { fieldColumns, noColumnMap, usedColumns } from './columns/column-map.ts';
import { requestBodyOf } from './columns/request-body.ts';
import { openBook } from './open-book.ts';
import { cellOf } from './source/raw-batch.ts';
import { writeMetadata } from './testing/hyparquet-writer-internals.ts';

const folder = join(import.meta.dirname, '../../../../fixtures/books');

const work = mkdtempSync(join(tmpdir(), 'leeward-others-'));
const path = join(work, 'book.parquet');
afterAll(() => rmSync(work, { recursive: true }));

/** The homes of `make_books.py`. */
const homes = [
  {
    state: 'tx',
    policy_type: 'ho3',
    dwelling_a: 250_000,
    acreage: 1.5,
    effective_date: '2026-12-01',
    total_claims: 0,
  },
  { state: 'fl', policy_type: 'ho3', dwelling_a: 1_250_000, acreage: 0.25 },
  {
    state: 'tx',
    policy_type: 'dp3',
    dwelling_a: 90_000,
    acreage: 80.125,
    effective_date: '2026-07-04',
    total_claims: 2,
  },
];

/** Rows of a file as requests, without columns that are not fields. */
async function requestsOf(file: string): Promise<unknown[]> {
  const source = await openBook(join(folder, file));
  const isWanted = usedColumns({ ...noColumnMap, ignore: 'others' }, homeVocabulary, source.format);
  const requests: unknown[] = [];
  try {
    for await (const batch of source.batches({ isWanted })) {
      const fields = fieldColumns(batch.names, { ...noColumnMap, ignore: 'others' }, homeVocabulary, {
        name: file,
        isStrict: true,
      });
      for (let row = 0; row < batch.rows; row++)
        requests.push(requestBodyOf(batch, row, fields, () => true, homeVocabulary));
    }
  } finally {
    await source.close();
  }
  return requests;
}

async function columnOf(file: string, name: string): Promise<unknown[]> {
  const source = await openBook(resolve(folder, file));
  const values: unknown[] = [];
  try {
    for await (const batch of source.batches({ isWanted: (column) => column === name }))
      for (let row = 0; row < batch.rows; row++) values.push(cellOf(batch.columns[batch.names.indexOf(name)], row));
  } finally {
    await source.close();
  }
  return values;
}

describe('files of other programs', () => {
  it.each([
    'pyarrow-none.parquet',
    'pyarrow-snappy.parquet',
    'pyarrow-gzip.parquet',
    'pyarrow-zstd.parquet',
    'pyarrow-lz4.parquet',
    'pyarrow-brotli.parquet',
    'pyarrow-typed-v2.parquet',
    'pyarrow-delta-v2.parquet',
    'polars.parquet',
    'duckdb.parquet',
    'pyarrow-lz4.feather',
    'pyarrow-zstd.arrow',
    'pyarrow-typed-lz4.arrows',
    'polars-lz4.arrow',
    'pyarrow-odd.arrows',
  ])('reads %s, which has a column without a value', async (file) => {
    expect(await requestsOf(file)).toEqual(homes);
  });

  it('reads large text, views, bytes of fixed length, small floats and nanoseconds', async () => {
    const counties = ['travis', 'miami-dade county of florida', 'travis'];
    const claims = (total: number | undefined) => (total === undefined ? {} : { total_claims: total });
    expect(await requestsOf('pyarrow-views.arrow')).toEqual(
      homes.map(({ total_claims, ...home }, row) => ({ ...home, county: counties[row], ...claims(total_claims) })),
    );
  });

  it.each(['pyarrow-nested-lz4.arrow', 'pyarrow-nested.parquet'])('reads lists and groups of %s', async (file) => {
    expect(await requestsOf(file)).toMatchObject(
      homes.map((home, row) => ({ ...home, address: { line1: `${row} Main St`, city: 'Austin' } })),
    );
    expect(await columnOf(file, 'tags')).toEqual([['a', 'b'], [], undefined]);
  });

  it('reads buffers of several blocks of LZ4 that refer to each other', async () => {
    const dwellings = await columnOf('pyarrow-long-lz4.arrow', 'dwelling_a');
    expect(dwellings).toEqual(Array.from({ length: 20_000 }, (_, row) => homes[row % 3]!.dwelling_a));
  });

  it('steps over columns of types that are not read', async () => {
    expect(await columnOf('pyarrow-odd.arrows', 'last')).toEqual(['behind them', 'all', undefined]);
  });

  it.each([
    ['x_time', 'Time64<MICROSECOND>'],
    ['x_span', 'Duration<SECOND>'],
    ['x_map', 'Map<'],
    ['x_runs', 'RunEndEncoded'],
    ['x_views', 'ListView'],
  ])('names column %s of type %s if it is used, and the way out', async (name, type) => {
    const refusal = columnOf('pyarrow-odd.arrows', name);
    await expect(refusal).rejects.toMatchObject({ name: 'BookFileError' });
    await expect(refusal).rejects.toThrow(`column ${JSON.stringify(name)} is of type ${type}`);
    await expect(refusal).rejects.toThrow('"ignore" in the map of columns');
  });

  it('names a shredded variant of Parquet by its type if it is used, and reads one of text', async () => {
    const columnData = [
      { name: 'state', data: ['tx'], type: 'STRING' },
      { name: 'usage', data: ['rental'], type: 'VARIANT', shredding: 'STRING' },
    ];
    const text = parquetWriteBuffer({ columnData } as never);
    writeFileSync(path, new Uint8Array(text));
    expect(await columnOf(path, 'usage')).toEqual(['rental']);
    const metadata = parquetMetadata(text);
    const typed = metadata.schema.find(({ name }) => name === 'typed_value')!;
    delete typed.converted_type;
    delete typed.logical_type;
    const writer = new ByteWriter();
    writer.appendBytes(new Uint8Array(text, 0, text.byteLength - 8 - metadata.metadata_length));
    writeMetadata(writer, metadata);
    writer.appendBytes(new TextEncoder().encode('PAR1'));
    writeFileSync(path, new Uint8Array(writer.getBuffer()));
    const refusal = columnOf(path, 'usage');
    await expect(refusal).rejects.toMatchObject({ name: 'BookFileError' });
    await expect(refusal).rejects.toThrow(
      'column "usage" is of type shredded VARIANT with BYTE_ARRAY, which is not supported. Write it as numbers, text or dates, or leave it out with "ignore" in the map of columns.',
    );
    expect(await columnOf(path, 'state')).toEqual(['tx']);
  });

  /** A file of one column of whole numbers, with other metadata. */
  function withMetadata(change: (metadata: FileMetaData) => void): Uint8Array {
    const plain = parquetWriteBuffer({ columnData: [{ name: 'total_claims', data: [1, 2], type: 'INT32' }] });
    const metadata = parquetMetadata(plain);
    change(metadata);
    const writer = new ByteWriter();
    writer.appendBytes(new Uint8Array(plain, 0, plain.byteLength - 8 - metadata.metadata_length));
    writeMetadata(writer, metadata);
    writer.appendBytes(new TextEncoder().encode('PAR1'));
    return new Uint8Array(writer.getBuffer());
  }

  it('names a time of day by its type if it is used, instead of reading it as a number', async () => {
    writeFileSync(
      path,
      withMetadata(({ schema }) => {
        schema[1]!.converted_type = 'TIME_MILLIS';
      }),
    );
    await expect(columnOf(path, 'total_claims')).rejects.toThrow(
      'column "total_claims" is of type TIME_MILLIS, which is not supported. Write it as numbers, text or dates',
    );
  });

  it('reads a decimal that only has the newer name of its type', async () => {
    writeFileSync(
      path,
      withMetadata(({ schema }) => {
        schema[1]!.logical_type = { type: 'DECIMAL', precision: 5, scale: 2 };
      }),
    );
    expect(await columnOf(path, 'total_claims')).toEqual([0.01, 0.02]);
  });

  it('names encryption of a whole file', async () => {
    const file = withMetadata(() => {});
    file.set(new TextEncoder().encode('PARE'), file.length - 4);
    writeFileSync(path, file);
    await expect(columnOf(path, 'total_claims')).rejects.toThrow('is encrypted Parquet, which is not supported');
  });
});
