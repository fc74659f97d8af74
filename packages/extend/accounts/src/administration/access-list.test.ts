import { expect } from 'vitest';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { system } from '../testing/test-accounts.ts';

const host = { system: 'command line' };

describeOnStores('After a restore, the list of valid access', (test) => {
  test('revokes, disables and takes roles away, and keeps newer tokens and people', async ({
    accounts,
    elsewhere,
    clock,
    ours,
  }) => {
    const { tokens, users } = accounts.administration;
    const within = { organization_id: ours.organizationId };
    const invite = (email: string, roles: object[]) => users.create.run(system, { ...within, email, roles });
    const revoked = await tokens.create.run(system, within);
    const valid = await tokens.create.run(system, within);
    const disabled = await invite('ana@example.com', [{ role: 'author' }]);
    const demoted = await invite('ben@example.com', [{ role: 'author' }, { role: 'approver' }]);
    const active = await invite('cy@example.com', [{ role: 'viewer' }]);
    const list = await accounts.access.list();
    expect(list).toMatchObject({ kind: 'access', atMs: clock.ms });
    expect(list.tokenIds).toEqual(expect.arrayContaining([revoked.token_id, valid.token_id]));
    // The list as it is after these changes; the store is as the backup has it.
    const later = {
      ...list,
      tokenIds: list.tokenIds.filter((id) => id !== revoked.token_id),
      users: list.users
        .filter(({ userId }) => userId !== disabled.user_id)
        .map((each) => (each.userId === demoted.user_id ? { ...each, roles: [each.roles[0]!] } : each)),
    };
    clock.ms += 1_000;
    const newer = await tokens.create.run(system, within);
    await invite('dee@example.com', [{ role: 'viewer' }]);

    expect(await accounts.access.restrictTo(later, host)).toEqual({ tokens: 1, users: 2 });
    expect(await accounts.access.restrictTo(later, host)).toEqual({ tokens: 0, users: 0 });
    const isAccepted = async (token: string) => (await elsewhere.directory.authenticate(token)) !== undefined;
    expect(await Promise.all([revoked, valid, newer].map(({ token }) => isAccepted(token)))).toEqual([
      false,
      true,
      true,
    ]);
    const { items } = await users.list.run(system, within);
    const stateOf = (id: string) => {
      const { status, roles } = items.find((each) => each.user_id === id)!;
      return [status, roles.map(({ role }) => role)];
    };
    expect([disabled, demoted, active].map(({ user_id }) => stateOf(user_id))).toEqual([
      ['disabled', ['author']],
      ['active', ['author']],
      ['active', ['viewer']],
    ]);
    const { items: entries } = await accounts.administration.audit.list.run(system, within);
    expect(entries.filter(({ action }) => action === 'tokens.remove').map((each) => each.subject_id)).toEqual([
      revoked.token_id,
    ]);
  });

  test('names more tokens than fit on a page', async ({ accounts, ours }) => {
    const { tokens } = accounts.administration;
    for (let count = 0; count < 501; count++) await tokens.create.run(system, { organization_id: ours.organizationId });
    expect(new Set((await accounts.access.list()).tokenIds).size).toBe(503);
  });
});
