import type { Actor } from '@leeward/accounts';
import { refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores, type World } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

/** Records of the other organization, with requests that are valid there. */
async function createTheirs({ accounts, theirs }: World) {
  const { carriers, overrides } = accounts.administration;
  const { admin } = theirs;
  const carrier = await carriers.create.run(admin, { rule_set: ruleSetOf('theirs') });
  const override = await overrides.create.run(admin, { carrier_key: 'gulf_shield', exclude: { states: ['tx'] } });
  return {
    carriers: { carrier_id: carrier.carrier_id, rule_set: ruleSetOf('theirs', { version: '2' }) },
    overrides: { override_id: override.override_id, exclude: { states: ['la'] } },
  };
}

const bodies = {
  carriers: { rule_set: ruleSetOf('new') },
  overrides: { carrier_key: 'palm_coast', exclude: { states: ['tx'] } },
};

const notThere = ['0'.repeat(26), 'no such id', '', "x' or '1'='1", '\0', '\ud800', '__proto__'];

describeOnStores("Another organization's rules", (test) => {
  test('return the same error as an unknown id', async (world) => {
    const { accounts, ours, theirs } = world;
    const existing = await createTheirs(world);
    const before = JSON.stringify(await snapshot(world, theirs.organizationId));
    for (const [resource, request] of Object.entries(existing) as [keyof typeof existing, Record<string, unknown>][]) {
      const { update, remove } = accounts.administration[resource];
      const [idField, id] = Object.entries(request)[0] as [string, string];
      const operations: { run: typeof update.run; body: object }[] = [
        { run: update.run, body: { ...request, revision: 1 } },
        { run: remove.run, body: { [idField]: id } },
      ];
      for (const { run, body } of operations) {
        const foreign = await refusal(run(ours.admin, body));
        expect(foreign).toMatchObject({ code: 'not_found', status: 404, faults: [] });
        for (const unknown of notThere) {
          const error = await refusal(run(ours.admin, { ...body, [idField]: unknown }));
          expect([error.code, error.message]).toEqual([foreign.code, foreign.message]);
        }
      }
    }
    expect(JSON.stringify(await snapshot(world, theirs.organizationId))).toBe(before);
  });

  test('cannot be created, listed or read into by naming the organization', async (world) => {
    const { accounts, ours, theirs } = world;
    await createTheirs(world);
    // An empty id counts as missing.
    const given = notThere.filter((id) => id !== '');
    for (const organization_id of [theirs.organizationId, ...given]) {
      for (const [resource, body] of Object.entries(bodies) as [keyof typeof bodies, object][]) {
        const { create, list } = accounts.administration[resource];
        expect((await refusal(create.run(ours.admin, { ...body, organization_id }))).code).toBe('not_found');
        // The rest of the body is not checked.
        const broken = { organization_id, nonsense: 1, limit: 'x' };
        expect((await refusal(create.run(ours.admin, broken))).code).toBe('not_found');
        expect((await refusal(list.run(ours.admin, { organization_id }))).code).toBe('not_found');
      }
    }
  });

  test('never show in a list', async (world) => {
    const { accounts, ours } = world;
    await createTheirs(world);
    const { administration } = accounts;
    for (const resource of [...Object.keys(bodies), 'audit'] as (keyof typeof bodies | 'audit')[]) {
      const { items } = await administration[resource].list.run(ours.admin, { limit: 200 });
      const foreign = items.filter((item) => item.organization_id !== ours.organizationId);
      expect(foreign).toEqual([]);
    }
  });
});

describeOnStores('Permissions', (test) => {
  test('tokens without admin or operator do nothing here', async ({ accounts, ours }) => {
    const { administration, directory } = accounts;
    for (const body of [{}, { team_id: ours.teamId }, { scopes: ['underwrite', 'quote', 'distance'] }]) {
      const { token } = await administration.tokens.create.run(ours.admin, body);
      const caller = (await directory.authenticate(token)) as Actor;
      for (const operation of administration.operations) {
        expect((await refusal(operation.run(caller, {}))).status).toBe(403);
      }
    }
  });
});

async function snapshot({ accounts }: World, organizationId: string): Promise<unknown[]> {
  // Moratoria belong to the catalog, not to an organization.
  const {
    organizations: _,
    operations: __,
    moratoria: ___,
    hazardEvents: ____,
    ...resources
  } = accounts.administration;
  const lists = Object.values(resources).map((resource) =>
    resource.list.run(system, { organization_id: organizationId }),
  );
  return Promise.all(lists);
}
