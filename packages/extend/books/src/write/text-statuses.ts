import { STATUS_CODES } from '@leeward/engine';
import { writeCells } from '@leeward/rows';

import type { RowTerms } from '../batches/row-terms.ts';
import { type ExtraColumn, extraText } from './extra-columns.ts';
import { eachLongRow, longColumns, writeTermsText } from './long-rows.ts';
import type { ByteSink, StatusWriter, WrittenBatch } from './status-writer.ts';

type ExtraValues = NonNullable<WrittenBatch['extras']>;
const namesOf = (extras: readonly ExtraColumn[]) => extras.map(({ name }) => name);
const extraCells = (values: ExtraValues, row: number) => values.map((column) => extraText(column[row]) ?? '');
const extraObject = (extras: readonly ExtraColumn[], values: ExtraValues, row: number) =>
  Object.fromEntries(extras.map(({ name }, column) => [name, values[column]?.[row] ?? null]));

const FLUSH_CHARACTERS = 1 << 16;

/** Buffers lines of text. `addLines` calls `add` with each line of a batch. */
function createTextStatuses(
  sink: ByteSink,
  head: string,
  addLines: (batch: WrittenBatch, add: (line: string) => void) => void,
): StatusWriter {
  let text = head;
  const flush = () => {
    if (text !== '') sink(Buffer.from(text));
    text = '';
  };
  return {
    write(batch) {
      addLines(batch, (line) => {
        text += line;
        if (text.length >= FLUSH_CHARACTERS) flush();
      });
      flush();
    },
    end: async () => flush(),
  };
}

const eachRow =
  (lineOf: (batch: WrittenBatch, row: number) => string) => (batch: WrittenBatch, add: (line: string) => void) => {
    for (let row = 0; row < batch.rows; row++) add(lineOf(batch, row));
  };

/** Writes CSV: `row`, and a column of statuses for each carrier. A rejected row has empty cells. */
export function createCsvStatuses(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  sink: ByteSink,
  hasHead = true,
): StatusWriter {
  const none = ','.repeat(carriers.length);
  return createTextStatuses(
    sink,
    hasHead ? `${writeCells(['row', ...namesOf(extras), ...carriers])}\n` : '',
    eachRow(({ firstRow, codes, rejected, extras: values = [] }, row) => {
      const number = String(firstRow + row + 1);
      let line = values.length === 0 ? number : writeCells([number, ...extraCells(values, row)]);
      if (rejected.has(row)) return `${line}${none}\n`;
      for (let at = row * carriers.length, end = at + carriers.length; at < end; at++)
        line += `,${STATUS_CODES[codes[at]!]!}`;
      return `${line}\n`;
    }),
  );
}

/**
 * Writes NDJSON: `{"row":1,"statuses":{"bayou":"eligible"}}`. A row for every policy type has an object of statuses by type instead of a
 * status. A rejected row is `{"row":2,"faults":[…]}`.
 */
export function createNdjsonStatuses(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  policyTypes: readonly string[],
  sink: ByteSink,
): StatusWriter {
  const fragments = carriers.map((key) =>
    STATUS_CODES.map((status) => `${JSON.stringify(key)}:${JSON.stringify(status)}`),
  );
  return createTextStatuses(
    sink,
    '',
    eachRow(({ firstRow, codes, rejected, everyType, extras: values = [] }, row) => {
      const number = firstRow + row + 1;
      const refused = rejected.get(row);
      if (refused)
        return `${JSON.stringify({ row: number, ...extraObject(extras, values, row), faults: refused.faults })}\n`;
      const all = everyType.get(row);
      if (all) {
        const statuses = statusesOfTypes(carriers, policyTypes, all);
        return `${JSON.stringify({ row: number, ...extraObject(extras, values, row), statuses })}\n`;
      }
      let statuses = '';
      const from = row * carriers.length;
      for (let carrier = 0; carrier < carriers.length; carrier++)
        statuses += (carrier === 0 ? '' : ',') + fragments[carrier]![codes[from + carrier]!]!;
      const own = extras.map(
        ({ name }, column) => `,${JSON.stringify(name)}:${JSON.stringify(values[column]?.[row] ?? null)}`,
      );
      return `{"row":${number}${own.join('')},"statuses":{${statuses}}}\n`;
    }),
  );
}

function statusesOfTypes(carriers: readonly string[], policyTypes: readonly string[], codes: Uint8Array) {
  return Object.fromEntries(
    carriers.map((key, carrier) => [
      key,
      Object.fromEntries(
        policyTypes.map((type, index) => [type, STATUS_CODES[codes[index * carriers.length + carrier]!]!]),
      ),
    ]),
  );
}

/** Writes the long form as text: `row`, `carrier_key`, `status`, `codes`, `terms`, `possible_terms`. */
export function createLongStatuses(
  carriers: readonly string[],
  extras: readonly ExtraColumn[],
  format: 'csv' | 'ndjson',
  sink: ByteSink,
  hasHead = true,
): StatusWriter {
  const isCsv = format === 'csv';
  const head = isCsv && hasHead ? `${writeCells(['row', ...namesOf(extras), ...longColumns.slice(1)])}\n` : '';
  return createTextStatuses(sink, head, (batch, add) =>
    eachLongRow(batch, carriers.length, (row, index, carrier, status, codes, { terms, possibleTerms } = NO_TERMS) => {
      const key = carriers[carrier]!;
      const own = {
        ...(isEmpty(terms) ? {} : { terms }),
        ...(isEmpty(possibleTerms) ? {} : { possible_terms: possibleTerms }),
      };
      const { extras: values = [] } = batch;
      const cells = [key, status, codes.join(' '), writeTermsText(terms), writeTermsText(possibleTerms)];
      add(
        isCsv
          ? `${writeCells([String(row), ...extraCells(values, index), ...cells])}\n`
          : `${JSON.stringify({ row, ...extraObject(extras, values, index), carrier_key: key, status, codes, ...own })}\n`,
      );
    }),
  );
}

const NO_TERMS: RowTerms = { terms: {}, possibleTerms: {} };

const isEmpty = (terms: object) => Object.keys(terms).length === 0;
