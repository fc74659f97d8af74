import { createAccounts, createMemoryStore, type Directory } from '@leeward/accounts';
import { createCatalog, createProperty } from '@leeward/engine';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { describe, expect, it } from 'vitest';
import { createRulesPort } from '../rule-sets/rules-port.ts';
import { createAccountCatalogs } from './account-catalogs.ts';

const host = { system: 'test' };
const writes = (key: string, states = ['fl', 'tx']) => ({
  format: 1,
  carrier: { key, name: key },
  line: 'home',
  version: '1',
  effective: { from: '2026-01-01', until: null },
  programs: [{ id: 'all', policy_types: ['ho3', 'dp3'], states, rules: [] }],
});
const base = createCatalog(['bluestem', 'longleaf', 'sawgrass'].map((key) => ({ file: writes(key) })));

function open() {
  const accounts = createAccounts({
    store: createMemoryStore(),
    readOrganizationRules,
    catalog: new Set(base.carriers.map((carrier) => carrier.key)),
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(base) });
  const { directory } = accounts;
  const administration = { ...accounts.administration, ...registry.administration };
  const reads = { count: 0 };
  const counting: Directory = {
    ...directory,
    catalog(organizationId) {
      reads.count++;
      return directory.catalog(organizationId);
    },
  };
  const catalogs = createAccountCatalogs(base, counting);
  const found = async (organizationId: string, asOf = '2026-11-20', state = 'fl') => {
    const property = createProperty({
      vocabulary: base.vocabulary,
      state,
      asOfMs: Date.parse(asOf),
      effectiveDate: '2026-11-20',
      values: {},
    });
    const { verdicts } = await (await catalogs.catalogOf(organizationId))!.decide(property);
    return verdicts
      .filter(({ status }) => status === 'eligible')
      .map((verdict) => `${verdict.carrierKey} ${verdict.policyType} ${verdict.source}`)
      .sort();
  };
  const organization = async () =>
    (await administration.organizations.create.run(host, { name: 'Agency' })).organization_id;
  return { administration, catalogs, found, organization, reads };
}

describe('an organization’s catalog', () => {
  it('follows the accounts: carrier, state, policy type and day', async () => {
    const { administration, found, organization } = open();
    const organization_id = await organization();
    expect(await found(organization_id)).toEqual([]);
    const appoint = (body: object) => administration.appointments.create.run(host, { organization_id, ...body });
    await appoint({ carrier_key: 'bluestem', policy_types: ['dp3'] });
    await appoint({ carrier_key: 'longleaf', states: ['tx'] });
    await appoint({ carrier_key: 'sawgrass', policy_types: ['ho3'], from: '2026-11-21', until: '2026-11-23' });
    expect(await found(organization_id)).toEqual(['bluestem dp3 catalog']);
    expect(await found(organization_id, '2026-11-21T00:00:00Z')).toEqual([
      'bluestem dp3 catalog',
      'sawgrass ho3 catalog',
    ]);
    expect(await found(organization_id, '2026-11-23T00:00:00Z')).toEqual(['bluestem dp3 catalog']);
    expect(await found(organization_id, '2026-11-20', 'tx')).toEqual([
      'bluestem dp3 catalog',
      'longleaf dp3 catalog',
      'longleaf ho3 catalog',
    ]);
    await administration.carriers.create.run(host, { organization_id, rule_set: writes('our_own', ['fl']) });
    const exclude = { policy_types: ['dp3'] };
    expect(await found(organization_id)).toContain('bluestem dp3 catalog');
    await administration.overrides.create.run(host, { organization_id, carrier_key: 'bluestem', exclude });
    expect(await found(organization_id)).toEqual(['our_own dp3 organization', 'our_own ho3 organization']);
  });

  it('is read once for each change of the organization', async () => {
    const { administration, catalogs, organization, reads } = open();
    const [ours, theirs] = [await organization(), await organization()];
    const first = await catalogs.catalogOf(ours);
    for (let asked = 0; asked < 10; asked++) expect(await catalogs.catalogOf(ours)).toBe(first);
    await administration.appointments.create.run(host, { organization_id: theirs, carrier_key: 'bluestem' });
    expect(await catalogs.catalogOf(ours)).toBe(first);
    expect(reads.count).toBe(1);
    await administration.appointments.create.run(host, { organization_id: ours, carrier_key: 'bluestem' });
    expect(await catalogs.catalogOf(ours)).not.toBe(first);
    expect(reads.count).toBe(2);
  });

  it('is undefined after the organization was removed', async () => {
    const { administration, catalogs, organization } = open();
    const organization_id = await organization();
    expect(await catalogs.catalogOf(organization_id)).toBeDefined();
    await administration.organizations.remove.run(host, { organization_id });
    expect(await catalogs.catalogOf(organization_id)).toBeUndefined();
    for (const id of ['', 'nobody', '__proto__', '\u0000', 'x'.repeat(500)]) {
      expect(await catalogs.catalogOf(id)).toBeUndefined();
    }
  });

  it('is cached for the most recently used organizations', async () => {
    const { catalogs, organization, reads } = open();
    const always = await organization();
    await catalogs.catalogOf(always);
    for (let other = 0; other < 1_100; other++) {
      await catalogs.catalogOf(await organization());
      await catalogs.catalogOf(always);
    }
    expect(reads.count).toBe(1_101);
  });
});
