import { expect } from 'vitest';
import { describeOnStores } from './testing/describe-on-stores.ts';
import { system } from './testing/test-accounts.ts';

describeOnStores('The directory', (test) => {
  test('knows who presents a token', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    const key = await tokens.create.run(ours.admin, { name: 'website' });
    expect(key.token).toMatch(/^lw_live_[0-9a-z]{26}_[0-9A-Za-z]{43}$/);
    expect(Object.keys(key)[0]).toBe('token_id');
    expect(await accounts.directory.authenticate(key.token)).toEqual({
      tokenId: key.token_id,
      name: 'website',
      environment: 'live',
      scopes: new Set(['underwrite', 'distance']),
      organizationId: ours.organizationId,
      teamId: null,
      userId: null,
      networks: null,
    });
    const teams = await tokens.create.run(ours.admin, { team_id: ours.teamId });
    expect(await accounts.directory.authenticate(teams.token)).toMatchObject({
      scopes: new Set(['quote', 'distance']),
      teamId: ours.teamId,
    });
  });

  test('returns the whole catalog of an organization and no other', async ({ accounts, ours, theirs }) => {
    const { appointments } = accounts.administration;
    const of = (admin: typeof ours.admin) => ({
      appointment: (carrier_key: string, more = {}) => appointments.create.run(admin, { carrier_key, ...more }),
    });
    const limits = {
      states: ['Florida', 'TX'],
      policy_types: ['HO-3', 'wind x'],
      from: '2026-01-01',
      until: '2027-01-01',
    };
    const appointed = await of(ours.admin).appointment('bayou_mutual', limits);
    await of(theirs.admin).appointment('palm_coast');
    const catalog = await accounts.directory.catalog(ours.organizationId);
    expect(catalog).toEqual({
      organizationId: ours.organizationId,
      name: 'Suncoast Agency',
      stamp: await accounts.directory.catalogStamp(ours.organizationId),
      appointments: [
        {
          appointmentId: appointed.appointment_id,
          carrierKey: 'bayou_mutual',
          states: ['fl', 'tx'],
          policyTypes: ['ho3', 'x-wind'],
          from: '2026-01-01',
          until: '2027-01-01',
        },
      ],
      carriers: [],
      overrides: [],
    });
    expect((await accounts.directory.catalog(theirs.organizationId))?.appointments).toHaveLength(1);
  });

  test('stamps each state of a catalog, for other processes too', async ({ accounts, elsewhere, ours, theirs }) => {
    const { organizations, teams, producers, appointments, tokens } = accounts.administration;
    const seen = new Set<string | undefined>();
    const expectNewStamp = async () => {
      const stamp = await elsewhere.directory.catalogStamp(ours.organizationId);
      expect(stamp).toBeTypeOf('string');
      expect(seen.has(stamp)).toBe(false);
      seen.add(stamp);
      expect((await elsewhere.directory.catalog(ours.organizationId))?.stamp).toBe(stamp);
    };
    const expectSameStamp = async () => {
      expect(await elsewhere.directory.catalogStamp(ours.organizationId)).toBe([...seen].at(-1));
    };
    const { admin } = ours;
    await expectNewStamp();
    const appointment = await appointments.create.run(admin, { carrier_key: 'bayou_mutual' });
    await expectNewStamp();
    const { appointment_id } = appointment;
    await appointments.update.run(admin, { appointment_id, revision: 1, states: ['fl'] });
    await expectNewStamp();
    await appointments.update.run(admin, { appointment_id, revision: 2, states: null });
    await expectNewStamp();
    await appointments.remove.run(admin, { appointment_id });
    await expectNewStamp();
    const own = { organization_id: ours.organizationId };
    await organizations.update.run(admin, { ...own, revision: 1, name: 'Suncoast Insurance' });
    await expectNewStamp();

    await teams.create.run(admin, { name: 'Back office' });
    await producers.create.run(admin, { team_id: ours.teamId, email: 'a@example.com' });
    await tokens.create.run(admin, {});
    await appointments.create.run(theirs.admin, { carrier_key: 'bayou_mutual' });
    await expectSameStamp();
  });

  test('shows a change in the very next question, from wherever it was made', async ({ accounts, elsewhere, ours }) => {
    const { token, token_id } = await accounts.administration.tokens.create.run(ours.admin, {});
    expect(await elsewhere.directory.authenticate(token)).toBeDefined();
    await elsewhere.administration.tokens.remove.run(ours.admin, { token_id });
    expect(await accounts.directory.authenticate(token)).toBeUndefined();
  });

  test('finds producers on their team by e-mail, ignoring case', async ({ accounts, ours, theirs }) => {
    const { producers, teams } = accounts.administration;
    const email = 'Ana.Núñez@Example.com';
    const created = await producers.create.run(ours.admin, {
      team_id: ours.teamId,
      email: ` ${email} `,
      name: 'Ana Núñez',
      licensed_states: ['FL', 'georgia'],
    });
    const expected = {
      producerId: created.producer_id,
      teamId: ours.teamId,
      email,
      name: 'Ana Núñez',
      licensedStates: ['fl', 'ga'],
    };
    for (const spelling of [
      email,
      'ANA.NÚÑEZ@EXAMPLE.COM',
      'ana.núñez@example.com',
      'ana.nu\u0301n\u0303ez@example.com',
    ]) {
      expect(await accounts.directory.producer(ours.teamId, spelling)).toEqual(expected);
    }
    const other = await teams.create.run(ours.admin, { name: 'Other' });
    for (const teamId of [theirs.teamId, other.team_id, 'nobody', '\0', '']) {
      expect(await accounts.directory.producer(teamId, email)).toBeUndefined();
    }
    for (const nobody of ['', 'x@example.com', '\0', '\ud800', 'x'.repeat(10_000)]) {
      expect(await accounts.directory.producer(ours.teamId, nobody)).toBeUndefined();
    }
  });

  test('knows what a team keeps', async ({ accounts, ours }) => {
    const { appointments, teams } = accounts.administration;
    await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' });
    await appointments.create.run(ours.admin, { carrier_key: 'palm_coast' });
    const narrowed_to = [{ carrier_key: 'bayou_mutual', states: ['fl'] }, { carrier_key: 'palm_coast' }];
    const { team_id } = await teams.create.run(ours.admin, { name: 'Florida', narrowed_to });
    expect(await accounts.directory.team(team_id)).toEqual({
      teamId: team_id,
      organizationId: ours.organizationId,
      name: 'Florida',
      narrowedTo: [
        { carrierKey: 'bayou_mutual', states: ['fl'], policyTypes: null },
        { carrierKey: 'palm_coast', states: null, policyTypes: null },
      ],
    });
    expect((await accounts.directory.team(ours.teamId))?.narrowedTo).toBeNull();
  });

  test('returns undefined for unknown records', async ({ accounts }) => {
    const { directory } = accounts;
    for (const id of ['', 'org', '0'.repeat(26), "' or 1=1 --", '\0', '\ud800', 'x'.repeat(100_000), '__proto__']) {
      expect(await directory.catalogStamp(id)).toBeUndefined();
      expect(await directory.catalog(id)).toBeUndefined();
      expect(await directory.team(id)).toBeUndefined();
    }
    for (const notText of [undefined, null, 5, {}, ['a']] as unknown as string[]) {
      expect(await directory.authenticate(notText)).toBeUndefined();
      expect(await directory.catalog(notText)).toBeUndefined();
    }
  });

  test('forgets a removed organization and everything of it, but not its audit log', async ({
    accounts,
    ours,
    theirs,
  }) => {
    const { organizations, producers, appointments, tokens, audit } = accounts.administration;
    await producers.create.run(ours.admin, { team_id: ours.teamId, email: 'a@example.com' });
    await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' });
    const team = await tokens.create.run(ours.admin, { team_id: ours.teamId });
    await organizations.remove.run(system, { organization_id: ours.organizationId });
    for (const token of [ours.adminToken, team.token]) {
      expect(await accounts.directory.authenticate(token)).toBeUndefined();
    }
    expect(await accounts.directory.catalogStamp(ours.organizationId)).toBeUndefined();
    expect(await accounts.directory.team(ours.teamId)).toBeUndefined();
    expect(await accounts.directory.producer(ours.teamId, 'a@example.com')).toBeUndefined();
    expect(await accounts.directory.authenticate(theirs.adminToken)).toBeDefined();
    const log = await audit.list.run(system, { organization_id: ours.organizationId });
    expect(log.items[0]).toMatchObject({ action: 'organizations.remove', subject_id: ours.organizationId });
    expect(log.items.length).toBeGreaterThan(4);
  });

  test('forgets the tokens and producers of a removed team', async ({ accounts, ours }) => {
    const { producers, teams, tokens } = accounts.administration;
    await producers.create.run(ours.admin, { team_id: ours.teamId, email: 'a@example.com' });
    const { token } = await tokens.create.run(ours.admin, { team_id: ours.teamId });
    await teams.remove.run(ours.admin, { team_id: ours.teamId });
    expect(await accounts.directory.authenticate(token)).toBeUndefined();
    expect(await accounts.directory.producer(ours.teamId, 'a@example.com')).toBeUndefined();
    expect((await producers.list.run(ours.admin, {})).items).toEqual([]);
    expect(await accounts.directory.authenticate(ours.adminToken)).toBeDefined();
  });
});
