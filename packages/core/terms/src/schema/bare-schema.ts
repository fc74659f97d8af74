import type { z } from 'zod';

/** What zod's wrappers hold: optional, nullable, default, catch, readonly; pipe; lazy; union. */
interface Wrapped {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** What stands inside of a schema's wrappers; of a union the member for objects, or for lists where `kind` says so. */
export function bareSchema(schema: z.ZodType, kind: 'object' | 'array' = 'object'): z.ZodType {
  let at = schema;
  for (;;) {
    const { innerType, in: input, getter, options } = at.def as Wrapped;
    const inside = innerType ?? input ?? getter?.();
    if (inside !== undefined) at = inside;
    else return options?.map((option) => bareSchema(option, kind)).find(({ def }) => def.type === kind) ?? at;
  }
}

/** The fields of a schema of objects; undefined for others. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = bareSchema(schema);
  return bare.def.type === 'object' ? (bare as z.ZodObject<Record<string, z.ZodType>>).shape : undefined;
}

/** What the items of a schema of lists are; undefined for others. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const bare = bareSchema(schema, 'array');
  return bare.def.type === 'array' ? (bare as z.ZodArray<z.ZodType>).element : undefined;
}
