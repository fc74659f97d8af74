/**
 * One thing wrong with an input: where (a JSON Pointer, `""` for the whole), what kind, and a sentence
 * that names the value received and the way out.
 */
export interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Joins keys into a JSON Pointer (RFC 6901). */
export function pointer(...keys: readonly (string | number)[]): string {
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
