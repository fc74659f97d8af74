import type { z } from 'zod';
import { isBlank, isObject } from '../json/json.ts';
import { fieldsOf, itemOf } from './bare-schema.ts';

/**
 * The body of a request without what was not given: in fields that may be left out, text left empty, and null where the
 * schema would not take it. A null that it takes stays: of an update it means that something is taken away. What the
 * schema does not know is left as it is.
 */
export function withoutBlanks(schema: z.ZodType | undefined, body: unknown): unknown {
  if (schema === undefined) return body;
  if (Array.isArray(body)) {
    const item = itemOf(schema);
    return item === undefined ? body : body.map((each) => withoutBlanks(item, each));
  }
  const fields = isObject(body) ? fieldsOf(schema) : undefined;
  if (fields === undefined || !isObject(body)) return body;
  const given: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined || !isLeftOut(field, value)) given.push([key, withoutBlanks(field, value)]);
  }
  // Own properties, whatever they are called.
  return Object.fromEntries(given);
}

function isLeftOut(field: z.ZodType, value: unknown): boolean {
  if (isBlank(value)) return takes(field, undefined);
  return value === null && takes(field, undefined) && !takes(field, null);
}

const taken = { undefined: new WeakMap<z.ZodType, boolean>(), null: new WeakMap<z.ZodType, boolean>() };

function takes(schema: z.ZodType, nothing: null | undefined): boolean {
  const known = taken[`${nothing}`];
  let does = known.get(schema);
  if (does === undefined) {
    does = schema.safeParse(nothing).success;
    known.set(schema, does);
  }
  return does;
}
