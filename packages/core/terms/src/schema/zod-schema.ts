/**
 * The only file that depends on zod's internals: `schema.def` and the global setting `jitless`. `zod-schema.test.ts` fails if a
 * release of zod changes them.
 *
 * Reading `def` lets one schema also decide which fields a blank text counts as missing in, and which keys to suggest. `jitless` is
 * about security, not speed: zod compiles an object schema with `new Function`, which a strict content security policy forbids
 * and reports. The page of a host has such a policy.
 */
import * as z from 'zod';

/** Definitions of zod's wrappers: optional, nullable, default, catch, readonly; pipe; lazy; union. */
interface WrapperDef {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** Removes a schema's wrappers. For a union it returns the member for objects, or for lists if `kind` is `array`. */
function unwrap(schema: z.ZodType, kind: 'object' | 'array'): z.ZodType {
  let current = schema;
  for (;;) {
    const { innerType, in: input, getter, options } = current.def as WrapperDef;
    const inner = innerType ?? input ?? getter?.();
    if (inner !== undefined) current = inner;
    else return options?.map((option) => unwrap(option, kind)).find(({ def }) => def.type === kind) ?? current;
  }
}

/** The fields of a schema of objects, or undefined. */
export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = unwrap(schema, 'object');
  return bare.def.type === 'object' ? (bare as z.ZodObject<Record<string, z.ZodType>>).shape : undefined;
}

/** True for a schema of objects that rejects keys without a field. */
export function isStrict(schema: z.ZodType): boolean {
  const bare = unwrap(schema, 'object') as z.ZodObject;
  return bare.def.type === 'object' && bare.def.catchall?._zod.def.type === 'never';
}

/** The schema of a list's items, or undefined. */
export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const bare = unwrap(schema, 'array');
  return bare.def.type === 'array' ? (bare as z.ZodArray<z.ZodType>).element : undefined;
}

/**
 * Returns the keys that a zod schema has at a path, for suggestions; an empty list if the path does not exist.
 *
 * @example
 * schemaKeysAt(z.object({ place: z.object({ city: z.string() }) }), ['place']); // ['city']
 */
export function schemaKeysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let current: z.ZodType | undefined = schema;
  for (const key of path) {
    if (current === undefined) return [];
    const fields = fieldsOf(current);
    current = fields && Object.hasOwn(fields, key) ? fields[String(key)] : itemOf(current);
  }
  return Object.keys((current && fieldsOf(current)) ?? {}).filter((key) => !key.startsWith('$'));
}

/**
 * Builds schemas that never compile themselves with `new Function`. Schemas built elsewhere are not affected.
 *
 * @example
 * const schema = withoutEval(() => z.object({ state: z.string() }));
 */
export function withoutEval<T>(build: () => T): T {
  const jitless = z.config().jitless ?? false;
  z.config({ jitless: true });
  try {
    return build();
  } finally {
    z.config({ jitless });
  }
}
