import { describe, expect, it } from 'vitest';
import { createAccounts } from '../accounts.ts';
import type { AccountStore } from '../store/account-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { faultsOf, refusal, system } from '../testing/test-accounts.ts';
import { hashToken } from './token-hash.ts';

const HOUR_MS = 3_600_000;

describeOnStores('Tokens', (test) => {
  test('are refused when altered anywhere, cut short, or made longer', async ({ accounts, ours }) => {
    const { adminToken: token } = ours;
    for (let place = 0; place < token.length; place++) {
      const letter = token[place] === 'a' ? 'b' : 'a';
      const altered = token.slice(0, place) + letter + token.slice(place + 1);
      expect(await accounts.directory.authenticate(altered)).toBeUndefined();
    }
    for (const other of [
      token.slice(0, -1),
      `${token}a`,
      ` ${token}`,
      `${token}\n`,
      token.toUpperCase(),
      '',
      'lw_live',
    ]) {
      expect(await accounts.directory.authenticate(other)).toBeUndefined();
    }
    expect(await accounts.directory.authenticate(token)).toBeDefined();
  });

  test('are refused where the secret is of another token', async ({ accounts, ours, theirs }) => {
    const secret = theirs.adminToken.split('_')[3];
    const mixed = `${ours.adminToken.split('_').slice(0, 3).join('_')}_${secret}`;
    expect(await accounts.directory.authenticate(mixed)).toBeUndefined();
  });

  test('are good in their own environment only', async ({ accounts, stored, ours }) => {
    const staging = createAccounts({ store: stored.second, environment: 'staging' });
    expect(await staging.directory.authenticate(ours.adminToken)).toBeUndefined();
    const key = await staging.administration.tokens.create.run(system, { organization_id: ours.organizationId });
    expect(key.token).toMatch(/^lw_staging_/);
    expect(key.environment).toBe('staging');
    expect(await staging.directory.authenticate(key.token)).toBeDefined();
    for (const token of [key.token, key.token.replace('staging', 'live')]) {
      expect(await accounts.directory.authenticate(token)).toBeUndefined();
    }
  });

  test('are never more than was meant for text that a form or a script left empty', async ({ accounts, ours }) => {
    const { tokens, appointments, teams } = accounts.administration;
    const before = (await tokens.list.run(ours.admin, {})).items.length;
    for (const empty of ['', ' \t']) {
      for (const [run, body, paths] of [
        [tokens.create.run, { team_id: empty }, ['/team_id']],
        [tokens.create.run, { team_id: empty, scopes: empty }, ['/team_id', '/scopes']],
        [
          appointments.create.run,
          { carrier_key: 'bayou_mutual', states: empty, policy_types: empty },
          ['/states', '/policy_types'],
        ],
        [teams.create.run, { name: 'North', narrowed_to: empty }, ['/narrowed_to']],
        [
          teams.create.run,
          { name: 'North', narrowed_to: [{ carrier_key: 'bayou_mutual', states: empty }] },
          ['/narrowed_to/0/states'],
        ],
      ] as const) {
        const refused = await refusal(run(ours.admin, body));
        expect(faultsOf(refused)).toEqual(paths.map((path) => `${path} empty_text`));
      }
    }
    expect((await tokens.list.run(ours.admin, {})).items).toHaveLength(before);
    expect(await tokens.create.run(ours.admin, { team_id: null })).toMatchObject({ team_id: null });
  });

  test('end at the moment they expire, and can be given more time', async ({ accounts, clock, ours }) => {
    const { tokens } = accounts.administration;
    const expires_at = new Date(clock.ms + HOUR_MS).toISOString();
    const { token, token_id, ...item } = await tokens.create.run(ours.admin, { expires_at });
    expect(item.expires_at).toBe('2026-11-20T13:00:00.000000Z');
    clock.ms += HOUR_MS - 1;
    expect(await accounts.directory.authenticate(token)).toBeDefined();
    clock.ms += 1;
    expect(await accounts.directory.authenticate(token)).toBeUndefined();
    expect((await tokens.list.run(ours.admin, { token_id })).items[0]?.status).toBe('expired');
    await tokens.update.run(ours.admin, { token_id, revision: 1, expires_at: null, name: 'for longer' });
    expect(await accounts.directory.authenticate(token)).toMatchObject({ name: 'for longer' });
  });

  test('may not begin in the past', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    for (const expires_at of ['2026-11-20T12:00:00Z', '2020-01-01T00:00:00Z']) {
      expect(faultsOf(await refusal(tokens.create.run(ours.admin, { expires_at })))).toEqual([
        '/expires_at in_the_past',
      ]);
    }
    for (const expires_at of ['tomorrow', '2027-02-30T00:00:00Z', '2027-01-01', '2027-01-01T00:00:00', 5]) {
      expect((await refusal(tokens.create.run(ours.admin, { expires_at }))).status).toBe(422);
    }
  });

  test('are revoked at once and for good', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    const { token, token_id } = await tokens.create.run(ours.admin, {});
    const revoked = await tokens.remove.run(ours.admin, { token_id });
    expect(revoked).toMatchObject({ status: 'revoked', revoked_at: '2026-11-20T12:00:00.000000Z' });
    expect(await accounts.directory.authenticate(token)).toBeUndefined();
    expect(await tokens.remove.run(ours.admin, { token_id })).toEqual(revoked);
    expect((await refusal(tokens.rotate.run(ours.admin, { token_id }))).status).toBe(409);
    const again = tokens.update.run(ours.admin, { token_id, revision: 2, expires_at: null });
    expect(faultsOf(await refusal(again))).toEqual(['/token_id token_revoked']);
  });

  test('are replaced by rotation while the old one goes on for a while', async ({ accounts, clock, ours }) => {
    const { tokens } = accounts.administration;
    const old = await tokens.create.run(ours.admin, { team_id: ours.teamId, name: 'quotes', scopes: ['quote'] });
    const next = await tokens.rotate.run(ours.admin, { token_id: old.token_id, overlap_seconds: 3600 });
    expect(next).toMatchObject({
      name: 'quotes',
      scopes: ['quote'],
      team_id: ours.teamId,
      rotated_from: old.token_id,
      expires_at: null,
    });
    expect(next.token).not.toBe(old.token);
    const good = async () => [
      (await accounts.directory.authenticate(old.token)) !== undefined,
      (await accounts.directory.authenticate(next.token)) !== undefined,
    ];
    expect(await good()).toEqual([true, true]);
    clock.ms += HOUR_MS - 1;
    expect(await good()).toEqual([true, true]);
    clock.ms += 1;
    expect(await good()).toEqual([false, true]);
    const third = await tokens.rotate.run(ours.admin, { token_id: next.token_id });
    const fourth = await tokens.rotate.run(ours.admin, { token_id: next.token_id, overlap_seconds: 0 });
    const known = await Promise.all([next, third, fourth].map(({ token }) => accounts.directory.authenticate(token)));
    expect(known.map((caller) => caller !== undefined)).toEqual([false, true, true]);
  });

  test('keep their span when rotated, and never outlive it by overlapping', async ({ accounts, clock, ours }) => {
    const { tokens } = accounts.administration;
    const expires_at = new Date(clock.ms + 2 * HOUR_MS).toISOString();
    const old = await tokens.create.run(ours.admin, { expires_at });
    clock.ms += HOUR_MS;
    const next = await tokens.rotate.run(ours.admin, { token_id: old.token_id });
    expect(next.expires_at).toBe('2026-11-20T15:00:00.000000Z');
    const { items } = await tokens.list.run(ours.admin, { token_id: old.token_id });
    expect(items[0]?.expires_at).toBe('2026-11-20T14:00:00.000000Z');
  });

  test('say when they were last used, to the minute, without a write a request', async ({
    accounts,
    clock,
    ours,
    stored,
  }) => {
    const { tokens } = accounts.administration;
    const { token, token_id } = await tokens.create.run(ours.admin, {});
    let writes = 0;
    const counting: AccountStore = {
      ...stored.store,
      recordUses(uses) {
        writes++;
        return stored.store.recordUses(uses);
      },
    };
    const counted = createAccounts({ store: counting, now: () => clock.ms });
    const lastUsed = async () => (await tokens.list.run(ours.admin, { token_id })).items[0]?.last_used_at;
    expect(await lastUsed()).toBeNull();
    for (let use = 0; use < 50; use++) await counted.directory.authenticate(token);
    await counted.settle();
    expect(writes).toBe(1);
    expect(await lastUsed()).toBe('2026-11-20T12:00:00.000000Z');
    clock.ms += 59_999;
    await counted.directory.authenticate(token);
    await counted.settle();
    expect(writes).toBe(1);
    clock.ms += 1;
    await counted.directory.authenticate(token);
    await counted.settle();
    expect(writes).toBe(2);
    expect(await lastUsed()).toBe('2026-11-20T12:01:00.000000Z');
    // A clock that is behind.
    await stored.second.recordUses([{ tokenId: token_id, atMs: clock.ms - HOUR_MS }]);
    expect(await lastUsed()).toBe('2026-11-20T12:01:00.000000Z');
    expect((await tokens.update.run(ours.admin, { token_id, revision: 1, name: 'used' })).revision).toBe(2);
  });

  test('are listed without anything to use them by', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    const minted = await tokens.create.run(ours.admin, { name: 'website' });
    const { token, ...item } = minted;
    const { items } = await tokens.list.run(ours.admin, { token_id: minted.token_id });
    expect(items).toEqual([item]);
    expect(token.startsWith(`${item.prefix}_`)).toBe(true);
    expect(JSON.stringify(items)).not.toMatch(/secret|hash|[0-9a-f]{64}/);
    const log = JSON.stringify([items, await accounts.administration.audit.list.run(ours.admin, {})]);
    for (const secret of ['secret', token.split('_')[3]!, hashToken(token).toString('hex')])
      expect(log).not.toContain(secret);
  });

  test(
    'are limited in number, and the first to end are removed first',
    async ({ accounts, clock, ours }) => {
      const { tokens } = accounts.administration;
      // The administrator's token is one of the four.
      const made: { readonly token_id: string }[] = [];
      for (let count = 0; count < 3; count++) made.push(await tokens.create.run(ours.admin, {}));
      const refused = await refusal(tokens.create.run(ours.admin, {}));
      expect(faultsOf(refused)).toEqual([' limit_reached']);
      expect(refused.message).toContain('at most 4 tokens');
      const kept = async (index: number) =>
        (await tokens.list.run(ours.admin, { token_id: made[index]!.token_id })).items.length;
      for (const index of [1, 0]) {
        await tokens.remove.run(ours.admin, { token_id: made[index]!.token_id });
        clock.ms += HOUR_MS;
      }
      expect([await kept(0), await kept(1)]).toEqual([1, 1]);
      made.push(await tokens.create.run(ours.admin, {}));
      expect([await kept(0), await kept(1)]).toEqual([1, 0]);
      made.push(await tokens.create.run(ours.admin, {}));
      expect([await kept(0), await kept(2)]).toEqual([0, 1]);
      expect(faultsOf(await refusal(tokens.create.run(ours.admin, {})))).toEqual([' limit_reached']);
    },
    { limits: { tokens: 4 } },
  );
});

describe('The operator', () => {
  const operatorToken = 'any text of thirty-two characters or more';
  const open = (options = {}) => createAccounts({ store: createMemoryStore(), ...options });

  it('is the holder of the token that the host was given', async () => {
    const { directory } = open({ operatorToken });
    expect(await directory.authenticate(operatorToken)).toMatchObject({
      tokenId: 'operator',
      scopes: new Set(['operator']),
      organizationId: null,
    });
    for (const other of [`${operatorToken} `, operatorToken.slice(1), 'operator', '']) {
      expect(await directory.authenticate(other)).toBeUndefined();
    }
    expect(await open().directory.authenticate(operatorToken)).toBeUndefined();
  });

  it('is refused a token that could be guessed, without repeating it', () => {
    expect(() => open({ operatorToken: 'short and sweet' })).toThrow(/^((?!sweet).)*32 characters.*has 15/);
    for (const environment of ['', 'Live', 'a_b', 'x'.repeat(17)])
      expect(() => open({ environment })).toThrow(TypeError);
  });

  it('is created only at the command line', async () => {
    const accounts = open({ operatorToken });
    const { tokens } = accounts.administration;
    const byHost = await tokens.create.run(system, { scopes: ['operator'], name: 'on call' });
    expect(byHost).toMatchObject({ organization_id: null, scopes: ['operator'] });
    for (const token of [byHost.token, operatorToken]) {
      const operator = (await accounts.directory.authenticate(token))!;
      expect((await refusal(tokens.create.run(operator, { scopes: ['operator'] }))).status).toBe(403);
      expect((await refusal(tokens.rotate.run(operator, { token_id: byHost.token_id }))).status).toBe(403);
    }
    for (const scope of ['admin', 'approve', 'quote', 'insured'])
      expect((await refusal(tokens.create.run(system, { scopes: ['operator', scope] }))).status).toBe(422);
    const reader = await tokens.create.run(system, { scopes: ['rules', 'underwrite', 'distance', 'operator'] });
    expect(await accounts.directory.authenticate(reader.token)).toMatchObject({
      organizationId: null,
      scopes: new Set(['underwrite', 'distance', 'rules', 'operator']),
    });
    const rotated = await tokens.rotate.run(system, { token_id: byHost.token_id });
    expect(await accounts.directory.authenticate(rotated.token)).toBeDefined();
    const operator = (await accounts.directory.authenticate(operatorToken))!;
    expect((await tokens.remove.run(operator, { token_id: byHost.token_id })).status).toBe('revoked');
  });
});

describe('Rejecting an invalid token', () => {
  it('looks it up and compares it all the same, whether the id or the secret is wrong', async () => {
    const store = createMemoryStore();
    let lookups = 0;
    const counting: AccountStore = {
      ...store,
      reader: {
        ...store.reader,
        get(kind, id) {
          if (kind === 'tokens') lookups++;
          return store.reader.get(kind, id);
        },
      },
    };
    const { directory, administration } = createAccounts({ store: counting });
    const { token } = await administration.tokens.create.run(system, { scopes: ['operator'] });
    const wrongSecret = token.slice(0, -8) + (token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA');
    const unknownId = token.replace(/_[0-9a-z]{26}_/, `_${'0'.repeat(26)}_`);
    lookups = 0;
    const costOf = async (text: string) => {
      const start = process.hrtime.bigint();
      for (let round = 0; round < 50; round++) expect(await directory.authenticate(text)).toBeUndefined();
      return Number(process.hrtime.bigint() - start);
    };
    const ratios: number[] = [];
    for (let round = 0; round < 60; round++) ratios.push((await costOf(wrongSecret)) / (await costOf(unknownId)));
    expect(lookups).toBe(60 * 2 * 50);
    const median = ratios.sort((a, b) => a - b)[30]!;
    expect(median).toBeGreaterThan(0.6);
    expect(median).toBeLessThan(1.6);
  });
});
