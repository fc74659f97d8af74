import { checkRuleSet } from '@leeward/engine';
import { applyOverride, checkOverride, createOrganizationCatalog } from '@leeward/engine/organizations';
import { describe, expect, it } from 'vitest';
import { sampleCatalog } from '../../../../../test/support/sample-catalog.ts';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { ruleSetsInForceSchema, type WireRuleSets } from '../rule-sets/rule-sets-schema.ts';

const path = '/v1/rule-sets/home';
const token = tokens.rulesOnly;

async function read(at: string, leeward = sampleService()): Promise<WireRuleSets> {
  const response = await ask(leeward, at, { token });
  const told = (await response.json()) as WireRuleSets;
  expect({ status: response.status, told }).toMatchObject({ status: 200 });
  expect(ruleSetsInForceSchema.strict().parse(told)).toEqual(told);
  return told;
}

describe(path, () => {
  it('gives the files of all carriers, as the engine takes them', async () => {
    const { carriers, organization_id } = await read(path);
    const catalog = sampleCatalog();
    expect(organization_id).toBeNull();
    expect(carriers.map(({ carrier_key }) => carrier_key)).toEqual(catalog.carriers.map(({ key }) => key));
    for (const { carrier_key, appointed_for, versions } of carriers) {
      expect(appointed_for).toBeNull();
      for (const { rule_set, sha256 } of versions)
        expect(checkRuleSet(rule_set).ruleSet).toMatchObject({ carrierKey: carrier_key, sha256 });
    }
  });

  it('gives an organization its appointments and overrides', async () => {
    const base = sampleCatalog();
    const [first, second] = base.carriers.map(({ key }) => key) as [string, string];
    const override = { carrier_key: first, exclude: { states: ['la'] } };
    const view = createOrganizationCatalog({
      base,
      isAppointed: (key, type, { state }) => key === first && type === 'ho3' && (state === 'tx' || state === 'fl'),
      ownRuleSets: [],
      overrides: [override],
    });
    const organizations = { catalogOf: async (id: string) => (id === 'org_acme' ? view : undefined) };
    const { carriers, organization_id } = await read(
      `${path}/org_acme`,
      sampleService({ underwriting: { catalog: base, organizations } }),
    );
    expect(organization_id).toBe('org_acme');
    const tightened = carriers.find(({ carrier_key }) => carrier_key === first)!;
    expect(tightened).toMatchObject({ source: 'override', appointed_for: { fl: ['ho3'], tx: ['ho3'] } });
    // Carriers without an appointment are left out, with their rules.
    expect(carriers.find(({ carrier_key }) => carrier_key === second)).toBeUndefined();
    // The file and the override together give the same verdicts.
    const [version] = tightened.versions;
    const rules = applyOverride(
      checkRuleSet(version!.rule_set).ruleSet!,
      checkOverride(version!.override).override!,
    ).rules.map(({ id }) => id);
    expect(rules).toEqual(
      view.carriers.find(({ key }) => key === first)!.versions[0]!.ruleSet.rules.map(({ id }) => id),
    );
  });

  it('needs the scope rules, hides other tenants, and rejects options', async () => {
    const leeward = sampleService();
    expect((await ask(leeward, path, { token: tokens.acme })).status).toBe(403);
    expect((await ask(leeward, `${path}/org_other`, { token })).status).toBe(404);
    const refused = await ask(leeward, path, { token, body: { carrier: 'all' } });
    expect([refused.status, (await problemOf(refused)).errors?.[0]?.path]).toEqual([422, '/carrier']);
  });
});
