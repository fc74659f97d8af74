import * as z from 'zod';
import { type Fault, pointer } from '../fault/fault.ts';
import { isBlank, isObject } from '../json/json.ts';
import { fieldsOf, itemOf } from './zod-schema.ts';

const reasons = z.registry<{ readonly because: string }>();

/**
 * Makes a field that may be missing but not blank, because a blank would grant too much: a token for the team "" would be valid for the
 * whole organization. @param because completes "must be filled in or left out: …".
 * @example
 * neverEmpty(z.string().optional(), 'the token would be valid for all teams');
 */
export function neverEmpty<Schema extends z.ZodType>(schema: Schema, because: string): Schema {
  const copy = schema.clone() as Schema;
  reasons.add(copy, { because });
  return copy;
}

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
    const rule = reasons.get(field);
    if (rule === undefined || !isBlank(body[key])) return emptyFaults(field, body[key], at);
    const place = pointer(...at);
    const message = `${place.slice(1)} is empty; it must be filled in or left out: ${rule.because}.`;
    return [{ path: place, code: 'empty_text', message }];
  });
}
