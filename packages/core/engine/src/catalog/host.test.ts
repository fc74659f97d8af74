import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import { STATUS_CODES } from '../verdict/status-codes.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { createCatalog } from './create-catalog.ts';

type Json = Record<string, unknown>;
const operators = { startsWith: (a: unknown, b: unknown) => String(a).startsWith(String(b)) };

const inFlorida = [{ id: 'florida', policy_types: ['ho3'], states: ['fl'] }];

describe('facts and operators of the host', () => {
  const judge = async (rules: Json[], facts: NonNullable<CatalogOptions['facts']>, body: Json = {}) => {
    const catalog = createCatalog([{ file: ruleSetFile({ rules }) }], { facts, operators });
    const { verdicts } = await catalog.decide(
      propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', ...body }),
    );
    return verdicts[0]!;
  };
  const flood = (...more: Json[]) => [
    ruleFile({ when: { all: [test('map_zone', 'not:startsWith', 'X'), ...more] }, message: 'Flood.' }),
  ];

  it('are read during a decision', async () => {
    expect(await judge(flood(), { map_zone: 'VE' })).toMatchObject({
      status: 'ineligible',
      reasons: [{ fields: ['map_zone'] }],
    });
    expect(await judge(flood(), { map_zone: async () => 'X500' })).toMatchObject({ status: 'eligible' });
  });

  it('that are not known leave the status open, and are named', async () => {
    for (const unknown of [undefined, () => undefined, async () => undefined]) {
      expect(await judge(flood(), { map_zone: unknown })).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['map_zone'],
      });
    }
  });

  it('that are known are not missing if a field of the home is', async () => {
    const rules = flood(test('total_claims', 'greaterThan', 0));
    expect(await judge(rules, { map_zone: 'VE' })).toMatchObject({
      status: 'needs_information',
      missingFields: ['total_claims'],
    });
    expect(await judge(rules, { map_zone: 'X' })).toMatchObject({ status: 'eligible' });
    expect(await judge(rules, { map_zone: undefined }, { total_claims: 1 })).toMatchObject({
      missingFields: ['map_zone'],
    });
    expect(await judge(rules, { map_zone: undefined }, { total_claims: 0 })).toMatchObject({ status: 'eligible' });
  });

  it('are not evaluated synchronously and listed as such; other carriers are', async () => {
    const plain = { file: ruleSetFile({ carrier: { key: 'plain', name: 'Plain' } }) };
    const elsewhere = {
      file: ruleSetFile({ carrier: { key: 'far', name: 'Far' }, rules: flood(), programs: inFlorida }),
    };
    const hosted = { file: ruleSetFile({ rules: flood() }) };
    const catalog = createCatalog([hosted, plain, elsewhere], { facts: { map_zone: 'VE' }, operators });
    expect(catalog.evaluators.map(({ carrierKey, evaluator }) => [carrierKey, evaluator])).toEqual([
      ['pine_ridge', 'reference'],
      ['plain', 'compiled'],
      ['far', 'reference'],
    ]);
    const property = propertyOf({ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 3 });
    const atOnce = catalog.decideSync(property);
    expect(atOnce.verdicts).toMatchObject([{ carrierKey: 'plain', status: 'ineligible' }]);
    expect(atOnce.notEvaluated).toEqual([
      { carrierKey: 'pine_ridge', carrierName: 'Pine Ridge', policyType: 'ho3', code: 'needs_host' },
    ]);
    expect(atOnce.notOffered).toMatchObject([{ carrierKey: 'far', code: 'no_program' }]);
    expect(atOnce.counts).toMatchObject({ ineligible: 1, not_offered: 1 });
    expect([...catalog.statusCodes(property)].map((code) => STATUS_CODES[code])).toEqual([
      'not_judged',
      'ineligible',
      'not_offered',
    ]);
    expect(catalog.declines(property).map(({ carrierKey }) => carrierKey)).toEqual(['plain']);
    const waited = await catalog.decide(property);
    expect(waited.counts).toMatchObject({ ineligible: 2, not_offered: 1 });
    expect(waited.notEvaluated).toEqual([]);
  });
});
