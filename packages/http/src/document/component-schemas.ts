import { z } from 'zod';
import type { JsonSchema } from '../operation/operation.ts';

const prefix = '#/components/schemas/';

/** The JSON Schema of a zod schema as requests (`input`) or answers (`output`) see it, references left in `$defs`. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  const { $ref, $defs, ...root } = rest as { $ref?: string; $defs?: Record<string, JsonSchema> };
  if ($ref === undefined || $defs === undefined) return rest as JsonSchema;
  // A schema with an id of its own comes as a reference to itself.
  const ownName = $ref.slice('#/$defs/'.length);
  const { [ownName]: own, ...others } = $defs;
  return { ...own, ...root, $defs: others };
}

/** Collects schemas under names; what they define among themselves (`$defs`) becomes a component of its own. */
export function createComponentSchemas() {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    /** Adds a schema and gives the reference to it. */
    add(name: string, schema: JsonSchema): { readonly $ref: string } {
      if (!Object.hasOwn(components, name)) {
        const { $defs, id, ...root } = schema;
        components[name] = rewritten(root, name) as JsonSchema;
        for (const [inner, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
          const { id: ownName, ...rest } = definition;
          components[inner] ??= rewritten(rest, name) as JsonSchema;
        }
      }
      return { $ref: `${prefix}${name}` };
    },
  };
}

/** Points references at components: `#` is the root itself. */
function rewritten(value: unknown, root: string): unknown {
  if (Array.isArray(value)) return value.map((each) => rewritten(each, root));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key !== '$ref' || typeof each !== 'string') return [key, rewritten(each, root)];
      return [key, each === '#' ? `${prefix}${root}` : each.replace('#/$defs/', prefix)];
    }),
  );
}
