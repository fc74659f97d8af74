import { states } from '@leeward/places/counties';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { program, ruleFile, ruleSetFile, test, withRule } from '../../../../../test/support/engine/rule-set-file.ts';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type CheckOptions, checkRuleSet } from './check.ts';

const stranger: CheckOptions = { fromStranger: true };
const codes = (file: unknown, options?: CheckOptions) =>
  checkRuleSet(file, options).faults.map((fault) => `${fault.path} ${fault.code}`);

function nested(depth: number): unknown {
  let condition: unknown = test('total_claims', 'equal', 1);
  for (let level = 0; level < depth; level++) condition = level % 2 === 0 ? { not: condition } : { all: [condition] };
  return condition;
}

function chain(length: number, link: (next: string) => unknown): Record<string, unknown> {
  const last = { all: [test('total_claims', 'equal', 1)] };
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [`c${index}`, index === length - 1 ? last : link(`c${index + 1}`)]),
  );
}

const named = ruleFile({ when: { condition: 'c0' } });

describe('deep files', () => {
  it('are refused before anything follows them', () => {
    for (const depth of [100, 1_000, 100_000]) {
      expect(codes(withRule({ when: nested(depth) }))).toEqual([' too_deep']);
      expect(codes(ruleSetFile({ $comment: nested(depth) }), stranger)).toHaveLength(1);
    }
    expect(codes(withRule({ when: { all: [nested(20)] } }))).toEqual([]);
  });

  it('are found out where shared conditions make them deep', () => {
    const file = (length: number) =>
      ruleSetFile({ conditions: chain(length, (next) => ({ not: { condition: next } })), rules: [named] });
    expect(codes(file(150))).toEqual([]);
    expect(codes(file(250))).toEqual(['/conditions/c50 too_deep']);
    expect(withinProcessorMs(1_000, () => codes(file(10_000))).length).toBeGreaterThan(0);
  });

  it('are not deep where one name only stands for another', () => {
    const conditions = chain(10_000, (next) => ({ condition: next }));
    expect(withinProcessorMs(1_000, () => codes(ruleSetFile({ conditions, rules: [named] })))).toEqual([]);
  });

  it('may hold rings of any length', () => {
    const conditions = { ...chain(10_000, (next) => ({ condition: next })), c9999: { not: { condition: 'c0' } } };
    expect(withinProcessorMs(5_000, () => codes(ruleSetFile({ conditions, rules: [named] })))).toEqual([
      '/conditions/c9999/not/condition condition_cycle',
    ]);
  });
});

describe('exploding shared conditions', () => {
  const doubling = (length: number) =>
    chain(length, (next) => ({ all: [{ condition: next }, { any: [{ condition: next }] }] }));

  it('are rejected by their expanded size', () => {
    const file = (length: number) => ruleSetFile({ conditions: doubling(length), rules: [named] });
    expect(codes(file(10))).toEqual([]);
    expect(codes(file(10), stranger)).toEqual([]);
    expect(codes(file(16), stranger)).toEqual(['/rules/0 expansion_too_large']);
    expect(codes(file(16))).toEqual([]);
    expect(withinProcessorMs(1_000, () => codes(file(60)))).toEqual(['/rules/0 expansion_too_large']);
  });

  it('are refused where only all rules together are too large', () => {
    const rules = Array.from({ length: 20 }, (_, index) => ({ ...named, id: `r${index}` }));
    const file = ruleSetFile({ conditions: doubling(10), rules });
    expect(codes(file, stranger)).toEqual([' expansion_too_large']);
    expect(codes(file)).toEqual([]);
  });
});

describe('large files', () => {
  it('from strangers are at most 256 KiB and 500 rules', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, index) => ruleFile({ id: `r${index}` }));
    expect(codes(ruleSetFile({ rules: rules(500) }), stranger)).toEqual([]);
    expect(codes(ruleSetFile({ rules: rules(501) }), stranger)).toEqual([' too_many_rules']);
    const split = [
      program({ rules: rules(300) }),
      program({ id: 'five', policy_types: ['ho5'], rules: rules(600).slice(300) }),
    ];
    expect(codes(ruleSetFile({ rules: [], programs: split }), stranger)).toEqual([' too_many_rules']);
    expect(codes(ruleSetFile({ rules: rules(501) }))).toEqual([]);

    const sized = (bytes: number) => {
      const empty = JSON.stringify(ruleSetFile({ $comment: '' })).length;
      return ruleSetFile({ $comment: 'é'.repeat((bytes - empty) / 2) + ((bytes - empty) % 2 ? 'x' : '') });
    };
    expect(codes(sized(256 * 1024), stranger)).toEqual([]);
    expect(codes(sized(256 * 1024 + 1), stranger)).toEqual([' too_large']);
    expect(codes(sized(256 * 1024 + 1))).toEqual([]);
  });

  it('of megabytes are refused from strangers at once, and read in seconds from one’s own disk', () => {
    const count = testVolume(5_000);
    const perRuleMs = 1 / 4;
    const rules = (fact: string) =>
      Array.from({ length: count }, (_, index) =>
        ruleFile({ id: `r${index}`, message: 'Claims. '.repeat(50), when: { all: [test(fact, 'greaterThan', 2)] } }),
      );
    const good = ruleSetFile({ rules: rules('total_claims') });
    expect(JSON.stringify(good).length).toBeGreaterThan(2_500_000);
    expect(withinProcessorMs(2_000, () => codes(good, stranger))).toEqual([' too_large']);
    expect(withinProcessorMs(count * perRuleMs, () => codes(good))).toEqual([]);
    expect(
      withinProcessorMs(count * perRuleMs * 1.5, () => codes(ruleSetFile({ rules: rules('totl_claims') }))),
    ).toHaveLength(count);
  });

  it('of very many overlapping programs are read in seconds', () => {
    const everywhere = states.map((state) => state.code);
    const programs = Array.from({ length: 600 }, (_, index) =>
      program({ id: `p${index}`, policy_types: [...homeVocabulary.policyTypes], states: everywhere }),
    );
    expect(withinProcessorMs(5_000, () => codes(ruleSetFile({ programs })))).toHaveLength(599);
  });

  it('of very many misspellings are read in seconds', () => {
    const conditions = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`name ${index}`, { all: [] }]));
    const all = Array.from({ length: 3_000 }, (_, index) => ({ condition: `nmae ${index}x` }));
    expect(
      withinProcessorMs(10_000, () => codes(ruleSetFile({ conditions, rules: [ruleFile({ when: { all } })] }))),
    ).toHaveLength(3_000);
  });
});

describe('prototype keys', () => {
  it('are names like any other where names are free', () => {
    const text = JSON.stringify(
      ruleSetFile({ conditions: { X: { all: [] } }, rules: [ruleFile({ when: { condition: 'X' } })] }),
    );
    const { ruleSet, faults } = checkRuleSet(JSON.parse(text.replaceAll('"X"', '"__proto__"')));
    expect(faults).toEqual([]);
    expect(ruleSet?.rules[0]?.condition).toEqual({ kind: 'all', of: [] });
  });

  it('mean nothing anywhere else', () => {
    const file = ruleSetFile({
      outcomes: {},
      rules: [{ name: 'a', conditions: { all: [] }, event: { type: 'constructor' } }, ruleFile({ code: '__proto__' })],
      programs: [program({ counties: { constructor: { include: [] } } })],
    });
    expect(codes(file).sort()).toEqual([
      '/programs/0/counties/constructor unknown_state',
      '/rules/0/event/type unmapped_event',
      '/rules/1/code unknown_code',
    ]);
  });
});

it('never throws for any value in any place', () => {
  const anything = fc.oneof(
    fc.anything({ withNullPrototype: true }),
    fc.constantFrom<unknown>(
      null,
      [],
      {},
      '',
      0,
      -1,
      { toString: 1, valueOf: 1 },
      '\ud800',
      '__proto__',
      { fact: 'usage' },
      { all: {} },
      [[]],
    ),
  );
  const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
    const parts: fc.Arbitrary<unknown>[] = [fc.constant(value), anything];
    if (Array.isArray(value)) parts.push(fc.tuple(...value.map(spoilt)));
    else if (typeof value === 'object' && value !== null) {
      parts.push(
        fc.record(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, spoilt(inner)])), {
          requiredKeys: [],
        }),
      );
    }
    return fc.oneof({ weight: 4, arbitrary: parts.at(-1)! }, { weight: 1, arbitrary: parts[1]! });
  };
  const whole = ruleSetFile({
    conditions: { a: { any: [test('usage', 'in', ['rental'])] }, b: { not: { condition: 'a' } } },
    outcomes: { deny: 'decline', ok: { otherwise: 'refer' } },
    rules: [
      ruleFile({ when: { condition: 'b' }, priority: 2 }),
      {
        name: 'c',
        conditions: { all: [{ ...test('dwelling_a', 'not:equal', 1), path: 'a' }] },
        event: { type: 'deny', params: {} },
      },
    ],
    programs: [program({ counties: { tx: { exclude: ['harris'] } }, rules: [ruleFile({ id: 'd' })] })],
    moratoria: [{ id: 'e', from: '2026-01-01T00:00:00Z', until: null, states: ['tx'], message: '{state}' }],
  });
  fc.assert(
    fc.property(spoilt(whole), fc.boolean(), (file, fromStranger) => {
      const { ruleSet, faults } = checkRuleSet(file, { fromStranger });
      expect(ruleSet === undefined).toBe(faults.length > 0);
      for (const { path, code, message } of faults) {
        expect(path === '' || path.startsWith('/')).toBe(true);
        expect([typeof code, typeof message]).toEqual(['string', 'string']);
      }
    }),
    { numRuns: testVolume(60) },
  );
});
