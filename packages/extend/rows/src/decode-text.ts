import { piecesOf, type TextPiece } from './pieces-of-block.ts';
import { RowFileError } from './row-file-error.ts';

/** The encoding of a file. Lines that are not UTF-8 are decoded as Windows-1252. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Number of bytes to recognize the encoding. */
const HEAD_BYTES = 1024;

/**
 * Decodes a file in pieces. UTF-16 is recognized by its byte order mark or its zero bytes. Otherwise each line is UTF-8 if valid, else
 * Windows-1252, because some programs mix them.
 *
 * @param maxHeldBytes Maximum number of bytes kept until a line ends.
 * @throws {RowFileError} if the file is not text.
 *
 * @example
 * for await (const { text } of decodeText(openChunks('policies.csv').chunks, 'policies.csv', 1 << 20, console.log)) console.log(text);
 */
export async function* decodeText(
  chunks: AsyncIterator<Uint8Array>,
  name: string,
  maxHeldBytes: number,
  onEncoding: (encoding: Encoding) => void,
): AsyncGenerator<TextPiece> {
  let head: Uint8Array = new Uint8Array();
  let isEnd = false;
  while (head.length < HEAD_BYTES && !isEnd) {
    const { done, value } = await chunks.next();
    if (done) isEnd = true;
    else head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  refuseOtherFiles(head, name);
  const encoding = encodingOf(head);
  onEncoding(encoding);
  const bytes = startingWith(head, chunks, isEnd);
  if (encoding === 'utf-8') yield* decodeLines(bytes, maxHeldBytes);
  else {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of bytes) yield { text: decoder.decode(chunk, { stream: true }), isWindows1252: false };
    yield { text: decoder.decode(), isWindows1252: false };
  }
}

async function* startingWith(
  head: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
  isEnd: boolean,
): AsyncGenerator<Uint8Array> {
  yield head;
  while (!isEnd) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}

async function* decodeLines(chunks: AsyncIterable<Uint8Array>, maxHeldBytes: number): AsyncGenerator<TextPiece> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isFirst = true;
  const release = (last: Uint8Array): Buffer => {
    const block = Buffer.concat([...pending, last]);
    pending = [];
    pendingBytes = 0;
    const hasMark = isFirst && block[0] === 0xef && block[1] === 0xbb && block[2] === 0xbf;
    isFirst = false;
    return hasMark ? block.subarray(3) : block;
  };
  for await (const chunk of chunks) {
    const end = Math.max(chunk.lastIndexOf(LINE_FEED), chunk.lastIndexOf(CARRIAGE_RETURN)) + 1;
    if (end > 0) yield* piecesOf(release(chunk.subarray(0, end)));
    const rest = chunk.subarray(end);
    pending.push(rest);
    pendingBytes += rest.length;
    if (pendingBytes > maxHeldBytes) yield* piecesOf(release(new Uint8Array()));
  }
  yield* piecesOf(release(new Uint8Array()));
}

/**
 * Recognizes the encoding of a file by its first bytes.
 *
 * @example
 * const encoding = encodingOf(bytes.subarray(0, 1024));
 */
export function encodingOf(head: Uint8Array): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // Latin letters in UTF-16 have a zero byte. UTF-8 text has no zeros.
  const zeros = [0, 0];
  const length = Math.min(head.length, HEAD_BYTES);
  for (let at = 0; at < length; at += 1) if (head[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const many = 0.15 * length;
  if (odd > many && odd > 10 * even) return 'utf-16le';
  if (even > many && even > 10 * odd) return 'utf-16be';
  return 'utf-8';
}

/** First bytes of other files, with advice. */
const otherFiles: readonly (readonly [string, string])[] = [
  ['504b0304', 'a workbook or another ZIP archive; save the sheet as CSV'],
  ['d0cf11e0', 'an old workbook; save the sheet as CSV'],
  ['50415231', 'Parquet; write it as CSV or NDJSON'],
  ['4152524f5731', 'Arrow; write it as CSV or NDJSON'],
  ['25504446', 'a PDF'],
  ['53514c69746520666f726d6174', 'an SQLite database'],
  ['fffe0000', 'UTF-32 text; save it as UTF-8'],
  ['0000feff', 'UTF-32 text; save it as UTF-8'],
];

function refuseOtherFiles(head: Uint8Array, name: string): void {
  const start = Buffer.from(head.subarray(0, 16)).toString('hex');
  const other = otherFiles.find(([magic]) => start.startsWith(magic));
  if (other) throw new RowFileError('not_text', `${name} is ${other[1]}.`);
}
