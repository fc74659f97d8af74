import type { CarrierAnswer } from '@leeward/quotes';
import { type Fault, isObject, type JsonObject, type JsonValue, own, quoteValue, valueAtPointer } from '@leeward/terms';
import { answerMissing } from '../missing-fields.ts';
import { fromCarrier, toCarrier } from './convert.ts';
import type { DialectEntry, DialectFile } from './schema.ts';
import { parseXml, writeXml } from './xml.ts';

/** Or the answer if required values are missing. */
export type MadeDocument = { readonly text: string } | { readonly answer: CarrierAnswer };

export function writeDocument(
  dialect: DialectFile,
  values: JsonObject,
  lookUp: (values: JsonObject, name: string) => JsonValue | undefined,
): MadeDocument {
  const root: JsonObject = {};
  const missing: DialectEntry[] = [];
  for (const entry of dialect.request) {
    const value = entry.field === undefined ? entry.constant : lookUp(values, entry.field);
    const list = Array.isArray(value) ? value : undefined;
    const write = (each: JsonValue) => (entry.field === undefined ? entry.constant : toCarrier(each, entry, dialect));
    const written =
      list === undefined
        ? ((value === undefined || value === null ? undefined : write(value)) ?? entry.default)
        : list.map(write).filter((each) => each !== undefined);
    if (written !== undefined) place(root, entry.path, written);
    else if (entry.required === true) missing.push(entry);
  }
  if (missing.length > 0)
    return { answer: answerMissing(missing.map(({ field = '', path }) => ({ name: field, path }))) };
  return { text: dialect.format === 'xml' ? writeXml(dialect.root!, root) : JSON.stringify(root) };
}

/** Values by name, and deviations from the dialect. */
export interface ReadDocument {
  readonly values: JsonObject;
  readonly faults: readonly Fault[];
}

/**
 * As the carrier would.
 * @example
 * readDocument(carrier.dialect, sent.body).values;
 */
export function readDocument(dialect: DialectFile, text: string): ReadDocument {
  const whole = dialect.format === 'xml' ? parseXml(text, { prefixes: true }) : parseJson(text);
  const content = dialect.format === 'xml' ? own(whole, dialect.root!) : whole;
  if (!isObject(content)) {
    const message = `This is not a document in ${dialect.format.toUpperCase()}${dialect.root === undefined ? '' : ` with the root ${dialect.root}`}.`;
    return { values: {}, faults: [{ path: '', code: 'not_a_document', message }] };
  }
  const values: Record<string, JsonValue> = {};
  const faults: Fault[] = [];
  for (const entry of dialect.request) {
    const written = valueAtPointer(content, entry.path);
    const wrong = (code: string, message: string) => faults.push({ path: entry.path, code, message });
    if (written === undefined) {
      if (entry.required === true) wrong('required', `${entry.field ?? 'A constant'} is missing here.`);
    } else if (entry.field === undefined) {
      if (String(written) !== String(entry.constant))
        wrong('not_constant', `${quoteValue(written)} should be ${quoteValue(entry.constant)}.`);
    } else {
      const read = Array.isArray(written)
        ? written.map((each) => fromCarrier(each, entry, dialect))
        : fromCarrier(written, entry, dialect);
      const isRead = Array.isArray(read) ? !read.includes(undefined) : read !== undefined;
      // A default can stand for several values, or none.
      if (isRead) values[entry.field] = read as JsonValue;
      else if (String(written) !== String(entry.default)) {
        wrong(
          'unknown_value',
          `${quoteValue(written)} is not a value of ${entry.field} in the dialect. Add it to its table, or correct the document.`,
        );
      }
    }
  }
  return { values, faults };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At a JSON Pointer; creates objects, and lists before numeric steps. */
function place(root: JsonObject, path: string, value: JsonValue): void {
  const steps = path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let at: Record<string, JsonValue> = root as Record<string, JsonValue>;
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (!Object.hasOwn(at, step)) at[step] = /^\d+$/.test(steps[index + 1]!) ? [] : {};
    at = at[step] as Record<string, JsonValue>;
  }
  at[steps.at(-1)!] = value;
}
