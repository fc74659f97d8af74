import assert from 'node:assert/strict';
import type { SuiteCase } from '@leeward/quotes/testing';
import { exampleFields, exampleRequest } from '@leeward/quotes/testing';
import { isObject, type JsonObject, type JsonValue, own } from '@leeward/terms';
import { checkHttpCarrier } from '../http/check-http-carrier.ts';
import { fromCarrier, toCarrier } from '../http/dialect/convert.ts';
import { readDocument, writeDocument } from '../http/dialect/document.ts';
import type { HttpCarrierFile } from '../http/schema.ts';
import { lookUp } from '../http/template.ts';
import { valuesOf } from '../http/values-of.ts';

/** A carrier with a dialect, and homes to write and read back. */
export interface DialectSuiteOptions {
  /** Parsed JSON of `http-carrier.json`. */
  readonly file: unknown;
  /** `fields` of quote requests. @default one inland home in Florida */
  readonly homes?: readonly JsonObject[] | undefined;
  /** @default each secret is its name */
  readonly secrets?: ((name: string) => string | undefined) | undefined;
}

/**
 * Returns test cases: documents can be read back without loss.
 * @example
 * for (const { name, run } of dialectSuite({ file })) it(name, run);
 */
export function dialectSuite(options: DialectSuiteOptions): SuiteCase[] {
  const { file, homes = [exampleFields], secrets = (name: string) => name } = options;
  const described = (): HttpCarrierFile & { dialect: NonNullable<HttpCarrierFile['dialect']> } => {
    const { carrier, faults } = checkHttpCarrier(file, { secrets });
    assert.deepEqual(faults, []);
    assert.ok(carrier?.dialect !== undefined, 'The carrier has no dialect.');
    return { ...carrier, dialect: carrier.dialect };
  };
  const requestsOf = (carrier: HttpCarrierFile, fields: JsonObject): JsonObject[] =>
    carrier.offers
      .flatMap(({ form_types }) => form_types)
      .map((formType) => valuesOf({ ...exampleRequest, formType, fields } as typeof exampleRequest, 'rate-1'));
  return [
    { name: 'is described without faults', run: async () => void described() },
    {
      name: 'writes every home and reads it back',
      async run() {
        const carrier = described();
        const { dialect } = carrier;
        for (const values of homes.flatMap((fields) => requestsOf(carrier, fields))) {
          const document = writeDocument(dialect, values, lookUp);
          assert.ok(
            'text' in document,
            `Values are missing: ${JSON.stringify('answer' in document && document.answer)}`,
          );
          const read = readDocument(dialect, document.text);
          assert.deepEqual(read.faults, []);
          // Some amounts are rounded and some codes stand for several values.
          const again = writeDocument(
            dialect,
            { ...values, ...read.values },
            (all, name) => (own(all, name) as JsonValue) ?? lookUp(all, name),
          );
          assert.deepEqual(again, document);
          for (const { field, table, unit, default: usual } of dialect.request) {
            if (field === undefined || table !== undefined || unit !== undefined) continue;
            const sent = lookUp(values, field);
            const back = read.values[field];
            if (sent === undefined || sent === null || (back === undefined && usual !== undefined)) continue;
            assert.equal(String(back), String(sent), `${field} is read back differently`);
          }
        }
      },
    },
    {
      name: 'reads back every value of its tables',
      async run() {
        const { dialect } = described();
        for (const entry of dialect.request) {
          const table = entry.table === undefined ? {} : own(dialect.tables, entry.table);
          assert.ok(isObject(table));
          for (const word of Object.keys(table)) {
            const written = toCarrier(word, entry, dialect);
            assert.notEqual(written, undefined, `${entry.path} has no word for ${word}`);
            const back = fromCarrier(written, entry, dialect);
            assert.notEqual(back, undefined, `${entry.path} cannot read ${written} back`);
            assert.equal(toCarrier(back!, entry, dialect), written, `${entry.path} reads ${written} as another word`);
          }
        }
      },
    },
    {
      name: 'sends nothing for a home without required values, and names them',
      async run() {
        const carrier = described();
        const { dialect } = carrier;
        const requiredEntries = dialect.request.filter(
          ({ required, field, default: usual }) => required && usual === undefined && field?.startsWith('fields.'),
        );
        for (const values of requestsOf(carrier, {})) {
          const document = writeDocument(dialect, values, lookUp);
          const fields =
            'answer' in document ? (document.answer.messages ?? []).map(({ field }) => `fields.${field}`) : [];
          for (const { field } of requiredEntries) assert.ok(fields.includes(field!), `${field} is not fields`);
          if (requiredEntries.length > 0) assert.ok(!('text' in document), 'It was sent without required values.');
        }
      },
    },
  ];
}
