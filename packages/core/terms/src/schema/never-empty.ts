import * as z from 'zod';
import { type Fault, pointer } from '../fault/fault.ts';
import { isBlank, isObject } from '../json/json.ts';
import { fieldsOf, itemOf } from './bare-schema.ts';

const refused = z.registry<{ readonly because: string }>();

/**
 * A field of a request that may be left out but not be left empty, since that would give more than was meant: a token for
 * the team "" would be the whole organization's. `because` ends the sentence "must be filled in or left out: …".
 */
export function neverEmpty<Schema extends z.ZodType>(schema: Schema, because: string): Schema {
  // A copy: what is shared with other requests stays as it is there.
  const own = schema.clone() as Schema;
  refused.add(own, { because });
  return own;
}

/** The fields that were left empty where they may not be, at any depth of what the schema knows. */
export function emptyFaults(schema: z.ZodType, body: unknown, path: readonly (string | number)[] = []): Fault[] {
  if (Array.isArray(body)) {
    const item = itemOf(schema);
    return item === undefined ? [] : body.flatMap((each, index) => emptyFaults(item, each, [...path, index]));
  }
  const fields = isObject(body) ? fieldsOf(schema) : undefined;
  if (fields === undefined || !isObject(body)) return [];
  return Object.entries(fields).flatMap(([key, field]) => {
    if (!Object.hasOwn(body, key)) return [];
    const at = [...path, key];
    const rule = refused.get(field);
    if (rule === undefined || !isBlank(body[key])) return emptyFaults(field, body[key], at);
    const place = pointer(...at);
    const message = `${place.slice(1)} is empty; it must be filled in or left out: ${rule.because}.`;
    return [{ path: place, code: 'empty_text', message }];
  });
}
