/**
 * One thing wrong with an input: where (a JSON Pointer, `""` for the whole), what kind, and a sentence
 * that names the value received and the way out.
 */
export interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What is wrong with a value: the fault without its place. */
export type Refusal = Omit<Fault, 'path'>;

/** What a value means, or what is wrong with it. */
export type Checked<Value> = { readonly value: Value } | Refusal;

/** Something that does not stop the answer, but that the caller should know. Same shape as a fault. */
export type Warning = Fault;

/** Joins keys into a JSON Pointer (RFC 6901). */
export function pointer(...keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Prints a received value in a message: JSON, cut to a readable length, never throwing. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = Object.prototype.toString.call(value);
  }
  // A cut may fall inside a character of two units.
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}

/**
 * What a received value is like where it is personal and so not repeated: whoever sent it has it, and problems are kept
 * in logs and tickets where nobody looks for persons.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value === '' ? 'empty' : `text of ${[...value].length} characters that cannot be used`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
