import { MAX_LINE_CHARACTERS } from '@leeward/books/evaluate';
import { encodingOf } from '@leeward/rows';

/** Whole lines, as UTF-8. */
export interface TextBlock {
  readonly bytes: Uint8Array;
  /** The line is too long; `bytes` is its beginning. */
  readonly isTooLong: boolean;
}

const MAX_HELD_BYTES = 3 * MAX_LINE_CHARACTERS;
const SHOWN_BYTES = 400;
const LINE_FEED = 0x0a;

/** Yields lines in blocks. Decompresses gzip, converts UTF-16. */
export async function* textBlocks(file: Blob, onRead: (bytes: number) => void): AsyncGenerator<TextBlock> {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const isPacked = head[0] === 0x1f && head[1] === 0x8b;
  const encoding = isPacked ? 'utf-8' : encodingOf(head);
  let read = 0;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.length;
        onRead(read);
        controller.enqueue(chunk);
      },
    }),
  );
  const plain = isPacked ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const chunks =
    encoding === 'utf-8'
      ? plain
      : plain.pipeThrough(new TextDecoderStream(encoding)).pipeThrough(new TextEncoderStream());
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isSkipping = false;
  const take = (last: Uint8Array): TextBlock => {
    const block = { bytes: pending.length === 0 ? last : joined([...pending, last]), isTooLong: isSkipping };
    pending = [];
    pendingBytes = 0;
    isSkipping = false;
    return block;
  };
  const reader = chunks.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    let rest: Uint8Array = value;
    if (isSkipping) {
      const end = rest.indexOf(LINE_FEED) + 1;
      if (end === 0) continue;
      yield take(new Uint8Array());
      rest = rest.subarray(end);
    }
    const end = rest.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield take(rest.subarray(0, end));
    if (end === rest.length) continue;
    pending.push(rest.subarray(end));
    pendingBytes += rest.length - end;
    if (pendingBytes > MAX_HELD_BYTES) {
      isSkipping = true;
      pending = [joined(pending).slice(0, SHOWN_BYTES)];
      pendingBytes = SHOWN_BYTES;
    }
  }
  if (pendingBytes > 0) yield take(new Uint8Array());
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
