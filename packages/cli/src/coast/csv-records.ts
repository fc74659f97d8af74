import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readCells } from './csv-cells.ts';

/** One record of a CSV file. `line` is where it begins, the first being 1. */
export type CsvRecord = { readonly line: number; readonly text: string } & (
  | { readonly cells: readonly string[] }
  /** A quoted cell of it is never closed. */
  | { readonly cells?: undefined }
);

/** A quoted cell reaches over no more lines than this: else one mark too many would swallow the rest of the file. */
const MOST_LINES = 20;

/** The records of a CSV file in their order, blank lines left out. A record that cannot be read takes no other with it. */
export async function* readCsvRecords(path: string): AsyncGenerator<CsvRecord> {
  const lines = createInterface({
    input: createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  /** Lines of a record whose end was not found yet. */
  let open: { readonly line: number; readonly text: string }[] = [];
  let line = 0;
  for await (const raw of lines) {
    line += 1;
    open.push({ line, text: line === 1 ? raw.replace(/^\uFEFF/, '') : raw });
    open = yield* closedRecords(open, MOST_LINES);
  }
  while (open.length > 0) open = yield* closedRecords(open, 0);
}

/** Gives what is whole of some lines, and keeps the rest. */
function* closedRecords(
  lines: readonly { readonly line: number; readonly text: string }[],
  mostOpen: number,
): Generator<CsvRecord, { readonly line: number; readonly text: string }[]> {
  let from = 0;
  while (from < lines.length) {
    const { line, text } = lines[from]!;
    if (text.trim() === '') {
      from += 1;
      continue;
    }
    let count = 1;
    let joined = text;
    let cells = readCells(joined);
    while (cells === undefined && from + count < lines.length && count < MOST_LINES) {
      joined += `\n${lines[from + count]!.text}`;
      count += 1;
      cells = readCells(joined);
    }
    if (cells !== undefined) {
      yield { line, text: joined, cells };
      from += count;
    } else if (lines.length - from >= MOST_LINES || mostOpen === 0) {
      yield { line, text };
      from += 1;
    } else break;
  }
  return lines.slice(from);
}
