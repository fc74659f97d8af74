import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { faultsOf, refusal, system, type World } from '../testing/test-accounts.ts';
import type { Identity } from './sign-in.ts';

const issuer = 'https://login.example';
const ana: Identity = { issuer, subject: 'ana', verifiedEmail: 'ana@example.com' };
const HOUR_MS = 3_600_000;

function people({ accounts, ours, elsewhere }: World) {
  const { users, tokens, audit } = accounts.administration;
  const within = { organization_id: ours.organizationId };
  return {
    users,
    tokens,
    audit,
    within,
    invite: (roles: object[], email = 'Ana@Example.com') => users.create.run(system, { ...within, email, roles }),
    async signIn(identity: Identity = ana) {
      const { tokens: opened } = await accounts.signIn.open(identity);
      return opened.map(({ token }) => token);
    },
    /** As another process sees the token. */
    callerOf: (token: string) => elsewhere.directory.authenticate(token),
  };
}

describeOnStores('Sign-in', (test) => {
  test('links an invited person once, and gives a token for each place of the roles', async (world) => {
    const { invite, signIn, callerOf, users } = people(world);
    const { teamId } = world.ours;
    const { user_id, subject } = await invite([{ role: 'author' }, { role: 'agent', team_id: teamId }]);
    expect(subject).toBeNull();
    const [first, second] = await signIn();
    expect(await callerOf(first!)).toMatchObject({ userId: user_id, teamId: null });
    expect([...(await callerOf(first!))!.scopes].sort()).toEqual(['admin', 'distance', 'rules', 'underwrite']);
    expect(await callerOf(second!)).toMatchObject({ userId: user_id, teamId });
    expect([...(await callerOf(second!))!.scopes].sort()).toEqual(['distance', 'quote', 'underwrite']);
    // From now on the address no longer matters.
    const other = await refusal(world.accounts.signIn.open({ ...ana, subject: 'mallory' }));
    expect(faultsOf(other)).toEqual([' unknown_user']);
    expect((await refusal(world.accounts.signIn.open({ ...ana, issuer: 'https://other.example' }))).code).toBe(
      'forbidden',
    );
    expect((await users.list.run(world.ours.admin, {})).items[0]).toMatchObject({ issuer, subject: 'ana' });
  });

  test('keeps the name of the provider for a person without one, and audits the network', async (world) => {
    const { users, within, audit } = people(world);
    const { signIn: service } = world.accounts;
    await users.create.run(system, { ...within, email: 'ana@example.com', roles: [{ role: 'viewer' }] });
    const named = { ...within, email: 'ben@example.com', name: 'Ben', roles: [{ role: 'viewer' }] };
    await users.create.run(system, named);
    const context = { requestId: 'request-1', network: '192.0.2.0/24' };
    const opened = await service.open({ ...ana, name: 'Ana Núñez' }, context);
    expect(opened).toMatchObject({
      name: 'Ana Núñez',
      email: 'ana@example.com',
      organizationId: within.organization_id,
    });
    expect(await world.elsewhere.directory.user(opened.userId)).toEqual({ userId: opened.userId, name: 'Ana Núñez' });
    const ben: Identity = { issuer, subject: 'ben', verifiedEmail: 'ben@example.com', name: 'B. of the provider' };
    expect((await service.open(ben)).name).toBe('Ben');
    expect((await service.open({ ...ben, name: 'Benedict' })).name).toBe('Ben');
    await service.end((await world.accounts.directory.authenticate(opened.tokens[0]!.token))!, context);
    const { items } = await audit.list.run(system, { organization_id: within.organization_id });
    const entries = items.filter(({ actor }) => actor.user_id === opened.userId);
    expect(entries.map(({ action }) => action).sort()).toEqual(['tokens.create', 'tokens.remove', 'users.link']);
    for (const entry of entries) expect(entry).toMatchObject({ request_id: 'request-1', network: '192.0.2.0/24' });
  });

  test('refuses an address that the provider has not verified', async (world) => {
    const { invite } = people(world);
    await invite([{ role: 'viewer' }]);
    const refused = await refusal(world.accounts.signIn.open({ issuer, subject: 'ana' }));
    expect(faultsOf(refused)).toEqual([' unknown_user']);
    expect(refused.message).toContain('subject ana');
  });

  test('shuts out a disabled person in every process, and a removed one', async (world) => {
    const { invite, signIn, callerOf, users, tokens } = people(world);
    const { user_id } = await invite([{ role: 'administrator' }]);
    const [session] = await signIn();
    const caller = (await callerOf(session!))!;
    const own = await tokens.create.run(caller, { name: 'script', scopes: ['underwrite'] });
    expect(own.user_id).toBe(user_id);
    expect(await callerOf(own.token)).toMatchObject({ userId: user_id });
    const { revision } = (await users.list.run(system, { user_id })).items[0]!;
    const disabled = await users.update.run(world.ours.admin, { user_id, revision, status: 'disabled' });
    for (const token of [session!, own.token]) {
      expect(await callerOf(token)).toBeUndefined();
      expect(await world.accounts.directory.authenticate(token)).toBeUndefined();
    }
    expect(faultsOf(await refusal(world.accounts.signIn.open(ana)))).toEqual([' user_disabled']);
    await users.update.run(system, { user_id, revision: disabled.revision, status: 'active' });
    expect(await callerOf(own.token)).toBeDefined();
    await users.remove.run(system, { user_id });
    expect(await callerOf(own.token)).toBeUndefined();
    expect((await tokens.list.run(world.ours.admin, {})).items.map((each) => each.user_id)).not.toContain(user_id);
  });

  test('follows a change of roles in the tokens that exist', async (world) => {
    const { invite, signIn, callerOf, users, tokens } = people(world);
    const { user_id } = await invite([{ role: 'administrator' }]);
    const [session] = await signIn();
    const own = await tokens.create.run((await callerOf(session!))!, { scopes: ['underwrite', 'admin'] });
    const { revision } = (await users.list.run(system, { user_id })).items[0]!;
    await users.update.run(system, { user_id, revision, roles: [{ role: 'viewer' }] });
    expect([...(await callerOf(own.token))!.scopes]).toEqual(['underwrite']);
    expect((await callerOf(session!))!.scopes.has('admin')).toBe(false);
  });

  test('renews a session up to its end, and ends all its tokens together', async (world) => {
    const { invite, signIn, callerOf } = people(world);
    const { signIn: service } = world.accounts;
    await invite([{ role: 'viewer' }, { role: 'agent', team_id: world.ours.teamId }]);
    const start = world.clock.ms;
    const [first, second] = await signIn();
    for (let hour = 1; hour < 12; hour++) {
      world.clock.ms = start + hour * HOUR_MS - hour;
      for (const token of [first!, second!]) await service.renew((await callerOf(token))!);
    }
    world.clock.ms = start + 12 * HOUR_MS - 12;
    expect(await service.renew((await callerOf(first!))!)).toBe(start + 12 * HOUR_MS);
    world.clock.ms += 12;
    expect(await callerOf(first!)).toBeUndefined();
    const [third, fourth] = await signIn();
    await service.end((await callerOf(third!))!);
    for (const token of [third!, fourth!]) expect(await callerOf(token)).toBeUndefined();
    expect(faultsOf(await refusal(service.renew(world.ours.admin as never)))).toEqual([' not_a_session']);
  });

  test('needs a choice from a person of several organizations', async (world) => {
    const { invite, users } = people(world);
    const { accounts, theirs, ours } = world;
    await invite([{ role: 'viewer' }]);
    await users.create.run(theirs.admin, { email: 'ana@example.com', roles: [{ role: 'viewer' }] });
    const choice = await refusal(accounts.signIn.open(ana));
    expect(choice.faults.map(({ message }) => message).sort()).toEqual(['Bay Area Agency', 'Suncoast Agency']);
    for (const { organizationId } of [ours, theirs]) {
      const { tokens } = await accounts.signIn.open(ana, { organizationId });
      expect(tokens[0]!.organization_id).toBe(organizationId);
    }
    expect((await refusal(accounts.signIn.open(ana, { organizationId: 'instance' }))).code).toBe('forbidden');
  });

  test('writes no name, address or subject to the audit log', async (world) => {
    const { invite, signIn, users, audit } = people(world);
    const { user_id } = await invite([{ role: 'viewer' }]);
    await signIn();
    const { revision } = (await users.list.run(system, { user_id })).items[0]!;
    await users.update.run(system, { user_id, revision, name: 'Ana Núñez', email: 'ana.nunez@example.com' });
    await users.remove.run(system, { user_id });
    const { items } = await audit.list.run(system, { organization_id: world.ours.organizationId });
    expect(items.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['users.create', 'users.link', 'users.update', 'users.remove']),
    );
    expect(JSON.stringify(items)).not.toMatch(/@example\.com|Núñez|"ana"/i);
  });
});

describeOnStores('Users', (test) => {
  test('give only roles that the actor may grant, and keep invitations of approvers from administrators', async (world) => {
    const { users, within, invite } = people(world);
    const { admin } = world.ours;
    const approver = await invite([{ role: 'approver' }], 'boss@example.com');
    const email = 'mine@example.com';
    const { user_id, revision } = approver;
    for (const refused of [
      () => users.create.run(admin, { email, roles: [{ role: 'approver' }] }),
      () => users.update.run(admin, { user_id, revision, email }),
      () => users.update.run(admin, { user_id, revision, roles: [{ role: 'viewer' }] }),
      () => users.create.run(admin, { ...within, email, roles: [{ role: 'operator' }] }),
    ]) {
      expect(['forbidden', 'invalid_request']).toContain((await refusal(refused())).code);
    }
    const disabled = await users.update.run(admin, { user_id, revision, status: 'disabled' });
    const again = { user_id, revision: disabled.revision, status: 'active' };
    expect((await refusal(users.update.run(admin, again))).code).toBe('forbidden');
  });

  test('need an identity, and have each only once in an organization', async (world) => {
    const { users, within, invite } = people(world);
    const roles = [{ role: 'viewer' }];
    for (const body of [{}, { issuer }, { subject: 'x' }]) {
      const refused = await refusal(users.create.run(system, { ...within, ...body, roles }));
      expect(faultsOf(refused)).toEqual(['/email identity_needed']);
    }
    await invite(roles);
    expect(faultsOf(await refusal(invite(roles, 'ANA@example.com')))).toEqual(['/email already_exists']);
    await users.create.run(system, { ...within, issuer, subject: 'ben', roles });
    const twice = await refusal(users.create.run(system, { ...within, issuer, subject: 'ben', roles }));
    expect(faultsOf(twice)).toEqual(['/subject already_exists']);
    const agent = await refusal(
      users.create.run(system, { ...within, email: 'c@example.com', roles: [{ role: 'agent' }] }),
    );
    expect(faultsOf(agent)).toEqual(['/roles/0/team_id required']);
    const team_id = world.theirs.teamId;
    const foreign = { ...within, email: 'c@example.com', roles: [{ role: 'agent', team_id }] };
    expect((await refusal(users.create.run(system, foreign))).code).toBe('not_found');
  });

  test('keep the secret of a token to its person', async (world) => {
    const { invite, signIn, callerOf, tokens } = people(world);
    await invite([{ role: 'administrator' }]);
    const ours = (await callerOf((await signIn())[0]!))!;
    const own = await tokens.create.run(ours, { scopes: ['underwrite'] });
    const { token_id } = own;
    for (const actor of [world.ours.admin, system]) {
      expect(faultsOf(await refusal(tokens.rotate.run(actor, { token_id })))).toEqual(['/token_id token_of_person']);
      const change = { token_id, revision: own.revision, expires_at: '2099-01-01T00:00:00Z' };
      expect(faultsOf(await refusal(tokens.update.run(actor, change)))).toEqual(['/token_id token_of_person']);
    }
    const session = { token_id: ours.tokenId };
    expect(faultsOf(await refusal(tokens.rotate.run(ours, session)))).toEqual(['/token_id token_of_session']);
    const next = await tokens.rotate.run(ours, { token_id });
    expect(next.user_id).toBe(ours.userId);
    await tokens.remove.run(world.ours.admin, { token_id: next.token_id });
    expect(await callerOf(next.token)).toBeUndefined();
  });
});
