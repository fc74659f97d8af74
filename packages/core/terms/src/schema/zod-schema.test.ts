import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { fieldsOf, isStrict, itemOf, schemaKeysAt, withoutEval } from './zod-schema.ts';

const object = z.object({ city: z.string() });

describe('fieldsOf', () => {
  it.each<[string, z.ZodType]>([
    ['optional', object.optional()],
    ['nullable', object.nullable()],
    ['nullish', object.nullish()],
    ['default', object.default({ city: '' })],
    ['prefault', object.prefault({ city: '' })],
    ['catch', object.catch({ city: '' })],
    ['readonly', object.readonly()],
    ['nonoptional', object.optional().nonoptional()],
    ['pipe', object.transform(({ city }) => city)],
    ['refinement', object.refine(() => true)],
    ['lazy', z.lazy(() => object)],
    ['union', z.union([z.string(), object])],
    ['several', z.union([z.string(), z.lazy(() => object.nullable())]).optional()],
  ])('finds the fields inside the wrapper %s', (_, schema) => {
    expect(Object.keys(fieldsOf(schema) ?? {})).toEqual(['city']);
  });

  it('returns undefined for other schemas', () => {
    expect(fieldsOf(z.array(object))).toBeUndefined();
    expect(fieldsOf(z.record(z.string(), object))).toBeUndefined();
  });
});

describe('itemOf', () => {
  it('finds the schema of items inside wrappers and unions', () => {
    expect(itemOf(z.array(object).optional())).toBe(object);
    expect(itemOf(z.union([object, z.array(object)]))).toBe(object);
    expect(itemOf(object)).toBeUndefined();
  });
});

describe('isStrict', () => {
  it('is true only for objects that reject unknown keys', () => {
    expect(isStrict(z.strictObject({}).optional())).toBe(true);
    expect(isStrict(z.object({}))).toBe(false);
    expect(isStrict(z.looseObject({}))).toBe(false);
    expect(isStrict(z.object({}).catchall(z.string()))).toBe(false);
    expect(isStrict(z.array(z.strictObject({})))).toBe(false);
  });
});

it('returns the keys at a path through objects and lists', () => {
  const schema = z.object({ rows: z.array(z.object({ $id: z.string(), size: z.number() })).optional() });
  expect(schemaKeysAt(schema, ['rows', 3])).toEqual(['size']);
  expect(schemaKeysAt(schema, ['rows', 3, 'size', 'deeper'])).toEqual([]);
});

describe('withoutEval', () => {
  const compiledBy = (run: () => unknown): number => {
    const compile = vi.spyOn(globalThis, 'Function');
    try {
      run();
      return compile.mock.calls.length;
    } finally {
      compile.mockRestore();
    }
  };
  const build = () => z.object({ size: z.number() });

  it('builds schemas that compile nothing, while other schemas do', () => {
    const [safe, plain] = [withoutEval(build), build()];
    expect(compiledBy(() => safe.parse({ size: 1 }))).toBe(0);
    expect(compiledBy(() => plain.parse({ size: 1 }))).toBeGreaterThan(0);
  });

  it('restores the setting after an error', () => {
    const jitless = z.config().jitless;
    expect(() =>
      withoutEval(() => {
        throw new Error('no schema');
      }),
    ).toThrow('no schema');
    expect(z.config().jitless ?? false).toBe(jitless ?? false);
  });
});
