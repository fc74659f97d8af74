import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { faultsOf, refusal, system } from '../testing/test-accounts.ts';

describeOnStores('Administration', (test) => {
  test('answers the whole thing, its identifier first', async ({ accounts, ours }) => {
    const { teams, producers, appointments } = accounts.administration;
    const email = 'a@example.com';
    const created = [
      await teams.create.run(ours.admin, { name: 'Team' }),
      await producers.create.run(ours.admin, { team_id: ours.teamId, email }),
      await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' }),
    ];
    const first = created.map((item) => Object.keys(item)[0]);
    expect(first).toEqual(['team_id', 'producer_id', 'appointment_id']);
    expect(created[2]).toEqual({
      appointment_id: expect.stringMatching(/^[0-9a-z]{26}$/),
      organization_id: ours.organizationId,
      carrier_key: 'bayou_mutual',
      states: null,
      policy_types: null,
      from: null,
      until: null,
      revision: 1,
      created_at: '2026-11-20T12:00:00.000000Z',
      updated_at: '2026-11-20T12:00:00.000000Z',
    });
    for (const [index, resource] of [teams, producers, appointments].entries()) {
      const { items } = await resource.list.run(ours.admin, {});
      expect(items).toContainEqual(created[index]);
      for (const operation of Object.values(resource)) expect(operation.path).toMatch(/^\/v1\/admin\/[a-z]+\/[a-z]+$/);
      expect(() => resource.list.response.parse({ items, next: null })).not.toThrow();
    }
  });

  test('changes only what is given; null clears', async ({ accounts, clock, ours }) => {
    const { appointments, producers } = accounts.administration;
    const window = { from: '2026-01-01', until: '2027-01-01' };
    const { appointment_id } = await appointments.create.run(ours.admin, {
      carrier_key: 'bayou_mutual',
      states: ['fl'],
      ...window,
    });
    clock.ms += 5;
    const changed = await appointments.update.run(ours.admin, { appointment_id, revision: 1, policy_types: ['ho3'] });
    expect(changed).toMatchObject({ states: ['fl'], policy_types: ['ho3'], ...window, revision: 2 });
    expect(changed.updated_at).toBe('2026-11-20T12:00:00.005000Z');
    const cleared = await appointments.update.run(ours.admin, {
      appointment_id,
      revision: 2,
      states: null,
      until: null,
    });
    expect(cleared).toMatchObject({
      states: null,
      policy_types: ['ho3'],
      from: '2026-01-01',
      until: null,
      revision: 3,
    });
    const nothing = await appointments.update.run(ours.admin, { appointment_id, revision: 3, states: null });
    expect(nothing).toEqual(cleared);
    const person = { team_id: ours.teamId, email: 'a@example.com', name: 'Ana' };
    const { producer_id } = await producers.create.run(ours.admin, person);
    const moved = { producer_id, revision: 1, email: 'B@example.com', name: null, team_id: null };
    expect(await producers.update.run(ours.admin, moved)).toMatchObject({
      ...person,
      email: 'B@example.com',
      name: null,
    });
    expect(await accounts.directory.producer(ours.teamId, 'b@EXAMPLE.com')).toBeDefined();
    expect(await accounts.directory.producer(ours.teamId, 'a@example.com')).toBeUndefined();
  });

  test('loses nothing when several change one appointment at once', async ({ accounts, elsewhere, ours }) => {
    const { appointments } = accounts.administration;
    const states = ['al', 'fl', 'ga', 'la', 'ms', 'nc', 'sc', 'tx', 'va', 'de'];
    const { appointment_id } = await appointments.create.run(ours.admin, {
      carrier_key: 'bayou_mutual',
      states: ['ny'],
    });
    let conflicts = 0;
    // Repeats on a revision conflict.
    const addState = async (state: string, index: number) => {
      const { appointments: here } = (index % 2 === 0 ? accounts : elsewhere).administration;
      for (;;) {
        const [current] = (await here.list.run(ours.admin, { appointment_id })).items;
        const change = { appointment_id, revision: current!.revision, states: [...current!.states!, state] };
        try {
          return await here.update.run(ours.admin, change);
        } catch (error) {
          expect(error).toMatchObject({
            code: 'conflict',
            status: 409,
            faults: [{ path: '/revision', code: 'revision_conflict' }],
          });
          conflicts++;
        }
      }
    };
    await Promise.all(states.map(addState));
    const [end] = (await appointments.list.run(ours.admin, { appointment_id })).items;
    expect(end!.states).toEqual([...states, 'ny'].sort());
    expect(end!.revision).toBe(1 + states.length);
    expect(conflicts).toBeGreaterThan(0);
    const log = await accounts.administration.audit.list.run(ours.admin, { subject_id: appointment_id });
    expect(log.items).toHaveLength(1 + states.length);
  });

  test('lets one of two at the same revision through', async ({ accounts, elsewhere, ours }) => {
    const { appointment_id } = await accounts.administration.appointments.create.run(ours.admin, {
      carrier_key: 'bayou_mutual',
    });
    const outcomes = await Promise.allSettled([
      accounts.administration.appointments.update.run(ours.admin, { appointment_id, revision: 1, states: ['fl'] }),
      elsewhere.administration.appointments.update.run(ours.admin, {
        appointment_id,
        revision: 1,
        until: '2027-01-01',
      }),
      elsewhere.administration.appointments.remove.run(ours.admin, { appointment_id, revision: 1 }),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
  });

  test('pages through a list, each item once, while items are added', async ({ accounts, clock, ours }) => {
    const { producers } = accounts.administration;
    const emails = Array.from({ length: 23 }, (_, index) => `p${index}@example.com`);
    for (const email of emails) {
      await producers.create.run(ours.admin, { team_id: ours.teamId, email });
      clock.ms += 1;
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: { email: string }[]; next: string | null } = await producers.list.run(ours.admin, {
        limit: 5,
        cursor,
      });
      expect(page.items.length).toBeLessThanOrEqual(5);
      seen.push(...page.items.map((item) => item.email));
      cursor = page.next;
      if (seen.length === 10)
        await producers.create.run(ours.admin, { team_id: ours.teamId, email: 'late@example.com' });
    } while (cursor !== null);
    expect(seen).toEqual([...emails, 'late@example.com']);
    for (const bad of ['no cursor', '\0', 'A', '%']) {
      expect(faultsOf(await refusal(producers.list.run(ours.admin, { cursor: bad })))).toEqual([
        '/cursor invalid_cursor',
      ]);
    }
    for (const limit of [0, -1, 201, 1.5, '5', Number.NaN, Number.POSITIVE_INFINITY]) {
      expect((await refusal(producers.list.run(ours.admin, { limit }))).status).toBe(422);
    }
  });

  test('names all faults at once, without the values of people', async ({ accounts, ours }) => {
    const { producers, appointments } = accounts.administration;
    const error = await refusal(
      producers.create.run(ours.admin, {
        email: 'secret person@example.com',
        name: 'secret\u0000name',
        licensed_states: ['fl', 'atlantis'],
        secret_field: 'x',
      }),
    );
    expect(error.status).toBe(422);
    expect(faultsOf(error).sort()).toEqual([
      '/email invalid_format',
      '/licensed_states/1 unknown_state',
      '/name invalid_text',
      '/secret_field unknown_field',
      '/team_id required',
    ]);
    expect(error.message).toContain('"atlantis"');
    expect(error.message).not.toMatch(/secret person|secret.name/);
    const wrong = await refusal(
      appointments.create.run(ours.admin, {
        carrier_key: 'Bayou Mutual',
        states: [],
        policy_types: ['ho9'],
        from: '2026-02-30',
      }),
    );
    expect(faultsOf(wrong).sort()).toEqual([
      '/carrier_key invalid_carrier_key',
      '/from invalid_date',
      '/policy_types/0 unknown_policy_type',
      '/states empty_list',
    ]);
    const window = { carrier_key: 'bayou_mutual', from: '2026-05-01', until: '2026-05-01' };
    expect(faultsOf(await refusal(appointments.create.run(ours.admin, window)))).toEqual(['/until empty_window']);
    const unknown = { carrier_key: 'bayou_mutal' };
    expect(faultsOf(await refusal(appointments.create.run(ours.admin, unknown)))).toEqual([
      '/carrier_key unknown_carrier',
    ]);
    const prototype = JSON.parse('{"carrier_key":"bayou_mutual","__proto__":{"states":["fl"]}}');
    expect(faultsOf(await refusal(appointments.create.run(ours.admin, prototype)))).toEqual([
      '/__proto__ unknown_field',
    ]);
    for (const body of [null, [], 'x', 5, undefined]) {
      expect((await refusal(appointments.create.run(ours.admin, body))).status).toBe(422);
    }
  });

  test('keeps a person once on a team, and says so without the address', async ({ accounts, elsewhere, ours }) => {
    const { producers, teams } = accounts.administration;
    const person = { team_id: ours.teamId, email: 'Ana@Example.com' };
    const { producer_id } = await producers.create.run(ours.admin, person);
    const again = elsewhere.administration.producers.create.run(ours.admin, { ...person, email: 'ANA@example.COM' });
    const error = await refusal(again);
    expect([error.status, ...faultsOf(error)]).toEqual([409, '/email already_exists']);
    expect(error.message.toLowerCase()).not.toContain('ana');
    const bob = await producers.create.run(ours.admin, { ...person, email: 'bob@example.com' });
    const renamed = producers.update.run(ours.admin, {
      producer_id: bob.producer_id,
      revision: 1,
      email: person.email,
    });
    expect((await refusal(renamed)).status).toBe(409);
    const other = await teams.create.run(ours.admin, { name: 'Other' });
    await producers.create.run(ours.admin, { ...person, team_id: other.team_id });
    const moved = producers.update.run(ours.admin, { producer_id, revision: 1, team_id: other.team_id });
    expect((await refusal(moved)).status).toBe(409);
    expect((await accounts.directory.producer(ours.teamId, person.email))?.producerId).toBe(producer_id);
  });

  test('lets a team keep only carriers that the organization has', async ({ accounts, ours, theirs }) => {
    const { appointments, teams } = accounts.administration;
    await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' });
    await appointments.create.run(theirs.admin, { carrier_key: 'palm_coast' });
    const narrowed_to = ['bayou_mutual', 'palm_coast', 'unknown'].map((carrier_key) => ({ carrier_key }));
    const error = await refusal(teams.create.run(ours.admin, { name: 'x', narrowed_to }));
    expect(faultsOf(error)).toEqual([
      '/narrowed_to/1/carrier_key carrier_not_appointed',
      '/narrowed_to/2/carrier_key carrier_not_appointed',
    ]);
    const { team_id } = await teams.create.run(ours.admin, {
      name: 'x',
      narrowed_to: [{ carrier_key: 'bayou_mutual' }],
    });
    // An empty list is a team that may sell nothing.
    const nothing = await teams.update.run(ours.admin, { team_id, revision: 1, narrowed_to: [] });
    expect(nothing.narrowed_to).toEqual([]);
    const all = await teams.update.run(ours.admin, { team_id, revision: 2, narrowed_to: null });
    expect(all.narrowed_to).toBeNull();
  });

  test(
    'stops at the limits of an organization',
    async ({ accounts, ours, theirs }) => {
      const { appointments } = accounts.administration;
      const create = (admin: typeof ours.admin) => appointments.create.run(admin, { carrier_key: 'bayou_mutual' });
      for (let count = 0; count < 3; count++) await create(ours.admin);
      expect(faultsOf(await refusal(create(ours.admin)))).toEqual([' limit_reached']);
      await create(theirs.admin);
    },
    { limits: { appointments: 3 } },
  );

  test('writes down who did what, newest first, and no secret', async ({ accounts, clock, ours, theirs }) => {
    const { appointments, organizations, tokens, audit } = accounts.administration;
    const admin = await accounts.directory.authenticate(ours.adminToken);
    const context = { requestId: 'request-1', network: '203.0.113.0/24' };
    clock.ms += 1000;
    const { appointment_id } = await appointments.create.run(
      admin!,
      { carrier_key: 'bayou_mutual', states: ['fl'] },
      context,
    );
    await appointments.update.run(admin!, { appointment_id, revision: 1, states: ['fl', 'tx'] });
    await appointments.remove.run(system, { appointment_id });
    await refusal(appointments.remove.run(admin!, { appointment_id }));
    const key = await tokens.create.run(admin!, {});
    await tokens.rotate.run(admin!, { token_id: key.token_id });
    await organizations.update.run(admin!, { organization_id: ours.organizationId, revision: 1, name: 'Renamed' });
    const { items } = await audit.list.run(admin!, {});
    expect(items.map((item) => item.action).slice(0, 7)).toEqual([
      'organizations.update',
      'tokens.rotate',
      'tokens.update',
      'tokens.create',
      'appointments.remove',
      'appointments.update',
      'appointments.create',
    ]);
    expect(items[5]).toEqual({
      audit_id: expect.any(String),
      organization_id: ours.organizationId,
      sequence: 5,
      at: '2026-11-20T12:00:01.000000Z',
      actor: { type: 'token', id: admin!.tokenId, user_id: null },
      network: null,
      action: 'appointments.update',
      subject_id: appointment_id,
      request_id: null,
      changes: { states: { before: ['fl'], after: ['fl', 'tx'] } },
      before_hash: items[6]!.after_hash,
      after_hash: items[4]!.before_hash,
      previous_hash: items[6]!.hash,
      hash: items[4]!.previous_hash,
    });
    expect(items[6]).toMatchObject({
      request_id: 'request-1',
      network: '203.0.113.0/24',
      changes: { states: { after: ['fl'] } },
      before_hash: null,
    });
    expect(items[4]).toMatchObject({
      actor: { type: 'system', id: 'command line', user_id: null },
      network: 'command line',
      changes: { states: { before: ['fl', 'tx'] } },
      after_hash: null,
    });
    expect(() => audit.list.response.parse({ items, next: null })).not.toThrow();
    const told = JSON.stringify(items);
    expect(told).not.toContain(key.token.split('_')[3]);
    expect(told.length).toBeLessThan(15_000);
    expect((await audit.list.run(admin!, { action: 'tokens.rotate' })).items).toHaveLength(1);
    expect((await audit.list.run(admin!, { action: "x' or 1=1" })).items).toEqual([]);
    expect((await audit.list.run(theirs.admin, { subject_id: appointment_id })).items).toEqual([]);
    expect((await audit.list.run(system, { subject_id: appointment_id })).items).toHaveLength(3);
  });
});
