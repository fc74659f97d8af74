/** A value that JSON can represent. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A read-only JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Returns true for objects, but not for null and arrays.
 * @example
 * isObject([]); // false
 */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a property of the object, not of its prototype. Inherited properties, such as `__proto__`, are undefined.
 * @example
 * own({ state: 'tx' }, 'constructor'); // undefined
 */
export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Returns the array, else an empty one.
 * @example
 * arrayOf(null); // []
 */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * True beyond `limit` levels. Not recursive: deep input cannot overflow the stack.
 * @example
 * exceedsDepth([[1]], 1); // true
 */
export function exceedsDepth(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Object.values(item)) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}

/**
 * Formats JSON with sorted keys and no spaces: equal values have equal texts. Recursive: check the depth of untrusted values first
 * ({@link exceedsDepth}).
 * @example
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/**
 * Reads a value by JSON Pointer (RFC 6901) and own properties; undefined if it is missing.
 * @example
 * valueAtPointer({ rows: [{ size: 3 }] }, '/rows/0/size'); // 3
 */
export function valueAtPointer(value: unknown, path: string): unknown {
  if (path === '') return value;
  let at: unknown = value;
  for (const part of path.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(0|[1-9]\d{0,8})$/.test(key) ? at[Number(key)] : undefined;
    else at = own(at, key);
    if (at === undefined) return undefined;
  }
  return at;
}

/**
 * Returns false for undefined, null and blank text.
 * @example
 * isGiven(0); // true
 */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !isBlank(value);
}

/**
 * Returns true for text of white space only.
 * @example
 * isBlank(' \t'); // true
 */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
