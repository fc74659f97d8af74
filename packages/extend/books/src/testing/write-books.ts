import { writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Dictionary, Float64, Int32, Table, tableToIPC, Utf8, type Vector, vectorFromArray } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { type BookRow, numberFields } from './random-rows.ts';

export const bookKinds = [
  'ndjson',
  'csv',
  'parquet',
  'parquet of text',
  'arrow',
  'arrow stream',
  'arrow stream of text',
] as const;
export type BookKind = (typeof bookKinds)[number];

const isNumber = (name: string) => name in numberFields || name === 'lat' || name === 'lng';
const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Writes rows as a book. Returns them as requests, as the format can represent them. */
export function writeBook(path: string, kind: BookKind, rows: readonly BookRow[]): readonly BookRow[] {
  if (kind === 'ndjson') {
    writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return rows.map((row) => JSON.parse(JSON.stringify(row)) as BookRow);
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (kind === 'csv') {
    const lines = rows.map((row) => names.map((name) => cell(String(row[name] ?? ''))).join(','));
    writeFileSync(path, `${names.join(',')}\n${lines.join('\n')}\n`);
    return rows.map((row) =>
      heldBy(row, names, (_, value) => {
        const text = String(value).trim();
        return text === '' ? undefined : text;
      }),
    );
  }
  const asText = kind.endsWith('of text');
  const storedRows = rows.map((row) =>
    heldBy(row, names, (name, value) => {
      if (asText || !isNumber(name)) return String(value);
      return typeof value === 'number' ? value : undefined;
    }),
  );
  const columnOf = (name: string) => storedRows.map((row) => row[name] ?? null);
  if (kind.startsWith('arrow')) {
    const vectors: Record<string, Vector> = {};
    for (const name of names) {
      if (asText) vectors[name] = vectorFromArray(columnOf(name), new Utf8());
      else
        vectors[name] = isNumber(name)
          ? vectorFromArray(columnOf(name), new Float64())
          : vectorFromArray(columnOf(name), new Dictionary(new Utf8(), new Int32()));
    }
    writeFileSync(path, tableToIPC(new Table(vectors), kind === 'arrow' ? 'file' : 'stream'));
    return storedRows;
  }
  // Columns of text use the codecs in turn.
  const codecs = ['SNAPPY', 'ZSTD', 'GZIP', 'BROTLI'] as const;
  const columnData = names.map((name, index) => ({
    name,
    codec: codecs[asText ? index % codecs.length : 0]!,
    data: columnOf(name),
    type: asText || !isNumber(name) ? ('STRING' as const) : ('DOUBLE' as const),
    nullable: true,
  }));
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 1500, compressors })));
  return storedRows;
}

const compressors = {
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
  GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
  BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
};

function heldBy(row: BookRow, names: readonly string[], hold: (name: string, value: unknown) => unknown): BookRow {
  return Object.fromEntries(
    names.flatMap((name) => {
      const cell = row[name];
      const value = cell === undefined || cell === null ? undefined : hold(name, cell);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
