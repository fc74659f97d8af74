import { Message } from 'apache-arrow';
import { DamageError } from '../source/damage.ts';
import { checkHead } from './check-head.ts';

/** A message of Arrow IPC: its decoded head, and its body. */
export interface ArrowMessage {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly message: Message;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Maximum size of a head. */
export const MAX_HEAD_BYTES = 2 ** 28;
/** Maximum size of a body, which is in one buffer. */
export const MAX_BODY_BYTES = 2 ** 31;
export const MAGIC = Buffer.from('ARROW1', 'latin1');
const MAGIC_BYTES = 8;

/**
 * The messages of a stream, or of a file that arrives as a stream. Memory is allocated for received bytes, not for declared sizes.
 * Throws a `DamageError`.
 */
export async function* streamMessages(input: AsyncIterable<Uint8Array>): AsyncGenerator<ArrowMessage> {
  const bytes = createByteQueue(input);
  try {
    for (let isFirst = true; ; isFirst = false) {
      let prefix = await bytes.take(4);
      if (isFirst && prefix && MAGIC.subarray(0, 4).equals(prefix)) {
        await bytes.take(MAGIC_BYTES - 4);
        prefix = await bytes.take(4);
      }
      if (!prefix) return;
      // Before version 0.15, heads had no continuation marker.
      let length = new DataView(prefix.buffer).getInt32(0, true);
      if (length === -1) {
        const marked = await bytes.take(4);
        if (!marked) return;
        length = new DataView(marked.buffer).getInt32(0, true);
      }
      if (length === 0) return;
      if (length < 0 || length > MAX_HEAD_BYTES) throw new DamageError('a head reaches beyond the stream');
      const head = await bytes.take(length);
      if (!head) throw new DamageError('the stream ends within a head');
      checkHead(head);
      const message = Message.decode(head);
      expectBody(message.bodyLength);
      const body = await bytes.take(message.bodyLength);
      if (!body) throw new DamageError('the stream ends before it');
      yield { head, message, body };
    }
  } finally {
    await bytes.close();
  }
}

export function expectBody(bytes: number): void {
  if (!(bytes >= 0 && bytes <= MAX_BODY_BYTES))
    throw new DamageError(
      `it declares ${bytes.toLocaleString('en-US')} bytes, and ${MAX_BODY_BYTES.toLocaleString('en-US')} at most are read in one piece; write smaller record batches`,
    );
}

function createByteQueue(input: AsyncIterable<Uint8Array>) {
  const chunks = input[Symbol.asyncIterator]();
  let chunksLeft: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    /** The next `count` bytes as a new array; undefined if the input ends before them. */
    async take(count: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
      while (heldBytes < count) {
        const { done, value } = await chunks.next();
        if (done) return undefined;
        chunksLeft.push(value);
        heldBytes += value.length;
      }
      const result = new Uint8Array(count);
      let to = 0;
      while (to < count) {
        const first = chunksLeft[0]!;
        const part = first.subarray(0, count - to);
        result.set(part, to);
        to += part.length;
        if (part.length === first.length) chunksLeft.shift();
        else chunksLeft[0] = first.subarray(part.length);
      }
      heldBytes -= count;
      return result;
    },
    async close() {
      chunksLeft = [];
      await chunks.return?.();
    },
  };
}
