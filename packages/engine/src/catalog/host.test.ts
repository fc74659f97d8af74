import { describe, expect, it } from 'vitest';
import { propertyOf } from '../testing/complete-homes.ts';
import { ruleFile, ruleSetFile, test } from '../testing/rule-set-file.ts';
import { type CatalogOptions, createCatalog } from './catalog.ts';

type Json = Record<string, unknown>;
const operators = { startsWith: (a: unknown, b: unknown) => String(a).startsWith(String(b)) };

describe('facts and operators of the host', () => {
  const judge = async (rules: Json[], facts: NonNullable<CatalogOptions['facts']>, body: Json = {}) => {
    const catalog = createCatalog([{ file: ruleSetFile({ rules }) }], { facts, operators });
    const { verdicts } = await catalog.decide(
      propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', ...body }),
    );
    return verdicts[0]!;
  };
  const flood = (...more: Json[]) => [
    ruleFile({ when: { all: [test('flood_zone', 'not:startsWith', 'X'), ...more] }, message: 'Flood.' }),
  ];

  it('are asked when a home is judged', async () => {
    expect(await judge(flood(), { flood_zone: 'VE' })).toMatchObject({
      status: 'ineligible',
      reasons: [{ fields: ['flood_zone'] }],
    });
    expect(await judge(flood(), { flood_zone: async () => 'X500' })).toMatchObject({ status: 'eligible' });
  });

  it('that are not known leave the status open, and are named', async () => {
    for (const unknown of [undefined, () => undefined, async () => undefined]) {
      expect(await judge(flood(), { flood_zone: unknown })).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['flood_zone'],
      });
    }
  });

  it('that are known are not asked for, where a field of the home is missing beside them', async () => {
    const rules = flood(test('total_claims', 'greaterThan', 0));
    expect(await judge(rules, { flood_zone: 'VE' })).toMatchObject({
      status: 'needs_information',
      missingFields: ['total_claims'],
    });
    expect(await judge(rules, { flood_zone: 'X' })).toMatchObject({ status: 'eligible' });
    expect(await judge(rules, { flood_zone: undefined }, { total_claims: 1 })).toMatchObject({
      missingFields: ['flood_zone'],
    });
    expect(await judge(rules, { flood_zone: undefined }, { total_claims: 0 })).toMatchObject({ status: 'eligible' });
  });

  it('do not answer at once', () => {
    const catalog = createCatalog([{ file: ruleSetFile({ rules: flood() }) }], {
      facts: { flood_zone: 'X' },
      operators,
    });
    expect(catalog.evaluators).toEqual([
      { carrierKey: 'pine_ridge', version: '1', evaluator: 'reference', reason: expect.any(String) },
    ]);
    expect(() => catalog.decideSync(propertyOf({ state: 'tx', policy_type: 'ho3' }))).toThrow('use decide instead');
  });
});
