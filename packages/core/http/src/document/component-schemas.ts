import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { JsonSchema } from '../operation/operation.ts';
import { withDescriptions } from './property-descriptions.ts';

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
  // zod writes a schema with an id as a self-reference.
  const id = $ref.slice('#/$defs/'.length);
  const { [id]: own, ...others } = $defs;
  return { id, ...own, ...root, $defs: refersTo($ref, $defs) ? $defs : others };
}

/** Collects schemas by `id` or name, with their `$defs`. */
export function createComponentSchemas() {
  const components: Record<string, JsonSchema> = {};
  const put = (name: string, { id, ...written }: JsonSchema): void => {
    const schema = withDescriptions(withNamedKeys(written), name);
    const existing = components[name];
    if (existing !== undefined && !isDeepStrictEqual(existing, schema))
      throw new TypeError(`Two schemas of the document are named ${name}; give one of them another id.`);
    components[name] = schema;
  };
  return {
    components,
    /**
     * @returns the reference
     * @throws {TypeError} if another schema has the name
     */
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

/**
 * Writes "no other keys, except by a pattern" as names of properties, in the schema and inside it. Generators make an open type of a
 * pattern, in which a misspelt key compiles.
 */
function withNamedKeys(schema: JsonSchema): JsonSchema {
  const inside = Object.fromEntries(Object.entries(schema).map(([key, each]) => [key, namedInside(each)]));
  const { patternProperties, additionalProperties, ...rest } = inside as JsonSchema;
  if (patternProperties === undefined || additionalProperties !== false) return inside;
  const [[pattern, { description }] = ['', {}]] = Object.entries(patternProperties as Record<string, JsonSchema>);
  const names = Object.keys((rest['properties'] ?? {}) as object);
  return { ...rest, propertyNames: { anyOf: [{ enum: names }, { pattern, description }] } };
}

function namedInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(namedInside);
  return typeof value === 'object' && value !== null ? withNamedKeys(value as JsonSchema) : value;
}

/** `#` is the root schema. */
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
