import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { ruleSetSchema } from './schema.ts';
import { shapeTestOf } from './shape-test.ts';

const fixtures = join(import.meta.dirname, '../../../../../fixtures');
const read = (...path: string[]) => JSON.parse(readFileSync(join(fixtures, ...path), 'utf8')) as object;
const right = readdirSync(join(fixtures, 'carriers')).map((key) => read('carriers', key, 'rule-set.json'));
const wrong = readdirSync(join(fixtures, 'invalid-rule-sets')).flatMap((name) => {
  try {
    return [read('invalid-rule-sets', name)];
  } catch {
    return [];
  }
});
const fits = shapeTestOf(ruleSetSchema);
const isTaken = (file: unknown) => ruleSetSchema.safeParse(file).success;

type Node = Record<string, unknown>;
const strange = [undefined, null, 0, -1, Number.NaN, '', 'x'.repeat(2001), true, [], [null], {}, { x: 1 }, 1n];

function spoiled(file: object, way: readonly number[], value: unknown, isNew: boolean): object {
  const copy = structuredClone(file) as Node;
  let node = copy;
  for (const step of way) {
    const keys = Object.keys(node);
    const next = keys.length === 0 ? undefined : node[keys[step % keys.length]!];
    if (typeof next !== 'object' || next === null) break;
    node = next as Node;
  }
  const keys = Object.keys(node);
  if (isNew || keys.length === 0) node['nobody_knows'] = value;
  else node[keys[way[0]! % keys.length]!] = value;
  return copy;
}

describe('a shape read as yes or no', () => {
  it('accepts valid files, and only files that the schema accepts', () => {
    expect(right.length).toBeGreaterThan(20);
    expect(wrong.length).toBeGreaterThan(20);
    for (const file of right) expect(fits(file)).toBe(true);
    for (const file of wrong) expect(fits(file)).toBe(isTaken(file));
  });

  it('agrees with the schema after any change of a file', () => {
    const ways = fc.array(fc.nat(50), { minLength: 1, maxLength: 9 });
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...right),
        ways,
        fc.constantFrom(...strange),
        fc.boolean(),
        (file, way, value, isNew) => {
          const changed = spoiled(file, way, value, isNew);
          const isRight = isTaken(changed);
          if (!isRight) refused += 1;
          expect(fits(changed)).toBe(isRight);
        },
      ),
      { numRuns: testVolume(100) },
    );
    expect(refused).toBeGreaterThan(0);
  });

  it('evaluates other kinds of schemas with zod, and accepts only plain objects', () => {
    const even = z.strictObject({ n: z.number().refine((n) => n % 2 === 0), s: z.union([z.string(), z.null()]) });
    const test = shapeTestOf(even);
    expect(
      [
        { n: 2, s: 'x' },
        { n: 1, s: null },
        { n: 2, s: 3 },
      ].map((value) => test(value)),
    ).toEqual([true, false, false]);
    const inherited = Object.create({ n: 2 }) as Node;
    inherited['s'] = null;
    expect(test(inherited)).toBe(false);
    expect(shapeTestOf(z.record(z.string(), z.number()))(JSON.parse('{"__proto__":1}'))).toBe(false);
  });
});
