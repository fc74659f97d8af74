import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonSchema } from '../operation/operation.ts';

const prefix = '#/components/schemas/';

/**
 * The JSON Schema of a zod schema for requests (`input`) or answers (`output`), with references in `$defs`.
 *
 * @example
 * jsonSchemaOf(z.object({ name: z.string() }), 'output');
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  const { $ref, $defs, ...root } = rest as { $ref?: string; $defs?: Record<string, JsonSchema> };
  if ($ref === undefined || $defs === undefined) return rest as JsonSchema;
  // A schema with an id of its own comes as a reference to itself.
  const id = $ref.slice('#/$defs/'.length);
  const { [id]: own, ...others } = $defs;
  return { id, ...own, ...root, $defs: refersTo($ref, $defs) ? $defs : others };
}

/**
 * Collects schemas under their names: the `id` that a schema has itself, else the one it is added under. What schemas
 * define among themselves (`$defs`) becomes a component of its own. Throws a `TypeError` where one name has two meanings.
 */
export function createComponentSchemas() {
  const components: Record<string, JsonSchema> = {};
  const put = (name: string, { id, ...schema }: JsonSchema): void => {
    const known = components[name];
    if (known !== undefined && !isDeepStrictEqual(known, schema))
      throw new TypeError(`Two schemas of the document are named ${name}; give one of them another id.`);
    components[name] = schema;
  };
  return {
    components,
    /** Adds a schema and gives the reference to it. */
    add(name: string, { $defs = {}, ...schema }: JsonSchema): { readonly $ref: string } {
      const ownName = typeof schema['id'] === 'string' ? schema['id'] : name;
      put(ownName, rewritten(schema, ownName));
      for (const [inner, definition] of Object.entries($defs as Record<string, JsonSchema>))
        put(inner, rewritten(definition, ownName));
      return { $ref: `${prefix}${ownName}` };
    },
  };
}

function refersTo(reference: string, schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.entries(schema).some(([key, each]) =>
    key === '$ref' ? each === reference : refersTo(reference, each),
  );
}

/** Points references at components: `#` is the root itself. */
function rewritten(schema: JsonSchema, root: string): JsonSchema {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        if (key !== '$ref' || typeof each !== 'string') return [key, rewrite(each)];
        return [key, each === '#' ? `${prefix}${root}` : each.replace('#/$defs/', prefix)];
      }),
    );
  };
  return rewrite(schema) as JsonSchema;
}
