/** One error in an input. */
export interface Fault {
  /** JSON Pointer (RFC 6901); `""` for the whole input. */
  readonly path: string;
  readonly code: string;
  /** Names the value received and how to fix it. */
  readonly message: string;
}

/** A fault whose place the caller adds. */
export type Refusal = Omit<Fault, 'path'>;

/** A value, or the reason why it could not be read. */
export type Checked<Value> = { readonly value: Value } | Refusal;

/** Like a fault, but the request is answered. */
export type Warning = Fault;

/**
 * A JSON Pointer (RFC 6901).
 * @example
 * pointer('rows', 3, 'a/b'); // '/rows/3/a~1b'
 */
export function pointer(...keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * JSON of at most 78 characters. Never throws.
 * @example
 * quoteValue('ho9'); // '"ho9"'
 */
export function quoteValue(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    // Circular, nested too deep, or a bigint.
    text = typeof value === 'object' ? describeValue(value) : String(value);
  }
  return text.length > 80 ? `${text.slice(0, 77).toWellFormed()}…` : text;
}

/**
 * For a personal value: problems are copied into logs and tickets.
 * @example
 * describeValue('Dana'); // 'text of 4 characters that cannot be used'
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value === '' ? 'empty' : `text of ${[...value].length} characters that cannot be used`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
