/** What JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object, read only. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A plain JSON object: neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, so that `__proto__` and friends never answer. */
export function own(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The list, or an empty one where the value is none. */
export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether a JSON value nests deeper than `limit`; without recursion, so that no input overflows. */
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
 * One text for all spellings of a JSON value: keys sorted, no blanks. Two bodies that mean the same have the same.
 * The value nests no deeper than the stack (see {@link exceedsDepth}).
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

/** The value at a path of keys, reading own properties only; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at: unknown = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** The value at a JSON Pointer (RFC 6901), reading own properties only; undefined where there is none. */
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

/** Whether a value says anything, right or wrong: null is nothing, and so is text that a form left empty. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !isBlank(value);
}

/** Text without a character that anybody would see. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
