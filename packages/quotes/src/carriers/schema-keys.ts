import { z } from 'zod';

/** The keys that a zod schema has at a path of keys, for suggestions; none where the path leads nowhere. */
export function schemaKeysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = schema;
  for (const key of path) {
    at = bare(at);
    if (at instanceof z.ZodObject) at = at.shape[String(key)];
    else if (at instanceof z.ZodArray) at = at.element;
    else return [];
  }
  at = bare(at);
  return at instanceof z.ZodObject ? Object.keys(at.shape).filter((key) => !key.startsWith('$')) : [];
}

function bare(schema: unknown): unknown {
  let at = schema;
  while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap();
  return at;
}
