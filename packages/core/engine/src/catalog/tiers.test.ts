import { describe, expect, it } from 'vitest';
import { parseRequest } from '../request/parse-request.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { toJsonRulesEngine } from '../rule-set/to-json-rules-engine.ts';
import { createCatalog } from './create-catalog.ts';
import { createOrganizationCatalog } from './organization-catalog.ts';

const decline = (id: string, fact: string, value: number) => ({
  id,
  outcome: 'decline',
  code: 'roof_age',
  message: `${id}.`,
  when: { all: [{ fact, operator: 'greaterThan', value }] },
});
const tier = (rank: number, rules: readonly object[]) => ({
  id: `rank-${rank}`,
  policy_types: ['ho3', 'ho5'],
  states: ['tx'],
  tier: { of: 'homeowners', rank },
  rules,
});
const file = {
  format: 1,
  carrier: { key: 'tiered', name: 'Tiered' },
  version: '1',
  effective: { from: '2026-01-01' },
  rules: [decline('class', 'protection_class', 9)],
  programs: [tier(1, [decline('new-roof', 'roof_age', 5)]), tier(2, [decline('old-roof', 'roof_age', 20)])],
};

function propertyOf(home: object) {
  const parsed = parseRequest(
    { state: 'tx', county: 'harris', policy_type: 'ho3', roof_type: 'metal', protection_class: 3, ...home },
    { now: new Date('2026-11-20T12:00:00Z') },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

describe('a catalog with tiers', () => {
  const catalog = createCatalog([{ file }]);

  it('moves the limits of ages with the effective year', () => {
    const tierOf = (effective_date: string) =>
      catalog.decideSync(propertyOf({ roof_age: 2021, effective_date })).verdicts[0]?.tier?.rank;
    expect(['2026-12-01', '2027-01-01', '2041-06-01', '2042-01-01'].map(tierOf)).toEqual([1, 2, 2, undefined]);
  });

  it('answers all policy types, status codes and declines alike', async () => {
    const { policy_type: _, ...any } = { policy_type: '', roof_age: 30 };
    const property = propertyOf({ ...any, policy_type: undefined });
    const decision = catalog.decideSync(property);
    expect(decision.verdicts.map(({ policyType, status }) => [policyType, status])).toEqual([
      ['ho3', 'ineligible'],
      ['ho5', 'ineligible'],
    ]);
    expect((await catalog.decide(property)).verdicts).toEqual(decision.verdicts);
    expect(decision.counts).toMatchObject({ ineligible: 2, not_offered: 5 });
    expect(catalog.declines(property).map(({ policyType, reasons }) => [policyType, reasons[0]?.ruleId])).toEqual([
      ['ho3', 'old-roof'],
      ['ho5', 'old-roof'],
    ]);
    expect([...catalog.statusCodes(property)].filter((code) => code !== 0)).toHaveLength(2);
  });

  it('holds the rules of an override for every tier', async () => {
    const override = { carrier_key: 'tiered', add_rules: [decline('own', 'acreage', 2)] };
    const view = createOrganizationCatalog({
      base: catalog,
      isAppointed: () => true,
      ownRuleSets: [],
      overrides: [override],
    });
    const verdictOf = async (acreage: number) =>
      (await view.decide(propertyOf({ roof_age: 12, acreage }))).verdicts[0]!;
    expect(await verdictOf(1)).toMatchObject({ status: 'eligible', tier: { rank: 2 }, source: 'override' });
    expect(await verdictOf(3)).toMatchObject({
      status: 'ineligible',
      reasons: [{ ruleId: 'own' }],
      otherTiers: [{ rank: 1, reasons: [{ ruleId: 'own' }, { ruleId: 'new-roof' }] }],
    });
  });

  it('names the tiers in an export to json-rules-engine', () => {
    const { rules, omitted } = toJsonRulesEngine(checkRuleSet(file).ruleSet!);
    expect(rules.map(({ name, event }) => [name, event.params.tier])).toEqual([
      ['class', undefined],
      ['new-roof', 'rank-1'],
      ['old-roof', 'rank-2'],
    ]);
    expect(omitted.tiers).toEqual([
      { program: 'rank-1', of: 'homeowners', rank: 1 },
      { program: 'rank-2', of: 'homeowners', rank: 2 },
    ]);
  });

  it('evaluates carriers without tiers as if there were none with tiers', () => {
    const plain = {
      ...file,
      carrier: { key: 'plain', name: 'Plain' },
      programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'], rules: [decline('tx-roof', 'roof_age', 20)] }],
    };
    const property = propertyOf({ roof_age: 12 });
    const [alone] = createCatalog([{ file: plain }]).decideSync(property).verdicts;
    const both = createCatalog([{ file }, { file: plain }]).decideSync(property).verdicts;
    expect(both.find(({ carrierKey }) => carrierKey === 'plain')).toEqual(alone);
    expect(Object.keys(alone!).filter((key) => /tier/i.test(key))).toEqual([]);
  });
});
