import type { z } from 'zod';
import { isBlank, isObject } from '../json/json.ts';
import { fieldsOf, itemOf } from './zod-schema.ts';

/**
 * Removes optional fields that are blank, or null if the schema rejects null (in an update an accepted null removes a value). Fields
 * outside the schema stay.
 * @example
 * withoutBlanks(z.object({ note: z.string().optional() }), { note: ' ' }); // {}
 */
export function withoutBlanks(schema: z.ZodType | undefined, body: unknown): unknown {
  if (schema === undefined) return body;
  if (Array.isArray(body)) {
    const item = itemOf(schema);
    return item === undefined ? body : body.map((each) => withoutBlanks(item, each));
  }
  const fields = isObject(body) ? fieldsOf(schema) : undefined;
  if (fields === undefined || !isObject(body)) return body;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined || !isLeftOut(field, value)) entries.push([key, withoutBlanks(field, value)]);
  }
  // Makes own properties, even of `__proto__`.
  return Object.fromEntries(entries);
}

function isLeftOut(field: z.ZodType, value: unknown): boolean {
  if (isBlank(value)) return acceptsNothing(field, undefined);
  return value === null && acceptsNothing(field, undefined) && !acceptsNothing(field, null);
}

const acceptance = { undefined: new WeakMap<z.ZodType, boolean>(), null: new WeakMap<z.ZodType, boolean>() };

function acceptsNothing(schema: z.ZodType, nothing: null | undefined): boolean {
  const cache = acceptance[`${nothing}`];
  let accepts = cache.get(schema);
  if (accepts === undefined) {
    accepts = schema.safeParse(nothing).success;
    cache.set(schema, accepts);
  }
  return accepts;
}
