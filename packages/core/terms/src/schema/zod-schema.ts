/**
 * The only file that depends on zod's internals: `schema.def` and the global setting `jitless`. `zod-schema.test.ts` fails if a release
 * of zod changes them.
 *
 * Reading `def` lets one schema also decide which fields a blank text counts as missing in, and which keys to suggest. `jitless` is
 * about security, not speed: zod compiles an object schema with `new Function`, which a strict content security policy forbids and
 * reports. The page of a host has such a policy.
 */
import * as z from 'zod';

/** Optional, nullable, default, catch, readonly; pipe; lazy; union. */
interface WrapperDef {
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** For a union, the member for objects, or for lists if `kind` is `array`. */
function unwrap(schema: z.ZodType, kind: 'object' | 'array'): z.ZodType {
  let current = schema;
  for (;;) {
    const { innerType, in: input, getter, options } = current.def as WrapperDef;
    const inner = innerType ?? input ?? getter?.();
    if (inner !== undefined) current = inner;
    else return options?.map((option) => unwrap(option, kind)).find(({ def }) => def.type === kind) ?? current;
  }
}

export function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = unwrap(schema, 'object');
  return bare.def.type === 'object' ? (bare as z.ZodObject<Record<string, z.ZodType>>).shape : undefined;
}

export function isStrict(schema: z.ZodType): boolean {
  const bare = unwrap(schema, 'object') as z.ZodObject;
  return bare.def.type === 'object' && bare.def.catchall?._zod.def.type === 'never';
}

export function itemOf(schema: z.ZodType): z.ZodType | undefined {
  const bare = unwrap(schema, 'array');
  return bare.def.type === 'array' ? (bare as z.ZodArray<z.ZodType>).element : undefined;
}

/**
 * Returns the keys at a path, for suggestions; none if the path does not exist.
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
 * Schemas built inside never compile themselves with `new Function`.
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
