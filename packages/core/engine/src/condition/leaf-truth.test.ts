import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { between, isWithin, type Knowledge } from '../request/knowledge.ts';
import { leafTruth } from './leaf-truth.ts';
import { operatorFunction } from './operators.ts';

const words = ['wood', 'steel', 'glass'];

function completions(known: Knowledge): readonly (number | string)[] {
  if (!isWithin(known)) return known === undefined ? [] : [known];
  if (known.kind === 'one of') return known.words;
  const values: number[] = [];
  for (let value = known.min; value <= known.max; value += 0.25) values.push(value);
  return values;
}

const constant = fc.oneof(
  fc.integer({ min: -2, max: 8 }),
  fc.integer({ min: -4, max: 16 }).map((each) => each / 2),
);
const range = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .map(([a, b]) => between(Math.min(a, b), Math.max(a, b)));
const someWords = fc.subarray(words, { minLength: 1 }).map((list): Knowledge => ({ kind: 'one of', words: list }));
const order = fc.constantFrom(
  'lessThan',
  'lessThanInclusive',
  'greaterThan',
  'greaterThanInclusive',
  'equal',
  'notEqual',
);
const decorator = fc.constantFrom('', 'not:', 'swap:', 'not:swap:');

function expectSound(operator: string, left: Knowledge, right: unknown): void {
  const test = operatorFunction(operator)!;
  const rights = isWithin(right) ? completions(right) : [right];
  const answers = completions(left).flatMap((a) => rights.map((b) => test(a, b)));
  const truth = leafTruth(left, right, test);
  if (truth === 'true') expect(answers).not.toContain(false);
  if (truth === 'false') expect(answers).not.toContain(true);
}

describe('a fact known within bounds', () => {
  it('is never true or false if some value disagrees: a range against a constant', () => {
    fc.assert(
      fc.property(
        decorator,
        order,
        range,
        fc.oneof(constant, constant.map(String), fc.constantFrom('', 'x')),
        (prefix, name, left, right) => {
          expectSound(`${prefix}${name}`, left, right);
        },
      ),
      { numRuns: testVolume(600) },
    );
  });

  it('… a range against a list', () => {
    const list = fc.array(constant, { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.constantFrom('in', 'notIn', 'not:in', 'someValue:equal', 'everyValue:lessThan', 'someValue:greaterThan'),
        range,
        list,
        expectSound,
      ),
      { numRuns: testVolume(600) },
    );
  });

  it('… a range against a range, words against words', () => {
    fc.assert(
      fc.property(decorator, order, range, range, (prefix, name, left, right) =>
        expectSound(`${prefix}${name}`, left, right),
      ),
      { numRuns: testVolume(600) },
    );
    const equality = fc.constantFrom('equal', 'notEqual', 'not:equal');
    fc.assert(fc.property(equality, someWords, fc.oneof(someWords, fc.constantFrom(...words)), expectSound));
    fc.assert(fc.property(fc.constantFrom('in', 'notIn'), someWords, fc.subarray(words), expectSound));
  });

  it('is settled where it can be: an order against one limit, words against words', () => {
    const settled = (operator: string, left: Knowledge, right: unknown) =>
      leafTruth(left, right, operatorFunction(operator)!);
    expect(settled('greaterThan', between(3, 9), 2)).toBe('true');
    expect(settled('greaterThan', between(3, 9), 3)).toBe('undecided');
    expect(settled('greaterThan', between(3, 9), 9)).toBe('false');
    expect(settled('greaterThanInclusive', between(3, 9), 3)).toBe('true');
    expect(settled('lessThan', between(3, 9), between(10, 12))).toBe('true');
    expect(settled('lessThan', between(3, 9), between(9, 12))).toBe('undecided');
    expect(settled('equal', between(3, 9), 10)).toBe('false');
    expect(settled('equal', between(3, 9), 5)).toBe('undecided');
    expect(settled('in', { kind: 'one of', words: ['wood', 'glass'] }, ['glass', 'wood', 'tin'])).toBe('true');
    expect(settled('equal', { kind: 'one of', words: ['wood', 'glass'] }, 'steel')).toBe('false');
    expect(settled('equal', between(4, 4), 4)).toBe('true');
  });
});

describe('an unknown fact', () => {
  it('is undecided in every test', () => {
    for (const name of ['equal', 'notEqual', 'in', 'notIn', 'lessThan', 'contains', 'not:equal', 'swap:equal']) {
      const test = operatorFunction(name)!;
      expect([leafTruth(undefined, 1, test), leafTruth(1, undefined, test)]).toEqual(['undecided', 'undecided']);
    }
    expect(leafTruth(null, null, operatorFunction('equal')!)).toBe('true');
    expect(leafTruth(null, 5, operatorFunction('lessThan')!)).toBe('false');
  });
});
