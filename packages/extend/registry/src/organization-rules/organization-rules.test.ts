import { faultsOf, refusal } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

describeOnStores('Rules of an organization', (test) => {
  test('return the whole item, its identifier first', async ({ accounts, ours }) => {
    const { carriers, overrides } = accounts.administration;
    const created = [
      await carriers.create.run(ours.admin, { rule_set: ruleSetOf('own') }),
      await overrides.create.run(ours.admin, { carrier_key: 'palm_coast', exclude: { states: ['fl'] } }),
    ];
    expect(created.map((item) => Object.keys(item)[0])).toEqual(['carrier_id', 'override_id']);
    for (const [index, resource] of [carriers, overrides].entries()) {
      const { items } = await resource.list.run(ours.admin, {});
      expect(items).toContainEqual(created[index]);
      for (const operation of Object.values(resource)) expect(operation.path).toMatch(/^\/v1\/admin\/[a-z]+\/[a-z]+$/);
      expect(() => resource.list.response.parse({ items, next: null })).not.toThrow();
    }
  });

  test('returns the whole catalog of an organization and no other', async ({ accounts, ours, theirs }) => {
    const { appointments, carriers, overrides } = accounts.administration;
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
    const carrier = await carriers.create.run(ours.admin, { rule_set: ruleSetOf('our_own') });
    const override = await overrides.create.run(ours.admin, {
      carrier_key: 'gulf_shield',
      add_rules: [{ id: 'no-mobile-homes' }],
      exclude: { states: ['la'] },
    });
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
      carriers: [
        {
          carrierId: carrier.carrier_id,
          carrierKey: 'our_own',
          name: 'Carrier our_own',
          ruleSet: ruleSetOf('our_own'),
          sha256: carrier.sha256,
        },
      ],
      overrides: [
        {
          overrideId: override.override_id,
          carrierKey: 'gulf_shield',
          override: { carrier_key: 'gulf_shield', add_rules: [{ id: 'no-mobile-homes' }], exclude: { states: ['la'] } },
          sha256: override.sha256,
        },
      ],
    });
    expect((await accounts.directory.catalog(theirs.organizationId))?.appointments).toHaveLength(1);
  });

  test('stamps each state of a catalog, for other processes too', async ({ accounts, elsewhere, ours }) => {
    const { carriers, overrides } = accounts.administration;
    const seen = new Set<string | undefined>();
    const expectNewStamp = async () => {
      const stamp = await elsewhere.directory.catalogStamp(ours.organizationId);
      expect(stamp).toBeTypeOf('string');
      expect(seen.has(stamp)).toBe(false);
      seen.add(stamp);
      expect((await elsewhere.directory.catalog(ours.organizationId))?.stamp).toBe(stamp);
    };
    const { admin } = ours;
    await expectNewStamp();
    const { carrier_id } = await carriers.create.run(admin, { rule_set: ruleSetOf('own') });
    await expectNewStamp();
    await carriers.update.run(admin, { carrier_id, revision: 1, rule_set: ruleSetOf('own', { version: '2' }) });
    await expectNewStamp();
    await carriers.remove.run(admin, { carrier_id });
    await expectNewStamp();
    const override = await overrides.create.run(admin, { carrier_key: 'gulf_shield', exclude: { states: ['tx'] } });
    await expectNewStamp();
    await overrides.remove.run(admin, { override_id: override.override_id });
    await expectNewStamp();
  });

  test('pages of large rule sets have fewer of them, and miss none', async ({ accounts, ours }) => {
    const { carriers } = accounts.administration;
    const made: string[] = [];
    for (let count = 0; count < 11; count++) {
      const ruleSet = { ...ruleSetOf(`large_${count}`), notes: 'x'.repeat(200_000) };
      made.push((await carriers.create.run(ours.admin, { rule_set: ruleSet })).carrier_id);
    }
    const listed: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await carriers.list.run(ours.admin, { limit: 200, cursor });
      expect(JSON.stringify(page).length).toBeLessThan(1.1 * 1024 * 1024);
      listed.push(...page.items.map(({ carrier_id }) => carrier_id));
      sizes.push(page.items.length);
      cursor = page.next;
    }
    expect(listed).toEqual(made.toSorted());
    expect(sizes).toEqual([5, 5, 1]);
    expect((await carriers.list.run(ours.admin, { limit: 3 })).items).toHaveLength(3);
  });

  test('lets a team keep only carriers that the organization has', async ({ accounts, ours, theirs }) => {
    const { appointments, carriers, teams } = accounts.administration;
    await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' });
    await appointments.create.run(theirs.admin, { carrier_key: 'palm_coast' });
    await carriers.create.run(ours.admin, { rule_set: ruleSetOf('own') });
    const narrowed_to = ['bayou_mutual', 'palm_coast', 'own', 'nobody'].map((carrier_key) => ({ carrier_key }));
    const error = await refusal(teams.create.run(ours.admin, { name: 'x', narrowed_to }));
    expect(faultsOf(error)).toEqual([
      '/narrowed_to/1/carrier_key carrier_not_appointed',
      '/narrowed_to/3/carrier_key carrier_not_appointed',
    ]);
    const { team_id } = await teams.create.run(ours.admin, { name: 'x', narrowed_to: [{ carrier_key: 'own' }] });
    // An empty list is a team that may sell nothing.
    const nothing = await teams.update.run(ours.admin, { team_id, revision: 1, narrowed_to: [] });
    expect(nothing.narrowed_to).toEqual([]);
    const all = await teams.update.run(ours.admin, { team_id, revision: 2, narrowed_to: null });
    expect(all.narrowed_to).toBeNull();
  });

  test('stores no rule set that the rules do not accept', async ({ accounts, ours }) => {
    const { carriers } = accounts.administration;
    const stamp = await accounts.directory.catalogStamp(ours.organizationId);
    const codesOf = async (rule_set: unknown) => faultsOf(await refusal(carriers.create.run(ours.admin, { rule_set })));
    expect(await codesOf({ carrier: { key: 'Bad Key' }, rules: [{ path: '$.x' }] })).toEqual([
      '/rule_set/carrier/key invalid_value',
      '/rule_set/carrier/name invalid_value',
      '/rule_set/effective/from invalid_value',
      '/rule_set/version invalid_value',
      '/rule_set/rules/0 path_not_allowed',
    ]);
    expect(await codesOf(ruleSetOf('bayou_mutual'))).toEqual(['/rule_set/carrier/key carrier_exists']);
    expect(await codesOf(ruleSetOf('own', { note: 'x'.repeat(10_000_000) }))).toEqual(['/rule_set too_large']);
    const deep = Array.from({ length: 100_000 }).reduce<object>((inner) => ({ not: inner }), {});
    expect(await codesOf(ruleSetOf('own', { conditions: deep }))).toEqual(['/rule_set too_deep']);
    const doubling = Array.from({ length: 60 }).reduce<object>((inner) => ({ a: inner, b: inner }), {});
    expect(await codesOf(ruleSetOf('own', { doubling }))).toEqual(['/rule_set too_large']);
    const cycle: Record<string, unknown> = ruleSetOf('own');
    cycle['self'] = cycle;
    expect(await codesOf(cycle)).toEqual(['/rule_set too_deep']);
    expect(await codesOf(ruleSetOf('own', { big: 5n }))).toEqual(['/rule_set not_json']);
    for (const value of [[], 'x', 5]) expect(await codesOf(value)).toEqual(['/rule_set not_a_rule_set']);
    for (const value of [null, '', ' ']) expect(await codesOf(value)).toEqual(['/rule_set required']);
    expect(faultsOf(await refusal(carriers.create.run(ours.admin, {})))).toEqual(['/rule_set required']);
    expect((await carriers.list.run(ours.admin, {})).items).toEqual([]);
    expect(await accounts.directory.catalogStamp(ours.organizationId)).toBe(stamp);
  });

  test('keeps several rule sets of a carrier, one a first day', async ({ accounts, ours, theirs }) => {
    const { carriers } = accounts.administration;
    const from = (day: string, version: string) => ruleSetOf('own', { version, effective: { from: day } });
    const first = await carriers.create.run(ours.admin, { rule_set: from('2026-01-01', '1') });
    await carriers.create.run(ours.admin, { rule_set: from('2027-01-01', '2') });
    const same = await refusal(carriers.create.run(ours.admin, { rule_set: from('2026-01-01', '3') }));
    expect([same.status, ...faultsOf(same)]).toEqual([409, '/rule_set/effective/from already_exists']);
    await carriers.create.run(theirs.admin, { rule_set: from('2026-01-01', '1') });
    const { carrier_id } = first;
    const updated = await carriers.update.run(ours.admin, {
      carrier_id,
      revision: 1,
      rule_set: from('2026-01-01', '4'),
    });
    expect(updated).toMatchObject({ version: '4', revision: 2, rule_set: { version: '4' } });
    expect(updated.sha256).not.toBe(first.sha256);
    const other = carriers.update.run(ours.admin, { carrier_id, revision: 2, rule_set: ruleSetOf('another') });
    expect(faultsOf(await refusal(other))).toEqual(['/rule_set/carrier/key carrier_key_changed']);
    expect((await carriers.list.run(ours.admin, { carrier_key: 'own' })).items).toHaveLength(2);
  });

  test('keeps one override a carrier, which adds or excludes and does nothing else', async ({
    accounts,
    ours,
    theirs,
  }) => {
    const { overrides } = accounts.administration;
    const codesOf = async (body: object) => faultsOf(await refusal(overrides.create.run(ours.admin, body)));
    expect(await codesOf({ carrier_key: 'palm_coast' })).toEqual([' empty_override']);
    expect(await codesOf({ carrier_key: 'palm_coast', add_rules: [], exclude: {} })).toEqual([' empty_override']);
    expect(await codesOf({ carrier_key: 'nobody', exclude: { states: ['fl'] } })).toEqual([
      '/carrier_key unknown_carrier',
    ]);
    const loosening = { carrier_key: 'palm_coast', remove_rules: ['roof'], include: { states: ['fl'] }, exclude: null };
    expect(await codesOf(loosening)).toEqual(['/remove_rules unknown_field', '/include unknown_field']);
    const paths = { carrier_key: 'palm_coast', add_rules: [{ id: 'a' }, { path: 'x' }] };
    expect(await codesOf(paths)).toEqual(['/add_rules/1 path_not_allowed']);
    const created = await overrides.create.run(ours.admin, { carrier_key: 'palm_coast', add_rules: [{ id: 'a' }] });
    expect(created).toMatchObject({ add_rules: [{ id: 'a' }], exclude: null, revision: 1 });
    expect(await codesOf({ carrier_key: 'palm_coast', exclude: { states: ['fl'] } })).toEqual([
      '/carrier_key already_exists',
    ]);
    await overrides.create.run(theirs.admin, { carrier_key: 'palm_coast', exclude: { states: ['fl'] } });
    const { override_id } = created;
    const more = await overrides.update.run(ours.admin, { override_id, revision: 1, exclude: { states: ['fl'] } });
    expect(more).toMatchObject({ add_rules: [{ id: 'a' }], exclude: { states: ['fl'] }, revision: 2 });
    const stale = overrides.update.run(ours.admin, { override_id, revision: 1, add_rules: null });
    expect((await refusal(stale)).status).toBe(409);
    const only = await overrides.update.run(ours.admin, { override_id, revision: 2, add_rules: null });
    expect(only).toMatchObject({ add_rules: [], exclude: { states: ['fl'] } });
    const none = overrides.update.run(ours.admin, { override_id, revision: 3, exclude: {} });
    expect(faultsOf(await refusal(none))).toEqual([' empty_override']);
    const rules = { override_id, revision: 3, add_rules: [{ id: 'b' }], exclude: {} };
    expect(await overrides.update.run(ours.admin, rules)).toMatchObject({ add_rules: [{ id: 'b' }], exclude: null });
  });

  test('knows what a team keeps', async ({ accounts, ours }) => {
    const { appointments, carriers, teams } = accounts.administration;
    await appointments.create.run(ours.admin, { carrier_key: 'bayou_mutual' });
    await carriers.create.run(ours.admin, { rule_set: ruleSetOf('own') });
    const narrowed_to = [{ carrier_key: 'bayou_mutual', states: ['fl'] }, { carrier_key: 'own' }];
    const { team_id } = await teams.create.run(ours.admin, { name: 'Florida', narrowed_to });
    expect(await accounts.directory.team(team_id)).toEqual({
      teamId: team_id,
      organizationId: ours.organizationId,
      name: 'Florida',
      narrowedTo: [
        { carrierKey: 'bayou_mutual', states: ['fl'], policyTypes: null },
        { carrierKey: 'own', states: null, policyTypes: null },
      ],
    });
    expect((await accounts.directory.team(ours.teamId))?.narrowedTo).toBeNull();
  });

  test('refuse an empty text that would change the meaning', async ({ accounts, ours }) => {
    const { overrides } = accounts.administration;
    for (const exclude of ['', ' \t']) {
      const refused = await refusal(overrides.create.run(ours.admin, { carrier_key: 'bayou_mutual', exclude }));
      expect(faultsOf(refused)).toEqual(['/exclude empty_text']);
    }
  });

  test('write no rule set into the audit log', async ({ accounts, ours }) => {
    const { carriers, audit } = accounts.administration;
    const { sha256 } = await carriers.create.run(ours.admin, {
      rule_set: ruleSetOf('own', { note: 'x'.repeat(5000) }),
    });
    const { items } = await audit.list.run(ours.admin, { action: 'carriers.create' });
    expect(items[0]?.changes).toMatchObject({ carrier_key: { after: 'own' }, sha256: { after: sha256 } });
    expect(JSON.stringify(items).length).toBeLessThan(2_000);
  });
});
