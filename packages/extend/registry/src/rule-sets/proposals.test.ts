import { faultsOf, refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

describeOnStores('A proposal', (test) => {
  test('stores nothing when the caller stops waiting', async (world) => {
    const { ruleSets, audit, tokens } = world.accounts.administration;
    const { admin, organizationId: organization_id } = world.ours;
    const before = (await audit.list.run(system, {})).items.length;
    const reason = new Error('Given up.');
    const body = { rule_set: ruleSetOf('own') };
    const beforeCommit = () => {
      throw reason;
    };
    await expect(ruleSets.propose.run(admin, body, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(ruleSets.propose.run(admin, body, { beforeCommit })).rejects.toBe(reason);
    await expect(tokens.create.run(admin, { organization_id }, { beforeCommit })).rejects.toBe(reason);
    const { reader } = world.stored.second;
    expect(await reader.count('rule_sets', {})).toBe(0);
    expect((await audit.list.run(system, {})).items.length).toBe(before);
    let commits = 0;
    const kept = await ruleSets.propose.run(admin, body, { beforeCommit: () => commits++ });
    expect([kept.status, commits]).toEqual(['proposed', 1]);
  });

  test('is made once by all processes that get its key, for a day', async (world) => {
    const { accounts, elsewhere, ours, theirs, clock } = world;
    const rule_set = ruleSetOf('own');
    const propose = (body: object, idempotencyKey: string, from = accounts, { admin } = ours) =>
      from.administration.ruleSets.propose.run(admin, body, { idempotencyKey });
    const [first, second] = await Promise.all([
      propose({ rule_set, note: 'One.' }, 'key'),
      propose({ note: 'One.', rule_set }, 'key', elsewhere),
    ]);
    expect(second).toEqual(first);
    expect(await world.stored.store.reader.count('rule_sets', {})).toBe(1);
    const conflict = await refusal(propose({ rule_set, note: 'Two.' }, 'key'));
    expect([conflict.status, conflict.code]).toEqual([409, 'idempotency_conflict']);
    expect(faultsOf(await refusal(propose({ rule_set }, ' key')))).toEqual([' invalid_idempotency_key']);
    const { rule_set_id } = first;
    await accounts.administration.ruleSets.withdraw.run(ours.admin, { rule_set_id });
    expect(await propose({ rule_set, note: 'One.' }, 'key')).toMatchObject({ rule_set_id, status: 'withdrawn' });
    const their = await propose({ rule_set: ruleSetOf('their_own') }, 'key', accounts, theirs);
    expect(their.organization_id).toBe(theirs.organizationId);
    clock.ms += 86_400_000;
    const later = await propose({ rule_set, note: 'Two.' }, 'key');
    expect(later.rule_set_id).not.toBe(rule_set_id);
  });

  test('of a version that is kept already takes a key as well', async (world) => {
    const { ruleSets } = world.accounts.administration;
    const { admin } = world.ours;
    const { rule_set_id } = await ruleSets.push.run(admin, { rule_set: ruleSetOf('own') });
    const idempotencyKey = 'key';
    const first = await ruleSets.propose.run(admin, { rule_set_id }, { idempotencyKey });
    expect(first).toMatchObject({ rule_set_id, revision: 2 });
    expect(await ruleSets.propose.run(admin, { rule_set_id }, { idempotencyKey })).toEqual(first);
  });
});
