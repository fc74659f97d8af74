import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { decodeText, type Encoding, encodingOf, openChunks } from '@leeward/rows';
import { MAX_LINE_CHARACTERS } from './max-line.ts';

/** Whole lines of a text file. */
export interface TextBlock {
  readonly bytes: Buffer;
  /** Offset of the block in the file; undefined for streams and for converted or decompressed text. */
  readonly offset: number | undefined;
  /** True for a line that is too long: `bytes` has its beginning. */
  readonly isTooLong: boolean;
}

const CHUNK_BYTES = 1 << 20;
const MAX_HELD_BYTES = 3 * MAX_LINE_CHARACTERS;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Returns the encoding of a text file. `isPlain` is true if a range can be read: the file is neither compressed nor UTF-16. */
export async function describeText(path: string): Promise<{ readonly isPlain: boolean; readonly encoding: Encoding }> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(1024);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const encoding = encodingOf(head.subarray(0, bytesRead));
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    return { isPlain: !isPacked && encoding === 'utf-8', encoding: isPacked ? 'utf-8' : encoding };
  } finally {
    await file.close();
  }
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields blocks of whole lines, about 1 MiB each. Plain text may be limited to `range`. Compressed or UTF-16 text is converted to UTF-8.
 * Throws a `RowFileError` if the file is not text.
 */
export async function* textBlocks(
  source: string | Readable,
  name: string,
  isPlain: boolean,
  range?: TextRange,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<TextBlock> {
  if (isPlain && typeof source === 'string') {
    const { from = 0, to = Number.POSITIVE_INFINITY } = range ?? {};
    if (to <= from) return;
    const stream = createReadStream(source, { highWaterMark: CHUNK_BYTES, start: from, end: to - 1 });
    yield* wholeLines(counted(stream, onBytes), from);
    return;
  }
  const bytes = openChunks(source);
  let read = 0;
  async function* decoded(): AsyncGenerator<Buffer> {
    for await (const { text } of decodeText(bytes.chunks, name, MAX_HELD_BYTES, () => {})) {
      onBytes(bytes.bytesRead() - read);
      read = bytes.bytesRead();
      if (text !== '') yield Buffer.from(text);
    }
  }
  try {
    yield* wholeLines(decoded(), undefined);
  } finally {
    bytes.close();
  }
}

async function* counted(stream: AsyncIterable<Buffer>, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onBytes(chunk.length);
    yield chunk;
  }
}

async function* wholeLines(chunks: AsyncIterable<Buffer>, begin: number | undefined): AsyncGenerator<TextBlock> {
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let isSkipping = false;
  let offset = begin ?? 0;
  const take = (last: Buffer): TextBlock => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
    const block = { bytes, offset: begin === undefined ? undefined : offset, isTooLong: isSkipping };
    offset += heldBytes + last.length;
    pieces = [];
    heldBytes = 0;
    isSkipping = false;
    return block;
  };
  for await (const chunk of chunks) {
    let from = 0;
    if (isSkipping) {
      const end = chunk.indexOf(LINE_FEED) + 1;
      if (end === 0) {
        heldBytes += chunk.length;
        continue;
      }
      heldBytes += end;
      const block = take(Buffer.alloc(0));
      yield block;
      from = end;
    }
    const end = lastLineEnd(chunk);
    if (end > from) {
      yield take(chunk.subarray(from, end));
      from = end;
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) continue;
    pieces.push(rest);
    heldBytes += rest.length;
    if (heldBytes > MAX_HELD_BYTES) {
      isSkipping = true;
      pieces = [Buffer.from(Buffer.concat(pieces).subarray(0, 400))];
    }
  }
  if (heldBytes > 0) yield take(Buffer.alloc(0));
}

/** Position after the last line end, or 0. A carriage return at the very end may belong to a CR LF pair. */
function lastLineEnd(chunk: Buffer): number {
  const feed = chunk.lastIndexOf(LINE_FEED);
  if (feed >= 0) return feed + 1;
  const carriage = chunk.lastIndexOf(CARRIAGE_RETURN, chunk.length - 2);
  return chunk.length < 2 ? 0 : carriage + 1;
}

/** Yields a block that was read ahead, then the rest. */
export async function* withFirst(first: TextBlock, rest: AsyncGenerator<TextBlock>): AsyncGenerator<TextBlock> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
