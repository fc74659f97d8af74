import { describe, expect, it } from 'vitest';
import type { RuleFile, RuleSetFile } from '../index.ts';
import { choiceField, createVocabulary, integerField } from '../vocabulary/index.ts';
import { checkRuleSet } from './check.ts';

const head = {
  format: 1,
  carrier: { key: 'pine', name: 'Pine' },
  version: '1',
  effective: { from: '2026-01-01' },
} as const;

describe('rule sets as TypeScript literals', () => {
  it('are checked as they are typed, and are files', () => {
    const file = {
      ...head,
      rules: [
        {
          id: 'roof',
          outcome: 'decline',
          code: 'roof_age',
          message: '{roof_age}',
          when: {
            all: [
              { fact: 'roof_age', operator: 'greaterThan', value: 15 },
              { fact: 'roof_type', operator: 'in', value: ['metal', 'tile'] },
              { any: [{ fact: 'roof_age', operator: 'greaterThan', value: { fact: 'home_age' } }] },
            ],
          },
        },
      ],
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
    } satisfies RuleSetFile;
    expect(checkRuleSet(file).faults).toEqual([]);
  });

  it('have moratoria with a window, a condition or both', () => {
    const near = {
      all: [
        {
          count: 'events',
          where: { fact: 'miles_from_home', operator: 'lessThan', value: 100 },
          operator: 'greaterThan',
          value: 0,
        },
      ],
    } as const;
    const file = {
      ...head,
      format: 1,
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
      moratoria: [
        { id: 'window', from: '2026-08-01T00:00:00Z', message: 'Stopped.' },
        { id: 'storm', states: ['tx'], when: near, message: '{event} is near.' },
        {
          id: 'quoted',
          from: '2026-08-01T00:00:00Z',
          when: near,
          unless: { all: [{ fact: 'days_until_effective', operator: 'greaterThan', value: 10 }] },
          message: '{event} is near.',
        },
        // @ts-expect-error neither a window nor a condition
        { id: 'none', message: 'Stopped.' },
      ],
    } satisfies RuleSetFile;
    expect(checkRuleSet(file).faults.map(({ path }) => path)).toEqual(['/moratoria/3']);
  });

  it('do not compile with a slip in them', () => {
    const rule = { id: 'a', outcome: 'decline', code: 'claims', message: '' } as const;
    const slips = [
      // @ts-expect-error no such fact
      { ...rule, when: { all: [{ fact: 'rof_age', operator: 'equal', value: 1 }] } } satisfies RuleFile,
      // @ts-expect-error no such word
      { ...rule, when: { all: [{ fact: 'roof_type', operator: 'equal', value: 'straw' }] } } satisfies RuleFile,
      // @ts-expect-error words are not ordered
      { ...rule, when: { all: [{ fact: 'usage', operator: 'lessThan', value: 5 }] } } satisfies RuleFile,
      // @ts-expect-error no such code
      { ...rule, code: 'clams', when: { all: [{ fact: 'home_age', operator: 'equal', value: 1 }] } } satisfies RuleFile,
      // @ts-expect-error a bare test is no root
      { ...rule, when: { fact: 'home_age', operator: 'equal', value: 1 } } satisfies RuleFile,
    ];
    for (const slip of slips) {
      expect(
        checkRuleSet({ ...head, rules: [slip], programs: [{ id: 'a', policy_types: ['ho3'], states: ['tx'] }] }).faults,
      ).not.toEqual([]);
    }
  });

  it("infer a line of one's own from its fields", () => {
    const boats = createVocabulary({
      line: 'boat',
      policyTypes: ['hull'],
      policyTypeSpellings: {},
      fields: [
        integerField('berths', { label: 'berths', min: 0, max: 12, change: { kind: 'never' }, description: 'Berths.' }),
        choiceField('rig', { label: 'rig', words: ['sloop', 'ketch'], change: { kind: 'any' }, description: 'Rig.' }),
      ],
      derivedFacts: [],
      relations: [],
      givenTogether: [],
      codes: ['size'],
    });
    const rule = { id: 'a', outcome: 'refer', code: 'size', message: '' } as const;
    const rules = [
      { ...rule, when: { all: [{ fact: 'rig', operator: 'equal', value: 'sloop' }] } } satisfies RuleFile<typeof boats>,
      // @ts-expect-error no such rig
      { ...rule, id: 'b', when: { all: [{ fact: 'rig', operator: 'equal', value: 'junk' }] } } satisfies RuleFile<
        typeof boats
      >,
    ];
    const programs = [{ id: 'all', policy_types: ['hull'], states: ['tx'] }];
    const { faults } = checkRuleSet({ ...head, line: 'boat', rules, programs }, { vocabulary: boats });
    expect(faults.map(({ path }) => path)).toEqual(['/rules/1/when/all/0/value']);
  });
});
