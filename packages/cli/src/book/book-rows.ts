import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';

/** One row of a book as it was read: a request body, or what is wrong with the line. */
export type BookRow =
  | { readonly line: number; readonly body: unknown; readonly text: string }
  | { readonly line: number; readonly fault: string; readonly text: string };

export interface BookRows {
  readonly rows: AsyncIterable<BookRow>;
  /** Bytes read so far, for showing progress. */
  readonly bytesRead: () => number;
}

/** Reads homes from NDJSON (an object a line) or CSV (a header of field names). Nothing is held but a line. */
export function readBookRows(path: string): BookRows {
  const stream = createReadStream(path, { highWaterMark: 1 << 20 });
  const rows = /\.csv$/i.test(path) ? csvRows(stream) : ndjsonRows(stream);
  return { rows, bytesRead: () => stream.bytesRead };
}

async function* ndjsonRows(stream: NodeJS.ReadableStream): AsyncGenerator<BookRow> {
  let line = 0;
  for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text.trim() === '') continue;
    let body: unknown;
    try {
      body = JSON.parse(line === 1 ? text.replace(/^\uFEFF/, '') : text);
    } catch (error) {
      yield { line, fault: `not JSON: ${(error as Error).message}`, text };
      continue;
    }
    yield { line, body, text };
  }
}

/** Empty cells are fields nobody gave. */
async function* csvRows(stream: NodeJS.ReadableStream): AsyncGenerator<BookRow> {
  let header: string[] | undefined;
  const parser = stream.pipe(
    parse({ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true, trim: true }),
  );
  for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    if (!header) {
      header = record.map((name) => name.trim().toLowerCase());
      continue;
    }
    const text = record.join(',');
    if (record.length !== header.length) {
      yield { line: info.lines, fault: `has ${record.length} cells; the header has ${header.length}`, text };
      continue;
    }
    const cells = header.flatMap((name, index) =>
      record[index] === '' ? [] : [[name, numeric(name, record[index]!)]],
    );
    yield { line: info.lines, body: Object.fromEntries(cells), text };
  }
}

/** A cell is text; coordinates are numbers in a request, and every other number may be text. */
function numeric(name: string, cell: string): unknown {
  return (name === 'lat' || name === 'lng') && cell !== '' && !Number.isNaN(Number(cell)) ? Number(cell) : cell;
}
