import { isObject } from '@leeward/terms';
import type { core as z } from 'zod';

/** True if a value certainly matches a schema. */
export type ShapeTest = (value: unknown) => boolean;

const tests = new WeakMap<z.$ZodType, ShapeTest>();

/**
 * Compiles a schema to a fast boolean test. `true` is exact: the schema accepts the value unchanged. After `false`, the schema must
 * report the issues. zod evaluates unknown kinds of schemas. Values must not be cyclic.
 */
export function shapeTestOf(schema: z.$ZodType): ShapeTest {
  let test = tests.get(schema);
  if (!test) {
    test = testOf(schema as z.$ZodTypes);
    tests.set(schema, test);
  }
  return test;
}

function testOf(schema: z.$ZodTypes): ShapeTest {
  const { def } = schema._zod;
  const limits = limitsOf(def.checks);
  if (!limits) return zodTest(schema);
  const [min, max] = limits;
  switch (def.type) {
    case 'object':
      return objectTest(schema as z.$ZodObject);
    case 'array': {
      const element = shapeTestOf(def.element);
      return (value) => Array.isArray(value) && value.length >= min && value.length <= max && value.every(element);
    }
    case 'record':
      if ((def.keyType as z.$ZodTypes)._zod.def.type !== 'string') return zodTest(schema);
      return recordTest(shapeTestOf(def.valueType));
    case 'string':
      if ('format' in def) return zodTest(schema);
      return (value) => typeof value === 'string' && value.length >= min && value.length <= max;
    case 'number':
      if ('format' in def) return zodTest(schema);
      return (value) => typeof value === 'number' && Number.isFinite(value);
    case 'unknown':
      return () => true;
    case 'optional': {
      const inner = shapeTestOf(def.innerType);
      return (value) => value === undefined || inner(value);
    }
    case 'nullable': {
      const inner = shapeTestOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    default:
      return zodTest(schema);
  }
}

function zodTest(schema: z.$ZodType): ShapeTest {
  return (value) => (schema as unknown as { safeParse(value: unknown): { success: boolean } }).safeParse(value).success;
}

/** Undefined if there are other checks. */
function limitsOf(checks: readonly z.$ZodCheck<never>[] | undefined): readonly [number, number] | undefined {
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { _zod } of checks ?? []) {
    const def = _zod.def as z.$ZodCheckMinLengthDef | z.$ZodCheckMaxLengthDef;
    if (def.check === 'min_length') min = Math.max(min, def.minimum);
    else if (def.check === 'max_length') max = Math.min(max, def.maximum);
    else return undefined;
  }
  return [min, max];
}

function objectTest(schema: z.$ZodObject): ShapeTest {
  const { catchall } = schema._zod.def;
  if ((catchall as z.$ZodTypes | undefined)?._zod.def.type !== 'never') return zodTest(schema);
  let fields: ReadonlyMap<string, ShapeTest> | undefined;
  let requiredKeys: readonly string[] = [];
  return (value) => {
    if (!isPlain(value)) return false;
    if (!fields) {
      const shape = Object.entries(schema._zod.def.shape);
      fields = new Map(shape.map(([name, field]) => [name, shapeTestOf(field)]));
      requiredKeys = shape.flatMap(([name, field]) => (field._zod.optin === 'optional' ? [] : [name]));
    }
    for (const name of requiredKeys) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) if (fields.get(name)?.(value[name]) !== true) return false;
    return true;
  };
}

function recordTest(inner: ShapeTest): ShapeTest {
  return (value) => isPlain(value) && Object.keys(value).every((name) => name !== '__proto__' && inner(value[name]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0;
}
