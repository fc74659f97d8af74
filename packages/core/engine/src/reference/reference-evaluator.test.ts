import { Engine } from 'json-rules-engine';
import { describe, expect, it } from 'vitest';
import type { Leaf, Tree } from '../condition/condition.ts';
import type { Rule } from '../rule-set/rule-set.ts';
import { createReferenceEvaluator } from './reference-evaluator.ts';

const leaf = (fact: string, operator: string, value: unknown, more: object = {}): Tree => ({
  kind: 'leaf',
  fact,
  operator,
  value,
  ...more,
  written: { fact, operator, value },
});
const rule = (condition: Tree): Rule => ({
  id: 'r',
  outcome: 'decline',
  code: 'x_r',
  message: '',
  condition,
  priority: 1,
  path: '',
});
const not = (of: Tree): Tree => ({ kind: 'not', of });

describe('the json-rules-engine evaluator', () => {
  it('returns the truths in the order of the rules, for any number of rules', async () => {
    const rules = Array.from({ length: 300 }, (_, index) => rule(leaf('claims', 'greaterThan', index)));
    const truths = await createReferenceEvaluator().evaluate(rules, new Map([['claims', 100]]));
    expect(truths).toEqual(rules.map((_, index) => (index < 100 ? 'true' : 'false')));
  });

  it('leaves a test of a missing fact undecided where plain json-rules-engine returns true', async () => {
    for (const condition of [
      leaf('roof', 'notEqual', 'tile'),
      leaf('roof', 'notIn', ['tile']),
      not(leaf('roof', 'equal', 'tile')),
    ]) {
      const engine = new Engine([], { allowUndefinedFacts: true });
      const plain =
        condition.kind === 'not' ? { not: (condition.of as Leaf).written } : { all: [(condition as Leaf).written] };
      engine.addRule({ conditions: plain, event: { type: 'fired' } });
      expect((await engine.run()).events).toHaveLength(1);
      expect(await createReferenceEvaluator().evaluate([rule(condition)], new Map())).toEqual(['undecided']);
    }
  });

  it('keeps runs apart that go on at the same time', async () => {
    const evaluator = createReferenceEvaluator({
      facts: { slow: () => new Promise((resolve) => setTimeout(() => resolve(1), 5)) },
    });
    const rules = [
      rule({ kind: 'all', of: [leaf('slow', 'equal', 1), leaf('claims', 'greaterThan', 5)] }),
      rule(leaf('claims', 'lessThan', 3)),
    ];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, claims) => evaluator.evaluate(rules, new Map([['claims', claims]]))),
    );
    expect(answers).toEqual(answers.map((_, claims) => [claims > 5 ? 'true' : 'false', claims < 3 ? 'true' : 'false']));
  });

  it('reads host facts: values, functions with params, promises, and undefined', async () => {
    const asked: unknown[] = [];
    const evaluator = createReferenceEvaluator({
      facts: {
        zone: 'AE',
        score: async (params: Readonly<Record<string, unknown>>, facts) => {
          asked.push([params, facts.get('claims')]);
          return { points: 640 };
        },
        absent: async () => undefined,
        none: null,
      },
      operators: { isNear: (a, b) => Math.abs((a as number) - (b as number)) < 10 },
    });
    const rules = [
      leaf('zone', 'equal', 'AE'),
      leaf('score', 'isNear', 645, { path: '$.points', params: { bureau: 'x' } }),
      leaf('score', 'not:isNear', 645, { path: 'points', params: { bureau: 'x' } }),
      leaf('score', 'equal', 1, { path: 'nothing.there' }),
      leaf('absent', 'notEqual', 1),
      not(leaf('absent', 'equal', 1)),
      leaf('none', 'equal', null),
      leaf('claims', 'isNear', { fact: 'absent' }),
    ].map(rule);
    expect(await evaluator.evaluate(rules, new Map([['claims', 3]]))).toEqual([
      'true',
      'true',
      'false',
      'undecided',
      'undecided',
      'undecided',
      'true',
      'undecided',
    ]);
    expect(asked).toContainEqual([{ bureau: 'x' }, 3]);
  });

  it('swaps the two questions under each not, and under not as a decorator', async () => {
    const evaluate = (condition: Tree, roof?: string) =>
      createReferenceEvaluator().evaluate([rule(condition)], new Map([['roof', roof]]));
    for (const [condition, known] of [
      [not(not(leaf('roof', 'equal', 'tile'))), 'true'],
      [not(not(not(leaf('roof', 'equal', 'tile')))), 'false'],
      [leaf('roof', 'not:equal', 'tile'), 'false'],
      [not(leaf('roof', 'not:equal', 'tile')), 'true'],
      [not({ kind: 'any', of: [leaf('roof', 'equal', 'tile'), leaf('roof', 'equal', 'slate')] }), 'false'],
    ] as const) {
      expect(await evaluate(condition, 'tile')).toEqual([known]);
      expect(await evaluate(condition)).toEqual(['undecided']);
    }
  });
});
