import type { CarrierAnswer } from '@leeward/quotes';
import { type Fault, isObject, type JsonObject, type JsonValue, own, quoteValue, valueAtPointer } from '@leeward/terms';
import { answerMissing } from '../missing-fields.ts';
import { fromCarrier, toCarrier } from './convert.ts';
import type { DialectEntry, DialectFile } from './schema.ts';
import { parseXml, writeXml } from './xml.ts';

/** A document to send; or what is missing for it. */
export type MadeDocument = { readonly text: string } | { readonly answer: CarrierAnswer };

/** Makes a carrier's document of what templates can name. */
export function writeDocument(
  dialect: DialectFile,
  values: JsonObject,
  lookUp: (values: JsonObject, name: string) => JsonValue | undefined,
): MadeDocument {
  const root: JsonObject = {};
  const missing: DialectEntry[] = [];
  for (const entry of dialect.request) {
    const given = entry.field === undefined ? entry.constant : lookUp(values, entry.field);
    const list = Array.isArray(given) ? given : undefined;
    const write = (value: JsonValue) => (entry.field === undefined ? entry.constant : toCarrier(value, entry, dialect));
    const said =
      list === undefined
        ? ((given === undefined || given === null ? undefined : write(given)) ?? entry.default)
        : list.map(write).filter((each) => each !== undefined);
    if (said !== undefined) place(root, entry.path, said);
    else if (entry.required === true) missing.push(entry);
  }
  if (missing.length > 0)
    return { answer: answerMissing(missing.map(({ field = '', path }) => ({ name: field, path }))) };
  return { text: dialect.format === 'xml' ? writeXml(dialect.root!, root) : JSON.stringify(root) };
}

/** What a document says, by the names that templates have, or what of it is not as the dialect has it. */
export interface ReadDocument {
  readonly values: JsonObject;
  readonly faults: readonly Fault[];
}

/** Reads such a document back, as the carrier would. */
export function readDocument(dialect: DialectFile, text: string): ReadDocument {
  const whole = dialect.format === 'xml' ? parseXml(text, { prefixes: true }) : parseJson(text);
  const content = dialect.format === 'xml' ? own(whole, dialect.root!) : whole;
  if (!isObject(content)) {
    const message = `This is no document in ${dialect.format.toUpperCase()}${dialect.root === undefined ? '' : ` whose root is ${dialect.root}`}.`;
    return { values: {}, faults: [{ path: '', code: 'not_a_document', message }] };
  }
  const values: Record<string, JsonValue> = {};
  const faults: Fault[] = [];
  for (const entry of dialect.request) {
    const said = valueAtPointer(content, entry.path);
    const wrong = (code: string, message: string) => faults.push({ path: entry.path, code, message });
    if (said === undefined) {
      if (entry.required === true)
        wrong('required', `${entry.field ?? 'A constant'} belongs here, and there is nothing.`);
    } else if (entry.field === undefined) {
      if (String(said) !== String(entry.constant))
        wrong('not_constant', `${quoteValue(said)} should be ${quoteValue(entry.constant)}.`);
    } else {
      const read = Array.isArray(said)
        ? said.map((each) => fromCarrier(each, entry, dialect))
        : fromCarrier(said, entry, dialect);
      const isRead = Array.isArray(read) ? !read.includes(undefined) : read !== undefined;
      // A default may be a word that stands for many, or for none: nothing is read from it.
      if (isRead) values[entry.field] = read as JsonValue;
      else if (String(said) !== String(entry.default)) {
        wrong(
          'unknown_value',
          `${quoteValue(said)} is no word of the dialect for ${entry.field}; add it to its table, or mend the document.`,
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

/** Puts a value at a JSON Pointer: objects, and lists where a step is a number, are made on the way. */
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
