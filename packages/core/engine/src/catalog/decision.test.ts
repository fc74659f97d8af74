import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import { createCatalog } from './create-catalog.ts';

type Json = Record<string, unknown>;
const carrier = (key: string, ...rules: Json[]): { file: Json } => ({
  file: ruleSetFile({
    carrier: { key, name: `The ${key}` },
    rules,
    programs: [{ id: 'texas', policy_types: ['ho3', 'ho5'], states: ['tx'] }],
  }),
});
const over = (id: string, fact: string, limit: number, outcome = 'decline') =>
  ruleFile({ id, outcome, when: { all: [test(fact, 'greaterThan', limit)] } });
const always = (id: string, outcome: string) => ruleFile({ id, outcome, when: { all: [] } });

describe('a decision', () => {
  const catalog = createCatalog([
    carrier('declining', always('a', 'decline')),
    carrier('zealous', always('a', 'require')),
    carrier('asking', over('a', 'total_claims', 2)),
    carrier('referring', always('a', 'refer')),
    carrier('able'),
    carrier('busy', always('a', 'require'), always('b', 'require')),
    carrier('calm'),
  ]);

  it('is sorted: eligible by number of requirements, referral, needs information, ineligible', async () => {
    const { verdicts, counts } = await catalog.decide(propertyOf({ state: 'tx', county: 'harris' }));
    expect(verdicts.map((verdict) => `${verdict.carrierKey} ${verdict.policyType} ${verdict.status}`)).toEqual(
      [
        ...['able', 'calm', 'zealous', 'busy'].map((key) => [key, 'eligible']),
        ['referring', 'referral'],
        ['asking', 'needs_information'],
        ['declining', 'ineligible'],
      ].flatMap(([key, status]) => ['ho3', 'ho5'].map((type) => `${key} ${type} ${status}`)),
    );
    expect(counts).toEqual({ eligible: 8, referral: 2, needs_information: 2, ineligible: 2, not_offered: 35 });
  });

  it('covers one policy type if the request names it', async () => {
    const { verdicts, counts } = await catalog.decide(
      propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho5' }),
    );
    expect(new Set(verdicts.map((verdict) => verdict.policyType))).toEqual(new Set(['ho5']));
    expect(counts).toEqual({ eligible: 4, referral: 1, needs_information: 1, ineligible: 1, not_offered: 0 });
  });
});

describe('the next questions', () => {
  const questions = async (body: Json, ...entries: { file: Json }[]) =>
    (await createCatalog(entries).decide(propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', ...body })))
      .nextQuestions;

  it('ranks by the number of carriers settled, then by the number of carriers affected', async () => {
    const entries = [
      carrier('one', over('a', 'acreage', 5)),
      carrier('two', over('a', 'acreage', 10)),
      carrier('three', over('a', 'total_claims', 2)),
      carrier('four', over('a', 'total_claims', 2), over('b', 'hvac_age', 20)),
      carrier('five', over('a', 'hvac_age', 20), over('b', 'water_heater_age', 15)),
      carrier('six', over('a', 'hvac_age', 20, 'require')),
    ];
    expect(await questions({}, ...entries)).toEqual([
      { field: 'acreage', wouldSettle: 2 },
      { field: 'total_claims', wouldSettle: 1 },
      { field: 'hvac_age', wouldSettle: 0 },
      { field: 'water_heater_age', wouldSettle: 0 },
    ]);
    expect(await questions({ acreage: 1, total_claims: 0, water_heater_age: 1 }, ...entries)).toEqual([
      { field: 'hvac_age', wouldSettle: 2 },
    ]);
    expect(await questions({ acreage: 1, total_claims: 0, water_heater_age: 1, hvac_age: 1 }, ...entries)).toEqual([]);
  });

  it('counts a field together with the one it is always given with', async () => {
    const roof = ruleFile({
      id: 'roof',
      when: { all: [test('roof_type', 'equal', 'flat'), test('roof_age', 'greaterThan', 10)] },
    });
    expect(await questions({}, carrier('one', roof))).toEqual([
      { field: 'roof_age', wouldSettle: 1 },
      { field: 'roof_type', wouldSettle: 1 },
    ]);
  });
});
