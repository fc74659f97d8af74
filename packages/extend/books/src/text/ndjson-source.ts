import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { linesOfBlock, type TextLine } from '@leeward/rows';
import { findJsonFault, isObject } from '@leeward/terms';
import { BookFileError } from '../source/book-file-error.ts';
import type { BatchOptions, BookSource } from '../source/book-source.ts';
import { emptySource } from './empty-source.ts';
import { MAX_LINE_CHARACTERS } from './max-line.ts';
import { scanObject } from './ndjson-scan.ts';
import { createRecognizing, type Recognizing } from './recognizing.ts';
import { describeText, type TextBlock, textBlocks, withFirst } from './text-blocks.ts';
import { createTextColumns, type TextColumns } from './text-columns.ts';
import { type TextBatch, textSlices } from './text-slices.ts';
import { NO_WORD } from './token-table.ts';

const wordOf = (token: string): unknown => {
  try {
    return JSON.parse(token) as unknown;
  } catch {
    return NO_WORD;
  }
};

/** Opens NDJSON, an object per line: a path, or a stream that can be read once. Throws a `BookFileError`. */
export async function openNdjson(source: string | Readable, name: string): Promise<BookSource> {
  const { isPlain, encoding } =
    typeof source === 'string' ? await describeText(source) : { isPlain: false, encoding: 'utf-8' as const };
  const opening = textBlocks(source, name, isPlain);
  const first = await opening.next();
  if (first.done) {
    // An empty stream is valid: a filter may have selected no rows.
    if (typeof source !== 'string') return emptySource('ndjson');
    throw new BookFileError(`${name} is empty.`);
  }
  refuseLists(first.value, name);
  let names = namesOf(first.value);
  const recognizing = createRecognizing(encoding, undefined);
  let begun: AsyncGenerator<TextBlock> | undefined = withFirst(first.value, opening);
  if (typeof source === 'string') {
    await opening.return(undefined);
    begun = undefined;
  }

  async function* batches(options: BatchOptions = {}): AsyncGenerator<TextBatch> {
    const { slice, isWanted = () => true, onBytes } = options;
    const columns = createTextColumns(wordOf, isWanted, slice?.unitFirstRow ?? 0);
    for (const each of names) columns.columnOf(each);
    let line = slice?.firstLine ?? 1;
    const blocks = begun ?? textBlocks(source, name, isPlain, isPlain ? slice : undefined, onBytes);
    begun = undefined;
    for await (const block of blocks) {
      columns.take(block.bytes);
      line = readBlock(columns, block, line, recognizing);
      const batch = columns.take(Buffer.alloc(0));
      const end = block.offset === undefined ? undefined : { offset: block.offset + block.bytes.length, line };
      if (batch) yield { ...batch, end };
    }
  }

  /** Batches of the whole file, whose keys are added to the names. */
  async function* namedBatches(): AsyncGenerator<TextBatch> {
    const all = new Set(names);
    for await (const batch of batches({ isWanted: () => false })) {
      for (const each of batch.names) all.add(each);
      for (const body of batch.whole?.values() ?? [])
        if (isObject(body)) for (const key of Object.keys(body)) all.add(key);
      yield batch;
    }
    names = [...all];
  }

  return {
    format: 'ndjson',
    get names() {
      return names;
    },
    slices: () => textSlices(source, isPlain, namedBatches()),
    batches,
    recognized: recognizing.recognized,
    async close() {
      await begun?.return(undefined);
    },
  };
}

/** Fills the columns with the lines of a block. Returns the number of the next line. */
function readBlock(
  columns: TextColumns,
  { bytes, isTooLong, offset }: TextBlock,
  firstLine: number,
  recognizing: Recognizing,
): number {
  let line = firstLine;
  if (isTooLong || !isUtf8(bytes) || hasLoneReturn(bytes)) {
    const lines = linesOfBlock(bytes, line, MAX_LINE_CHARACTERS);
    recognizing.see(lines);
    for (const each of lines) {
      readLine(columns, isTooLong ? { ...each, isTooLong } : each);
      line += 1;
    }
    return line;
  }
  const hasMark = offset === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let from = hasMark ? 3 : 0; from < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, from);
    const to = feed < 0 ? bytes.length : feed;
    if (to - from <= MAX_LINE_CHARACTERS && scanObject(columns, bytes, from, to)) columns.endRow(line, from, to);
    else {
      columns.clearRow();
      const [text] = linesOfBlock(bytes.subarray(from, to), line, MAX_LINE_CHARACTERS);
      if (text) readLine(columns, text);
    }
    from = to + 1;
  }
  return line;
}

function readLine(columns: TextColumns, { number, text, isTooLong }: TextLine): void {
  if (isTooLong) {
    const max = MAX_LINE_CHARACTERS.toLocaleString('en-US');
    columns.refuse('record_too_long', `Line ${number} is longer than ${max} characters, the maximum for a row.`);
  } else if (text.trim() === '') return;
  else {
    try {
      columns.setWhole(JSON.parse(text));
    } catch {
      const { column, message } = findJsonFault(text)!;
      columns.refuse('malformed_row', `Line ${number} is not JSON at column ${column}: ${message}.`);
    }
  }
  columns.endTextRow(number, text);
}

function hasLoneReturn(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(0x0d); at >= 0; at = bytes.indexOf(0x0d, at + 1)) {
    if (at + 1 < bytes.length && bytes[at + 1] !== 0x0a) return true;
  }
  return false;
}

function refuseLists({ bytes }: TextBlock, name: string): void {
  const first = linesOfBlock(bytes.subarray(0, 1 << 16), 1, MAX_LINE_CHARACTERS).find(({ text }) => text.trim() !== '');
  if (first && /^\s*\[/.test(first.text) && !/\]\s*$/.test(first.text)) {
    throw new BookFileError(`${name} is one list in JSON; write an object a line, without the list around them.`);
  }
}

/** The keys of the first rows that are objects, in the order of the file. */
function namesOf({ bytes }: TextBlock): readonly string[] {
  const names = new Set<string>();
  for (const { text } of linesOfBlock(bytes.subarray(0, 1 << 16), 1, MAX_LINE_CHARACTERS).slice(0, 20)) {
    const row = wordOf(text);
    if (typeof row === 'object' && row !== null && !Array.isArray(row))
      for (const key of Object.keys(row)) names.add(key);
  }
  return [...names];
}
