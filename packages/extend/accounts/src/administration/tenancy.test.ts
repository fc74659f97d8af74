import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { faultsOf, refusal, system, type World } from '../testing/test-accounts.ts';
import type { Actor } from './authority.ts';

/** Records of the other organization, with requests that are valid there. */
async function createTheirs({ accounts, theirs }: World) {
  const { teams, producers, appointments, tokens, users } = accounts.administration;
  const { admin, organizationId } = theirs;
  const appointment = await appointments.create.run(admin, { carrier_key: 'bayou_mutual' });
  const producer = await producers.create.run(admin, { team_id: theirs.teamId, email: 'theirs@example.com' });
  const token = await tokens.create.run(admin, {});
  const user = await users.create.run(admin, { email: 'theirs@example.com', roles: [{ role: 'administrator' }] });
  const team = await teams.create.run(admin, { name: 'Other' });
  return {
    organizations: { organization_id: organizationId, name: 'Renamed' },
    teams: { team_id: team.team_id, name: 'Renamed' },
    producers: { producer_id: producer.producer_id, name: 'Renamed' },
    appointments: { appointment_id: appointment.appointment_id, states: ['fl'] },
    users: { user_id: user.user_id, name: 'Renamed' },
    tokens: { token_id: token.token_id, name: 'Renamed' },
  };
}

const bodies = {
  teams: { name: 'New' },
  producers: { team_id: 'to be filled in', email: 'new@example.com' },
  appointments: { carrier_key: 'palm_coast' },
  users: { email: 'new@example.com', roles: [{ role: 'administrator' }] },
  tokens: { scopes: ['distance'] },
};

const notThere = ['0'.repeat(26), 'no such id', '', "x' or '1'='1", '\0', '\ud800', '__proto__'];

describeOnStores("Another organization's things", (test) => {
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
      if (resource === 'organizations') operations.pop();
      if (resource === 'tokens')
        operations.push({ run: accounts.administration.tokens.rotate.run, body: { token_id: id } });
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
        const own = resource === 'producers' ? { ...body, team_id: theirs.teamId } : body;
        expect((await refusal(create.run(ours.admin, { ...own, organization_id }))).code).toBe('not_found');
        // The rest of the body is not checked.
        const broken = { organization_id, nonsense: 1, limit: 'x' };
        expect((await refusal(create.run(ours.admin, broken))).code).toBe('not_found');
        expect((await refusal(list.run(ours.admin, { organization_id }))).code).toBe('not_found');
      }
      const { organizations, audit } = accounts.administration;
      expect((await refusal(organizations.list.run(ours.admin, { organization_id }))).code).toBe('not_found');
      expect((await refusal(audit.list.run(ours.admin, { organization_id }))).code).toBe('not_found');
    }
  });

  test('never show in a list', async (world) => {
    const { accounts, ours, theirs } = world;
    const existing = await createTheirs(world);
    const { administration } = accounts;
    for (const resource of [...Object.keys(bodies), 'audit'] as (keyof typeof bodies | 'audit')[]) {
      const { items } = await administration[resource].list.run(ours.admin, { limit: 200 });
      const foreign = items.filter((item) => item.organization_id !== ours.organizationId);
      expect(foreign).toEqual([]);
    }
    expect((await administration.organizations.list.run(ours.admin, {})).items).toHaveLength(1);
    const { team_id } = existing.teams;
    for (const filter of [{ team_id }, { team_id: theirs.teamId }, { team_id: 'unknown' }, { team_id: '\0' }]) {
      expect((await administration.producers.list.run(ours.admin, filter)).items).toEqual([]);
      expect((await administration.tokens.list.run(ours.admin, filter)).items).toEqual([]);
    }
    const subject = { subject_id: existing.tokens.token_id };
    expect((await administration.audit.list.run(ours.admin, subject)).items).toEqual([]);
  });

  test('cannot be joined: no team, producer or token crosses over', async (world) => {
    const { accounts, ours, theirs } = world;
    const { producers, tokens } = accounts.administration;
    const { producer_id } = await producers.create.run(ours.admin, { team_id: ours.teamId, email: 'a@example.com' });
    for (const team_id of [theirs.teamId, ...notThere]) {
      expect((await refusal(producers.create.run(ours.admin, { team_id, email: 'b@example.com' }))).code).toBe(
        'not_found',
      );
      // An optional empty id counts as missing.
      if (team_id === '') continue;
      expect((await refusal(producers.update.run(ours.admin, { producer_id, revision: 1, team_id }))).code).toBe(
        'not_found',
      );
      expect((await refusal(tokens.create.run(ours.admin, { team_id }))).code).toBe('not_found');
    }
  });
});

describeOnStores('Permissions', (test) => {
  test('an administrator grants only scopes it has, in one organization', async ({ accounts, ours, theirs }) => {
    const { tokens } = accounts.administration;
    const { token } = await tokens.create.run(ours.admin, { scopes: ['admin', 'distance'] });
    const limited = (await accounts.directory.authenticate(token)) as Actor;
    for (const scopes of [['underwrite'], ['quote'], ['operator'], ['admin', 'distance', 'quote'], undefined]) {
      const error = await refusal(tokens.create.run(limited, { scopes }));
      expect([error.status, ...faultsOf(error)]).toEqual([403, '/scopes scope_missing']);
    }
    expect((await tokens.create.run(limited, { scopes: ['distance', 'admin'] })).scopes).toEqual(['distance', 'admin']);
    const wide = await tokens.create.run(ours.admin, { scopes: ['quote'], team_id: ours.teamId });
    const { token_id } = wide;
    expect((await refusal(tokens.rotate.run(limited, { token_id }))).status).toBe(403);
    expect((await refusal(tokens.update.run(limited, { token_id, revision: 1, expires_at: null }))).status).toBe(403);
    expect(await accounts.directory.authenticate(wide.token)).toBeDefined();
    // Revoking does not need the scopes of the token.
    expect((await tokens.remove.run(limited, { token_id })).status).toBe('revoked');
    const elsewhere = { organization_id: theirs.organizationId, scopes: ['distance'] };
    expect((await refusal(tokens.create.run(limited, elsewhere))).status).toBe(404);
    expect((await tokens.list.run(theirs.admin, {})).items).toHaveLength(1);
  });

  test('a team gets no token to administer with', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    const error = await refusal(tokens.create.run(ours.admin, { team_id: ours.teamId, scopes: ['admin'] }));
    expect(faultsOf(error)).toEqual(['/scopes scope_not_for_teams']);
  });

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

  test('organizations are made and removed by operators alone', async ({ accounts, ours }) => {
    const { organizations } = accounts.administration;
    expect((await refusal(organizations.create.run(ours.admin, { name: 'Mine too' }))).status).toBe(403);
    const own = { organization_id: ours.organizationId };
    expect((await refusal(organizations.remove.run(ours.admin, own))).status).toBe(403);
    expect((await organizations.update.run(ours.admin, { ...own, revision: 1, name: 'Renamed' })).name).toBe('Renamed');
    expect((await organizations.list.run(system, {})).items).toHaveLength(2);
  });

  test('an operator names the organization, and may see all', async ({ accounts, ours, theirs }) => {
    const { teams } = accounts.administration;
    expect(faultsOf(await refusal(teams.create.run(system, { name: 'Whose?' })))).toEqual([
      '/organization_id required',
    ]);
    expect((await refusal(teams.create.run(system, { name: 'x', organization_id: '0'.repeat(26) }))).status).toBe(404);
    const all = (await teams.list.run(system, {})).items.map((team) => team.organization_id);
    expect(all).toEqual([ours.organizationId, theirs.organizationId]);
  });
});

async function snapshot({ accounts }: World, organizationId: string): Promise<unknown[]> {
  const { organizations: _, operations: __, ...resources } = accounts.administration;
  const lists = Object.values(resources).map((resource) =>
    resource.list.run(system, { organization_id: organizationId }),
  );
  return Promise.all(lists);
}
