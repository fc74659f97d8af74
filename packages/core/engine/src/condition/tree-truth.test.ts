import { describe, expect, it } from 'vitest';
import { randomTree } from '../../../../../test/support/engine/random-trees.ts';
import { tinyValues } from '../../../../../test/support/engine/tiny-line.ts';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createReferenceEvaluator } from '../reference/reference-evaluator.ts';
import { isWithin } from '../request/knowledge.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import type { Tree } from './condition.ts';
import type { Facts } from './fact-map.ts';
import { treeTruth, undecidedFacts } from './tree-truth.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(500);
const reference = createReferenceEvaluator();
const odd: readonly unknown[] = [
  '2',
  '',
  'x',
  null,
  Number.NaN,
  [1, 2],
  [],
  ['wood'],
  2.5,
  -1,
  99,
  true,
  '12345',
  { min: 1 },
];
const names = [...Object.keys(tinyValues), 'boat_age'];

const leaf = (fact: string, operator: string, value: unknown): Tree => ({
  kind: 'leaf',
  fact,
  operator,
  value,
  written: { fact, operator, value },
});

function anyFacts(random: () => number): Facts {
  return new Map(
    names.map((name) => {
      const roll = random();
      if (roll < 0.25) return [name, undefined];
      if (roll < 0.4) return [name, pick(random, odd)];
      const values = tinyValues[name] ?? [0, 1, 2, 3];
      if (roll < 0.6) {
        const low = wholeNumber(random, 0, 3);
        return typeof values[0] === 'number'
          ? [name, { kind: 'between', min: low, max: low + wholeNumber(random, 1, 3) }]
          : [name, { kind: 'one of', words: values.slice(0, 2) }];
      }
      return [name, pick(random, values)];
    }),
  );
}

function valuesOf(name: string, known: unknown): readonly unknown[] {
  const values: readonly unknown[] = tinyValues[name] ?? [0, 1, 2, 3, 4, 5, 6];
  if (!isWithin(known)) return values;
  return known.kind === 'one of' ? known.words : [known.min, known.max];
}

function ruleOf(condition: Tree): Rule {
  return { id: 'r', outcome: 'decline', code: 'x_r', message: '', condition, priority: 1, path: '' };
}

describe('the truth of a tree', () => {
  it(`matches json-rules-engine under definitely and possibly (seed ${seed}, ${wanted} answers)`, async () => {
    const random = createRandom(seed);
    const seen = { true: 0, false: 0, undecided: 0 };
    let thrown = 0;
    for (let answers = 0; answers < wanted; ) {
      const tree = randomTree(random, { depth: 4, wild: true });
      for (let each = 0; each < 4; each++) {
        const facts = anyFacts(random);
        // json-rules-engine evaluates every test, and ends with the first that throws; ours may skip it.
        const theirs = await reference.evaluate([ruleOf(tree)], facts).then(
          ([truth]) => truth!,
          () => undefined,
        );
        if (theirs === undefined) {
          thrown++;
          continue;
        }
        const ours = treeTruth(tree, facts);
        if (ours !== theirs)
          expect({ tree, facts: [...facts], truth: ours }).toEqual({ tree, facts: [...facts], truth: theirs });
        seen[ours]++;
        answers++;
      }
    }
    // Each answer must be frequent enough.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(wanted / 20);
    expect(thrown).toBeLessThan(wanted / 4);
  });

  it('takes empty lists for true, as json-rules-engine does', () => {
    expect(treeTruth({ kind: 'all', of: [] }, new Map())).toBe('true');
    expect(treeTruth({ kind: 'any', of: [] }, new Map())).toBe('true');
    expect(treeTruth({ kind: 'not', of: { kind: 'any', of: [] } }, new Map())).toBe('false');
  });

  it('does not take a test for true or false because a value is missing', () => {
    for (const operator of ['notEqual', 'notIn', 'not:equal']) {
      const value = operator === 'notIn' ? ['x'] : 'x';
      expect(treeTruth(leaf('material', operator, value), new Map())).toBe('undecided');
      expect(treeTruth({ kind: 'not', of: leaf('material', operator, value) }, new Map())).toBe('undecided');
    }
  });

  it('follows own properties of objects, and leaves bounds alone', () => {
    const at = (path: string, value: unknown): Tree => ({ ...leaf('host', 'equal', value), path }) as Tree;
    const host = { a: { b: 5 }, 'x.y': 1 };
    expect(treeTruth(at('$.a.b', 5), new Map([['host', host]]))).toBe('true');
    expect(treeTruth(at('a.b', 6), new Map([['host', host]]))).toBe('false');
    expect(treeTruth(at('a.c', 6), new Map([['host', host]]))).toBe('undecided');
    expect(treeTruth(at('constructor.name', 'Object'), new Map([['host', host]]))).toBe('undecided');
    expect(treeTruth(at('__proto__', 6), new Map([['host', host]]))).toBe('undecided');
    expect(treeTruth(at('min', 1), new Map([['host', { kind: 'between', min: 1, max: 2 }]]))).toBe('undecided');
    expect(treeTruth(at('a', 7), new Map([['host', 7]]))).toBe('true');
  });
});

describe('the facts that an undecided tree depends on', () => {
  it('is what is not known in its undecided parts: once that is known, it is decided', () => {
    const random = createRandom(seed + 1);
    let undecided = 0;
    for (let each = 0; each < wanted; each++) {
      const tree = randomTree(random, { depth: 4, wild: false });
      const facts = new Map([...anyFacts(random)].filter(([, value]) => !odd.includes(value)));
      if (treeTruth(tree, facts) !== 'undecided') {
        expect(undecidedFacts(tree, facts).size).toBe(0);
        continue;
      }
      undecided++;
      const hanging = undecidedFacts(tree, facts);
      expect(hanging.size).toBeGreaterThan(0);
      for (const name of hanging) facts.set(name, pick(random, valuesOf(name, facts.get(name))));
      expect(treeTruth(tree, facts)).not.toBe('undecided');
    }
    expect(undecided).toBeGreaterThan(wanted / 10);
  });
});
