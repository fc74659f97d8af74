import type { FileHandle } from 'node:fs/promises';
import { Message } from 'apache-arrow';
import { Footer as FlatFooter } from 'apache-arrow/fb/footer';
import { Message as FlatMessage } from 'apache-arrow/fb/message';
import { Schema as FlatSchema } from 'apache-arrow/fb/schema';
import { ByteBuffer } from 'flatbuffers';
import { DamageError } from '../source/damage.ts';
import { checkFooter, checkHead } from './check-head.ts';
import { type ArrowMessage, expectBody, MAGIC, MAX_HEAD_BYTES } from './stream-messages.ts';

/** Position of a message in an Arrow file: its padded head, then its body. */
interface FileMessage {
  readonly from: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
  /** Rows of a record batch; undefined for a dictionary. */
  readonly rows: number | undefined;
}

/** The messages of an Arrow file, or of a stream in a file. Reads only their heads to find them. */
export interface FileMessages {
  readonly schema: FlatSchema;
  readonly batchRows: readonly number[];
  /** Reads some record batches, and the dictionaries before them. The next batch reuses the memory of a body. */
  messages(fromBatch: number, toBatch: number): AsyncGenerator<ArrowMessage>;
}

const BODY_ALIGNMENT = 8;

/** The file is truncated or damaged at a record batch, counted from 0; undefined before the first. */
export class FileMessagesError extends DamageError {
  readonly batch: number | undefined;

  constructor(message: string, batch: number | undefined) {
    super(message);
    this.batch = batch;
  }
}

/** Finds the messages of a file. Throws a `FileMessagesError`. */
export async function findMessages(file: FileHandle): Promise<FileMessages> {
  const { size } = await file.stat();
  let batches: number | undefined;
  const fail = (what: string): never => {
    throw new FileMessagesError(what, batches);
  };
  const read = async (from: number, bytes: Uint8Array<ArrayBuffer>) => {
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) fail('the file ends before it');
      at += bytesRead;
    }
    return bytes;
  };

  /** Reads the head of a message; undefined at the end of a stream. */
  const messageAt = async (from: number) => {
    if (from + 4 > size) return undefined;
    const prefix = new DataView((await read(from, new Uint8Array(Math.min(8, size - from)))).buffer);
    // Before version 0.15, heads had no continuation marker.
    const isMarked = prefix.getInt32(0, true) === -1 && prefix.byteLength === 8;
    const length = prefix.getInt32(isMarked ? 4 : 0, true);
    if (length === 0 || (length === -1 && prefix.byteLength < 8)) return undefined;
    const headBytes = (isMarked ? 8 : 4) + length;
    if (length < 0 || length > MAX_HEAD_BYTES || from + headBytes > size) fail('a head reaches beyond the file');
    const head = await read(from + (isMarked ? 8 : 4), new Uint8Array(length));
    checkHead(head);
    const message = Message.decode(head);
    const { bodyLength: bodyBytes } = message;
    if (!(bodyBytes >= 0 && from + headBytes + bodyBytes <= size)) fail('the file ends before it');
    expectBody(bodyBytes);
    const place: FileMessage = {
      from,
      headBytes,
      bodyBytes,
      rows: message.isRecordBatch() ? Number(message.header().length) : undefined,
    };
    return { place, message, head };
  };

  const isFile = size >= 16 && Buffer.from(await read(0, new Uint8Array(6))).equals(MAGIC);
  const places: FileMessage[] = [];
  const add = (place: FileMessage) => {
    places.push(place);
    if (place.rows !== undefined) batches = (batches ?? 0) + 1;
  };
  let schema: FlatSchema;
  if (isFile) {
    // The footer lists the messages, in any order.
    const tail = await read(size - 10, new Uint8Array(10));
    const footerBytes = new DataView(tail.buffer).getInt32(0, true);
    if (!Buffer.from(tail).subarray(4).equals(MAGIC) || !(footerBytes > 0 && footerBytes < size - 10))
      fail('it has no end');
    const tailBytes = await read(size - 10 - footerBytes, new Uint8Array(footerBytes));
    const footer = FlatFooter.getRootAsFooter(new ByteBuffer(tailBytes));
    checkFooter(footer, footerBytes);
    schema = footer.schema()!;
    batches = 0;
    for (const from of blocksOf(footer)) {
      const next = await messageAt(from);
      if (!next) return fail('its footer names a message that does not exist');
      add(next.place);
    }
  } else {
    const first = await messageAt(0);
    if (!first?.message.isSchema()) return fail('it does not begin with a schema');
    schema = FlatMessage.getRootAsMessage(new ByteBuffer(first.head)).header(new FlatSchema()) as FlatSchema;
    batches = 0;
    for (let from = first.place.headBytes + first.place.bodyBytes; ; ) {
      const next = await messageAt(from);
      if (!next) break;
      add(next.place);
      from += next.place.headBytes + next.place.bodyBytes;
    }
  }

  return {
    schema,
    batchRows: places.flatMap(({ rows }) => (rows === undefined ? [] : [rows])),
    async *messages(fromBatch, toBatch) {
      let buffer = new Uint8Array(0);
      let batch = 0;
      for (const { from, headBytes, bodyBytes, rows } of places) {
        if (rows !== undefined && (batch >= toBatch || batch++ < fromBatch)) continue;
        const { head, message } = (await messageAt(from))!;
        const bodyAt = from + headBytes;
        if (rows === undefined) {
          yield { head, message, body: await read(bodyAt, new Uint8Array(bodyBytes)) };
          continue;
        }
        if (buffer.length < bodyBytes)
          buffer = new Uint8Array(Math.ceil((1.1 * bodyBytes) / BODY_ALIGNMENT) * BODY_ALIGNMENT);
        yield { head, message, body: await read(bodyAt, buffer.subarray(0, bodyBytes)) };
      }
    },
  };
}

/** Offsets of the messages of a file, dictionaries first. */
function* blocksOf(footer: FlatFooter): Generator<number> {
  for (let index = 0; index < footer.dictionariesLength(); index++) yield Number(footer.dictionaries(index)!.offset());
  for (let index = 0; index < footer.recordBatchesLength(); index++)
    yield Number(footer.recordBatches(index)!.offset());
}
