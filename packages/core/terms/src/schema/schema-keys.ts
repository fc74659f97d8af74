import type { z } from 'zod';
import { fieldsOf, itemOf } from './bare-schema.ts';

/** The keys that a zod schema has at a path of keys, for suggestions; none where the path leads nowhere. */
export function schemaKeysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: z.ZodType | undefined = schema;
  for (const key of path) {
    if (at === undefined) return [];
    const fields = fieldsOf(at);
    at = fields && Object.hasOwn(fields, key) ? fields[String(key)] : itemOf(at);
  }
  return Object.keys((at && fieldsOf(at)) ?? {}).filter((key) => !key.startsWith('$'));
}
