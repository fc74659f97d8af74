import { STATUS_CODES } from '@leeward/engine';
import {
  type Data,
  type DataType,
  Dictionary,
  Field,
  Int64,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Uint8 as Uint8Type,
  Uint16,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { createArrowStream, extraData, extraFields } from './arrow-stream.ts';
import type { ExtraColumn } from './extra-columns.ts';
import { eachLongRow, longColumns, writeTermsText } from './long-rows.ts';
import type { ByteSink, StatusWriter } from './status-writer.ts';

/** Writes the long form as an Arrow stream: the columns of `longColumns`, with codes separated by spaces. */
export function createLongArrow(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  sink: ByteSink,
): StatusWriter {
  const carrierType = new Dictionary(new Utf8(), new Uint16(), 0);
  const statusType = new Dictionary(new Utf8(), new Uint8Type(), 1);
  const carrierWords = makeVector(vectorFromArray([...carriers], new Utf8()).data[0]!);
  const statusWords = makeVector(vectorFromArray([...STATUS_CODES], new Utf8()).data[0]!);
  const schema = new Schema([
    new Field('row', new Int64(), false),
    ...extraFields(extras),
    new Field('carrier_key', carrierType, false),
    new Field('status', statusType, false),
    ...longColumns.slice(3).map((name) => new Field(name, new Utf8(), false)),
  ]);
  const stream = createArrowStream(schema, sink);
  return {
    write(batch) {
      const maxRows = batch.rows * carriers.length;
      const rows = new BigInt64Array(maxRows);
      const keys = new Uint16Array(maxRows);
      const statuses = new Uint8Array(maxRows);
      const texts: [codes: string[], terms: string[], possibleTerms: string[]] = [[], [], []];
      const own: unknown[][] = extras.map(() => []);
      eachLongRow(batch, carriers.length, (row, index, carrier, status, codes, terms) => {
        const at = texts[0].length;
        rows[at] = BigInt(row);
        keys[at] = carrier;
        statuses[at] = STATUS_CODES.indexOf(status);
        own.forEach((values, column) => void values.push(batch.extras?.[column]?.[index]));
        texts[0].push(codes.join(' '));
        texts[1].push(writeTermsText(terms?.terms));
        texts[2].push(writeTermsText(terms?.possibleTerms));
      });
      const { length } = texts[0];
      if (length === 0) return;
      const children: Data<DataType>[] = [
        makeData({ type: new Int64(), length, data: rows.subarray(0, length) }),
        ...extras.map((column, index) => extraData(column, own[index]!)),
        makeData({ type: carrierType, length, data: keys.subarray(0, length), dictionary: carrierWords }),
        makeData({ type: statusType, length, data: statuses.subarray(0, length), dictionary: statusWords }),
        ...texts.map((text) => vectorFromArray(text, new Utf8()).data[0]!),
      ];
      stream.write(new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, children })));
    },
    end: () => stream.end(),
  };
}
