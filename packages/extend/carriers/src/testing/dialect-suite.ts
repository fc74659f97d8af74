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

/** The description of a carrier with a dialect, and homes that are to go there and back. */
export interface DialectSuiteOptions {
  /** As `http-carrier.json` has it. */
  readonly file: unknown;
  /** `fields` of quote requests. Default: one ordinary inland home in Florida. */
  readonly homes?: readonly JsonObject[] | undefined;
  /** Secrets that the file names. Default: each is its own name. */
  readonly secrets?: ((name: string) => string | undefined) | undefined;
}

/** What every dialect of a carrier over HTTP promises: what it writes is read back as what was meant. */
export function dialectSuite(options: DialectSuiteOptions): SuiteCase[] {
  const { file, homes = [exampleFields], secrets = (name: string) => name } = options;
  const described = (): HttpCarrierFile & { dialect: NonNullable<HttpCarrierFile['dialect']> } => {
    const { carrier, faults } = checkHttpCarrier(file, { secrets });
    assert.deepEqual(faults, []);
    assert.ok(carrier?.dialect !== undefined, 'it has no dialect');
    return { ...carrier, dialect: carrier.dialect };
  };
  const requestsOf = (carrier: HttpCarrierFile, fields: JsonObject): JsonObject[] =>
    carrier.offers
      .flatMap(({ form_types }) => form_types)
      .map((formType) => valuesOf({ ...exampleRequest, formType, fields } as typeof exampleRequest, 'rate-1'));
  return [
    { name: 'is described without faults', run: async () => void described() },
    {
      name: 'writes every home, and reads it back as it was meant',
      async run() {
        const carrier = described();
        const { dialect } = carrier;
        for (const values of homes.flatMap((fields) => requestsOf(carrier, fields))) {
          const made = writeDocument(dialect, values, lookUp);
          assert.ok('text' in made, `something is missing: ${JSON.stringify('answer' in made && made.answer)}`);
          const read = readDocument(dialect, made.text);
          assert.deepEqual(read.faults, []);
          // What was read says the same: to the letter, where an amount was rounded on the way or a code stands for several.
          const again = writeDocument(
            dialect,
            { ...values, ...read.values },
            (all, name) => (own(all, name) as JsonValue) ?? lookUp(all, name),
          );
          assert.deepEqual(again, made);
          for (const { field, table, unit, default: usual } of dialect.request) {
            if (field === undefined || table !== undefined || unit !== undefined) continue;
            const given = lookUp(values, field);
            const back = read.values[field];
            if (given === undefined || given === null || (back === undefined && usual !== undefined)) continue;
            assert.equal(String(back), String(given), `${field} comes back otherwise`);
          }
        }
      },
    },
    {
      name: 'has a way back for every word of its tables',
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
      name: 'sends nothing of a home of which nothing is known, where it wants something, and names what',
      async run() {
        const carrier = described();
        const { dialect } = carrier;
        const wanted = dialect.request.filter(
          ({ required, field, default: usual }) => required && usual === undefined && field?.startsWith('fields.'),
        );
        for (const values of requestsOf(carrier, {})) {
          const made = writeDocument(dialect, values, lookUp);
          const named = 'answer' in made ? (made.answer.messages ?? []).map(({ field }) => `fields.${field}`) : [];
          for (const { field } of wanted) assert.ok(named.includes(field!), `${field} is not named`);
          if (wanted.length > 0) assert.ok(!('text' in made), 'it is sent without what it wants');
        }
      },
    },
  ];
}
