import { describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { parseRequest } from '../request/parse-request.ts';
import { checkOverride } from '../rule-set/override.ts';
import { createOrganizationCatalog } from './organization-catalog.ts';

const base = fixtureCatalog();
const appointed = ['tallgrass_mutual', 'heartpine_mutual', 'brackish_bay', 'fieldlark_direct'];
const own = {
  format: 1,
  carrier: { key: 'own_carrier', name: 'Our Own' },
  version: '1',
  effective: { from: '2026-01-01' },
  programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx', 'fl'], rules: [] }],
};
const override = {
  carrier_key: 'tallgrass_mutual',
  add_rules: [
    {
      id: 'our-claims',
      outcome: 'decline',
      code: 'claims',
      message: 'We place no home with claims there.',
      when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 0 }] },
    },
  ],
  exclude: { policy_types: ['dp1'], states: ['ok'], counties: { tx: ['galveston'] } },
};

function propertyOf(body: Record<string, unknown>) {
  const parsed = parseRequest(body, { now: new Date('2026-11-20T12:00:00Z') });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const organization = createOrganizationCatalog({
  base,
  isAppointed: (key, policyType) => appointed.includes(key) && policyType !== 'dp3',
  ownRuleSets: [own],
  overrides: [override],
});

describe('an organization’s catalog', () => {
  it('has the appointed, the organization’s and the tightened carriers', async () => {
    expect(organization.faults).toEqual([]);
    for (const home of fixtureHomes()) {
      const property = propertyOf(home);
      const all = await base.decide(property);
      const ours = await organization.decide(property);
      const plain = ours.verdicts.filter((verdict) => verdict.source === 'catalog');
      const wanted = all.verdicts.filter(
        ({ carrierKey, policyType }) =>
          appointed.includes(carrierKey) && carrierKey !== 'tallgrass_mutual' && policyType !== 'dp3',
      );
      expect(new Set(plain.map((each) => JSON.stringify(each)))).toEqual(
        new Set(wanted.map((each) => JSON.stringify(each))),
      );
      const types = property.policyType === undefined ? base.vocabulary.policyTypes : [property.policyType];
      const asked = types.filter((type) => type !== 'dp3').length * appointed.length + types.length;
      const counted = Object.values(ours.counts).reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(property.counties?.length === 0 ? 0 : asked);
    }
  });

  it('only tightens, and names the rule', async () => {
    const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 1 };
    const verdicts = (await organization.decide(propertyOf(home))).verdicts;
    expect(verdicts.find((verdict) => verdict.carrierKey === 'tallgrass_mutual')).toMatchObject({
      status: 'ineligible',
      source: 'override',
      reasons: [{ ruleId: 'our-claims' }],
      ruleSet: { overrideSha256: checkOverride(override).override?.sha256 },
    });
    expect(verdicts.find((verdict) => verdict.carrierKey === 'own_carrier')).toMatchObject({ source: 'organization' });
    const dp1 = (await organization.decide(propertyOf({ ...home, policy_type: 'dp1' }))).verdicts;
    expect(
      dp1.find((verdict) => verdict.carrierKey === 'tallgrass_mutual')?.reasons.map((reason) => reason.code),
    ).toContain('policy_type');
  });

  it('refuses overrides that mean nothing, each fault in its place', () => {
    const [tallgrass] = base.carriers.filter((carrier) => carrier.key === 'tallgrass_mutual');
    const sets = tallgrass!.versions.map((version) => version.ruleSet);
    const taken = sets[0]!.rules[0] ?? sets[0]!.programs[0]!.rules[0]!;
    const faulty = {
      carrier_key: 'tallgrass_mutual',
      add_rule: [],
      add_rules: [
        { ...override.add_rules[0], id: taken.id },
        { id: 'x', outcome: 'accept', code: 'claims', message: '', when: { all: [] } },
      ],
      exclude: { policy_types: ['ho9'], states: ['zz'], counties: { tx: ['galvestone'], fl: 'broward' } },
    };
    expect(
      checkOverride(faulty, sets)
        .faults.map((fault) => [fault.code, fault.path])
        .sort(),
    ).toEqual(
      [
        ['unknown_key', '/add_rule'],
        ['duplicate_id', '/add_rules/0/id'],
        ['unknown_outcome', '/add_rules/1/outcome'],
        ['unknown_policy_type', '/exclude/policy_types/0'],
        ['unknown_state', '/exclude/states/0'],
        ['unknown_county', '/exclude/counties/tx/0'],
        ['invalid_type', '/exclude/counties/fl'],
      ].sort(),
    );
    expect(checkOverride({ carrier_key: 'x' }).faults[0]?.code).toBe('empty_override');
    expect(checkOverride([]).faults[0]?.code).toBe('invalid_type');
  });
});
