import { expect } from 'vitest';
import { createAccounts } from '../accounts.ts';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { faultsOf, refusal, system } from '../testing/test-accounts.ts';

const DAY_MS = 86_400_000;
const days = (ms: number, count: number) => new Date(ms + count * DAY_MS).toISOString().replace('Z', '000Z');

describeOnStores('The policy of tokens', (test) => {
  test('limits new tokens, rotated ones and later ends', async ({ stored, ours, clock }) => {
    const { administration } = createAccounts({ store: stored.store, now: () => clock.ms, tokenMaxDays: 90 });
    const { tokens } = administration;
    const startMs = clock.ms;
    const key = await tokens.create.run(ours.admin, { name: 'website' });
    expect(key.expires_at).toBe(days(startMs, 90));
    expect((await tokens.create.run(ours.admin, { expires_at: days(startMs, 90) })).expires_at).toBe(days(startMs, 90));
    expect((await tokens.create.run(ours.admin, { expires_at: days(startMs, 30) })).expires_at).toBe(days(startMs, 30));
    const late = await refusal(tokens.create.run(ours.admin, { expires_at: days(startMs, 91) }));
    expect(faultsOf(late)).toEqual(['/expires_at exceeds_policy']);
    expect(late.faults[0]!.message).toContain(`at most 90 days`);
    expect(late.faults[0]!.message).toContain(days(startMs, 90));
    expect(
      (await refusal(tokens.create.run(system, { scopes: ['operator'], expires_at: days(startMs, 91) }))).status,
    ).toBe(422);

    clock.ms += 80 * DAY_MS;
    const change = (body: object) => tokens.update.run(ours.admin, { token_id: key.token_id, revision: 1, ...body });
    expect(faultsOf(await refusal(change({ expires_at: days(clock.ms, 90) })))).toEqual(['/expires_at exceeds_policy']);
    expect((await change({ expires_at: null })).expires_at).toBe(days(startMs, 90));
    const successor = await tokens.rotate.run(ours.admin, { token_id: key.token_id });
    expect(successor.expires_at).toBe(days(clock.ms, 90));
    const again = { token_id: successor.token_id, expires_at: days(clock.ms, 91) };
    expect(faultsOf(await refusal(tokens.rotate.run(ours.admin, again)))).toEqual(['/expires_at exceeds_policy']);
  });

  test('keeps older tokens valid, lists them, and lets them end earlier', async ({ accounts, stored, ours, clock }) => {
    const older = await accounts.administration.tokens.create.run(ours.admin, { name: 'older' });
    expect(older).toMatchObject({ expires_at: null, reminder: null });
    const strict = createAccounts({ store: stored.store, now: () => clock.ms, tokenMaxDays: 30 });
    clock.ms += 100 * DAY_MS;
    expect(await strict.directory.authenticate(older.token)).toBeDefined();
    const { tokens } = strict.administration;
    const listed = (await tokens.list.run(ours.admin, { token_id: older.token_id })).items;
    expect(listed).toMatchObject([{ reminder: 'exceeds_policy', status: 'active' }]);
    // The administrators of both organizations, and this one.
    expect(await strict.tokenReminders()).toEqual({ expires_soon: 0, exceeds_policy: 3 });
    expect(await accounts.tokenReminders()).toEqual({ expires_soon: 0, exceeds_policy: 0 });
    const change = (revision: number, expires_at: string | null) =>
      tokens.update.run(ours.admin, { token_id: older.token_id, revision, expires_at });
    expect((await refusal(change(1, null))).faults[0]!.message).toContain('tokens/rotate');
    expect(faultsOf(await refusal(change(1, days(clock.ms, 31))))).toEqual(['/expires_at exceeds_policy']);
    expect(await change(1, days(clock.ms, 14))).toMatchObject({ reminder: 'expires_soon' });
    expect(await strict.tokenReminders()).toEqual({ expires_soon: 1, exceeds_policy: 2 });
    await tokens.rotate.run(ours.admin, { token_id: older.token_id });
    // Its successor is valid for 30 days.
    expect(await strict.tokenReminders()).toEqual({ expires_soon: 0, exceeds_policy: 2 });
    const staging = createAccounts({
      store: stored.store,
      now: () => clock.ms,
      tokenMaxDays: 30,
      environment: 'staging',
    });
    expect(await staging.tokenReminders()).toEqual({ expires_soon: 0, exceeds_policy: 0 });
  });
});

describeOnStores('The networks of a token', (test) => {
  test('are normalized, kept by rotation, audited, and cleared with null', async ({ accounts, elsewhere, ours }) => {
    const { tokens, audit } = accounts.administration;
    const networks = ['2001:DB8::/48', '203.0.113.7/32', '203.0.113.7'];
    const key = await tokens.create.run(ours.admin, { networks });
    const usual = ['2001:db8::/48', '203.0.113.7'];
    expect(key.networks).toEqual(usual);
    expect((await elsewhere.directory.authenticate(key.token))?.networks).toEqual(usual);
    const successor = await tokens.rotate.run(ours.admin, { token_id: key.token_id });
    expect(successor.networks).toEqual(usual);
    const update = { token_id: successor.token_id, revision: 1 };
    expect((await tokens.update.run(ours.admin, { ...update, networks: null })).networks).toBeNull();
    const [entry] = (await audit.list.run(ours.admin, { subject_id: successor.token_id })).items;
    expect(entry).toMatchObject({ action: 'tokens.update', changes: { networks: { before: usual, after: null } } });
    expect((await elsewhere.directory.authenticate(successor.token))?.networks).toBeNull();
  });

  test('are refused if malformed, empty, or more than 32', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    for (const [networks, paths] of [
      [['203.0.113.7', 'office'], ['/networks/1 invalid_network']],
      [['10.0.0.5/8'], ['/networks/0 invalid_network']],
      [[], ['/networks empty_list']],
      ['', ['/networks empty_text']],
    ] as const) {
      expect(faultsOf(await refusal(tokens.create.run(ours.admin, { networks })))).toEqual(paths);
    }
    const many = Array.from({ length: 33 }, (_, at) => `10.0.0.${at}`);
    expect((await refusal(tokens.create.run(ours.admin, { networks: many }))).status).toBe(422);
    expect((await tokens.create.run(ours.admin, { networks: many.slice(1) })).networks).toHaveLength(32);
  });

  test('of another tenant do not exist', async ({ accounts, ours, theirs }) => {
    const { tokens, audit } = accounts.administration;
    const { token_id } = await tokens.create.run(theirs.admin, { networks: ['198.51.100.0/24'] });
    const change = tokens.update.run(ours.admin, { token_id, revision: 1, networks: null });
    expect((await refusal(change)).code).toBe('not_found');
    const seen = [await tokens.list.run(ours.admin, {}), await audit.list.run(ours.admin, {})];
    expect(JSON.stringify(seen)).not.toContain('198.51.100');
    expect(JSON.stringify(await tokens.list.run(theirs.admin, {}))).toContain('198.51.100.0/24');
  });
});
