import { DictionaryBatch as FlatDictionaryBatch } from 'apache-arrow/fb/dictionary-batch';
import { Field as FlatField } from 'apache-arrow/fb/field';
import type { Footer as FlatFooter } from 'apache-arrow/fb/footer';
import { Message as FlatMessage } from 'apache-arrow/fb/message';
import { MessageHeader } from 'apache-arrow/fb/message-header';
import { RecordBatch as FlatRecordBatch } from 'apache-arrow/fb/record-batch';
import { Schema as FlatSchema } from 'apache-arrow/fb/schema';
import { ByteBuffer } from 'flatbuffers';
import { DamageError } from '../source/damage.ts';

/** Sizes of list entries in a head: table offsets, nodes, buffers, counts and blocks. */
const OFFSET_BYTES = 4;
const COUNT_BYTES = 8;
const PAIR_BYTES = 16;
const BLOCK_BYTES = 24;

const MAX_DEPTH = 64;

/** Throws a `DamageError` for a head whose lists are longer than the head. The library would allocate memory for them first. */
export function checkHead(head: Uint8Array): void {
  const message = FlatMessage.getRootAsMessage(new ByteBuffer(head));
  const expect = expectWithin(head.length);
  expect(message.customMetadataLength(), OFFSET_BYTES);
  const type = message.headerType();
  if (type === MessageHeader.Schema) checkSchema(message.header(new FlatSchema()) as FlatSchema | null, head.length);
  if (type === MessageHeader.RecordBatch) checkBatch(message.header(new FlatRecordBatch()) as FlatRecordBatch, expect);
  if (type === MessageHeader.DictionaryBatch)
    checkBatch((message.header(new FlatDictionaryBatch()) as FlatDictionaryBatch | null)?.data(), expect);
}

/** Like `checkHead`, for the end of a file. */
export function checkFooter(footer: FlatFooter, bytes: number): void {
  const expect = expectWithin(bytes);
  expect(footer.dictionariesLength(), BLOCK_BYTES);
  expect(footer.recordBatchesLength(), BLOCK_BYTES);
  checkSchema(footer.schema(), bytes);
}

type Expect = (count: number, width: number) => void;

function expectWithin(bytes: number): Expect {
  return (count, width) => {
    if (!(count >= 0 && count * width <= bytes)) throw new DamageError('a head lists more than it holds');
  };
}

function checkBatch(batch: FlatRecordBatch | null | undefined, expect: Expect): void {
  if (!batch) throw new DamageError('a head is empty');
  expect(batch.nodesLength(), PAIR_BYTES);
  expect(batch.buffersLength(), PAIR_BYTES);
  expect(batch.variadicBufferCountsLength(), COUNT_BYTES);
}

function checkSchema(schema: FlatSchema | null, bytes: number): void {
  if (!schema) throw new DamageError('it has no schema');
  // Parts may be referenced more than once, so their total is limited too.
  let fields = 0;
  const expect = expectWithin(bytes);
  const check = (field: FlatField | null, depth: number) => {
    fields += 1;
    if (!field || depth > MAX_DEPTH) throw new DamageError('its schema is not a tree of columns');
    expect(fields, COUNT_BYTES);
    expect(field.customMetadataLength(), OFFSET_BYTES);
    expect(field.childrenLength(), OFFSET_BYTES);
    for (let index = 0; index < field.childrenLength(); index++)
      check(field.children(index, new FlatField()), depth + 1);
  };
  expect(schema.fieldsLength(), OFFSET_BYTES);
  for (let index = 0; index < schema.fieldsLength(); index++) check(schema.fields(index, new FlatField()), 1);
}
