import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import { createCatalog } from './create-catalog.ts';
import { RuleSetError } from './rule-set-error.ts';

const version = (name: string, from: string, until: string | null, carrier = 'pine_ridge') =>
  ruleSetFile({ version: name, effective: { from, until }, carrier: { key: carrier, name: carrier } });
const on = (effective_date: string, more: Record<string, unknown> = {}) =>
  propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 0, effective_date, ...more });

describe('of several versions', () => {
  const files = [
    version('summer', '2026-06-01', '2026-09-01'),
    version('base', '2026-01-01', '2027-01-01'),
    version('later', '2027-03-01', null),
    version('autumn', '2026-09-01', '2026-10-01'),
  ];

  it.each([
    ['2025-12-31', undefined],
    ['2026-01-01', 'base'],
    ['2026-05-31', 'base'],
    ['2026-06-01', 'summer'],
    ['2026-08-31', 'summer'],
    ['2026-09-01', 'autumn'],
    ['2026-09-30', 'autumn'],
    ['2026-10-01', 'base'],
    ['2026-12-31', 'base'],
    ['2027-01-01', undefined],
    ['2027-02-28', undefined],
    ['2027-03-01', 'later'],
    ['2199-12-31', 'later'],
  ])('on %s the one from the latest date applies: %s', async (date, expected) => {
    for (const order of [files, files.toReversed()]) {
      const catalog = createCatalog(order.map((file) => ({ file })));
      expect(catalog.carriers).toHaveLength(1);
      const { verdicts, counts } = await catalog.decide(on(date));
      expect(verdicts.map((verdict) => verdict.ruleSet.version)).toEqual(expected === undefined ? [] : [expected]);
      expect(counts.not_offered).toBe(expected === undefined ? 1 : 0);
    }
  });

  it('selects by effective date, not by the time of the request', async () => {
    const catalog = createCatalog(files.map((file) => ({ file })));
    const asked = on('2026-07-01', { as_of: '2026-11-20T12:00:00Z' });
    expect((await catalog.decide(asked)).verdicts[0]?.ruleSet.version).toBe('summer');
  });

  it('two from the same date are a fault, with both named', () => {
    const entries = [
      { file: version('a', '2026-01-01', null), name: 'a.json' },
      { file: version('b', '2026-01-01', '2026-02-01'), name: 'b.json' },
      { file: version('c', '2026-01-01', null, 'other'), name: 'c.json' },
    ];
    expect(() => createCatalog(entries)).toThrow(RuleSetError);
    try {
      createCatalog(entries);
    } catch (error) {
      expect((error as RuleSetError).faults).toEqual([
        {
          source: 'b.json',
          path: '/effective/from',
          code: 'same_effective_date',
          message: expect.stringContaining('a.json'),
        },
      ]);
      expect((error as RuleSetError).message).toMatch(/^1 fault in rule sets:\n {2}b\.json at \/effective\/from: /);
    }
  });
});

it('reports the faults of all files at once', () => {
  const broken = ruleSetFile({ rules: [ruleFile({ outcome: 'deny' })] });
  try {
    createCatalog([{ file: broken, name: 'one.json' }, { file: ruleSetFile() }, { file: [] }]);
    expect.unreachable();
  } catch (error) {
    expect((error as RuleSetError).faults.map(({ source, path, code }) => [source, path, code])).toEqual([
      ['one.json', '/rules/0/outcome', 'unknown_outcome'],
      ['rule set 3', '', 'not_a_rule_set'],
    ]);
  }
});

it('an age is reckoned at the effective date, a year is not', async () => {
  const rules = [ruleFile({ when: { all: [test('roof_age', 'greaterThan', 15)] } })];
  const catalog = createCatalog([{ file: ruleSetFile({ rules }) }]);
  const status = async (roof_age: number, date: string) =>
    (await catalog.decide(on(date, { roof_age, roof_type: 'tile' }))).verdicts[0]?.status;
  expect(await Promise.all([status(2011, '2026-12-31'), status(2011, '2027-01-01'), status(15, '2027-01-01')])).toEqual(
    ['eligible', 'ineligible', 'eligible'],
  );
});
