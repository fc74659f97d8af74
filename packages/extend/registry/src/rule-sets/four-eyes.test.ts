import type { Actor } from '@leeward/accounts';
import { faultsOf, refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores, type World } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

interface Holder {
  readonly actor: Actor;
  readonly tokenId: string;
}

const approver = ['admin', 'approve'];

function people({ accounts: { administration, directory }, ours: { organizationId: organization_id } }: World) {
  const { tokens, ruleSets } = administration;
  let versions = 0;
  const holderOf = async (token: string, tokenId: string): Promise<Holder> => ({
    actor: (await directory.authenticate(token))!,
    tokenId,
  });
  const create = async (maker: Actor, body: object): Promise<Holder> => {
    const made = await tokens.create.run(maker, body);
    return holderOf(made.token, made.token_id);
  };
  return {
    make: (maker: Actor, scopes = ['admin']) => create(maker, { organization_id, scopes }),
    makeOperator: () => create(system, { scopes: ['operator'] }),
    async rotate(rotator: Actor, { tokenId }: Holder): Promise<Holder> {
      const next = await tokens.rotate.run(rotator, { token_id: tokenId });
      return holderOf(next.token, next.token_id);
    },
    /** `approved`, or the code of the refusal. */
    async approve(proposer: Actor, by: Actor): Promise<string> {
      const rule_set = ruleSetOf('our_own', { version: String(++versions) });
      const { rule_set_id, revision } = await ruleSets.propose.run(proposer, { organization_id, rule_set });
      return ruleSets.approve.run(by, { rule_set_id, revision }).then(
        () => 'approved',
        ({ faults }) => faults[0].code,
      );
    },
  };
}

describeOnStores('Four eyes', (test) => {
  test('takes a child, a grandchild and siblings of one administrator for one person', async (world) => {
    const { make, approve } = people(world);
    const { actor: boss } = await make(system, approver);
    const { actor: child } = await make(boss);
    const { actor: grandchild } = await make(child);
    const { actor: sibling } = await make(boss);
    for (const proposer of [boss, child, grandchild, sibling]) {
      expect(await approve(proposer, boss)).toBe('own_approval');
    }
    for (const other of [child, grandchild, sibling]) expect(await approve(boss, other)).toBe('scope_missing');
    expect(await approve(grandchild, (await make(system, approver)).actor)).toBe('approved');
  });

  test('refuses administrators a token that approves', async (world) => {
    const { make, rotate } = people(world);
    const colleague = await make(system, approver);
    const { actor: boss, tokenId } = await make(system, approver);
    for (const maker of [boss, world.ours.admin]) {
      const refused = await refusal(make(maker, approver));
      expect([refused.status, ...faultsOf(refused)]).toEqual([403, '/scopes scope_missing']);
      expect((await refusal(rotate(maker, colleague))).code).toBe('forbidden');
    }
    expect((await refusal(make(world.ours.admin, approver))).message).toBe('This token lacks the scope `approve`.');
    const next = await rotate(boss, { actor: boss, tokenId });
    expect((await refusal(make(next.actor, approver))).code).toBe('forbidden');
    expect(faultsOf(await refusal(make(system, ['approve'])))).toEqual(['/scopes approve_needs_admin']);
  });

  test('follows rotations and makers together', async (world) => {
    const { make, makeOperator, rotate, approve } = people(world);
    const first = await make(system, approver);
    const second = await rotate(first.actor, first);
    const third = await rotate(second.actor, second);
    const { actor: childOfSecond } = await make(second.actor);
    const { actor: grandchild } = await make(childOfSecond);
    const { actor: childOfThird } = await make(third.actor);
    const fourth = await rotate(system, third);
    const fifth = await rotate((await makeOperator()).actor, fourth);
    for (const by of [first, second, third, fourth, fifth]) {
      for (const proposer of [first.actor, third.actor, fifth.actor, childOfSecond, grandchild, childOfThird]) {
        expect(await approve(proposer, by.actor)).toBe('own_approval');
      }
    }
    const { actor: other } = await make(system, approver);
    expect(await approve(grandchild, other)).toBe('approved');
  });

  test('takes the person who rotated a token for one who holds it', async (world) => {
    const { make, rotate, approve } = people(world);
    const boss = await make(system, approver);
    const colleague = await make(system);
    const { actor: rotated } = await rotate((await make(boss.actor)).actor, colleague);
    expect(await approve(rotated, boss.actor)).toBe('own_approval');
    expect(await approve((await make(rotated)).actor, boss.actor)).toBe('own_approval');
    expect(await approve(colleague.actor, boss.actor)).toBe('approved');
  });

  test(
    'follows tokens that are revoked or no longer kept',
    async (world) => {
      const { make, approve, rotate } = people(world);
      const { tokens } = world.accounts.administration;
      const boss = await make(system, approver);
      const middle = await make(boss.actor);
      const rotated = await rotate(boss.actor, middle);
      const last = await make(rotated.actor);
      for (const { tokenId } of [middle, rotated]) await tokens.remove.run(boss.actor, { token_id: tokenId });
      expect(await approve(last.actor, boss.actor)).toBe('own_approval');
      for (const _ of [1, 2]) await make(system);
      const { items } = await tokens.list.run(system, { organization_id: world.ours.organizationId });
      const kept = items.map(({ token_id }) => token_id);
      expect(kept).not.toContain(middle.tokenId);
      expect(kept).not.toContain(rotated.tokenId);
      expect(await approve(last.actor, boss.actor)).toBe('own_approval');
    },
    { limits: { tokens: 5 } },
  );

  test('takes each token that an operator makes for another person, but none for the operator', async (world) => {
    const { make, makeOperator, approve, rotate } = people(world);
    const operator = await makeOperator();
    const { actor: admin } = await make(operator.actor);
    const { actor: second } = await make(operator.actor, approver);
    expect(await approve(admin, second)).toBe('approved');
    expect(await approve((await make(admin)).actor, second)).toBe('approved');
    const rotated = await rotate(system, operator);
    for (const maker of [operator.actor, rotated.actor]) {
      expect(await approve(maker, second)).toBe('own_approval');
      expect(await approve((await make(admin)).actor, maker)).toBe('own_approval');
    }
    expect(await approve(admin, (await makeOperator()).actor)).toBe('approved');
    expect(await approve(system, second)).toBe('approved');
    expect(await approve(system, system)).toBe('own_approval');
  });

  test('compares users of tokens, and says what two tokens without users do not prove', async (world) => {
    const { make, rotate, approve, makeOperator } = people(world);
    const { administration, directory, signIn } = world.accounts;
    const issuer = 'https://login.example';
    const add = (subject: string, body: object) =>
      administration.users.create.run(system, { issuer, subject, email: `${subject}@example.com`, ...body });
    const within = { organization_id: world.ours.organizationId };
    const ana = await add('ana', { ...within, roles: [{ role: 'approver' }] });
    await add('ben', { ...within, roles: [{ role: 'approver' }] });
    const enter = async (subject: string, options = within): Promise<Actor> => {
      const { tokens } = await signIn.open({ issuer, subject }, { organizationId: options.organization_id });
      return (await directory.authenticate(tokens[0]!.token))!;
    };
    const [anaHere, anaAgain, ben] = [await enter('ana'), await enter('ana'), await enter('ben')];
    const anaScript = await make(anaHere);
    const anaNext = await rotate(anaHere, await rotate(anaHere, anaScript));
    for (const own of [anaHere, anaAgain, anaScript.actor, anaNext.actor]) {
      expect(await approve(own, anaHere)).toBe('own_approval');
      expect(await approve(own, ben)).toBe('approved');
    }
    expect((await make(anaScript.actor)).actor).toMatchObject({ userId: ana.user_id });
    // Another user with this identity.
    await add('ana', { email: undefined, roles: [{ role: 'operator' }] });
    const anaOperator = await enter('ana', { organization_id: 'instance' });
    expect(await approve(anaHere, anaOperator)).toBe('own_approval');
    expect(await approve(ben, anaOperator)).toBe('approved');
    // Tokens without users are compared by origin.
    const { actor: program } = await make(system, approver);
    expect(await approve(program, anaHere)).toBe('approved');
    expect(await approve(anaHere, program)).toBe('approved');
    expect(await approve((await make(program)).actor, program)).toBe('own_approval');
    expect(await approve(anaHere, (await makeOperator()).actor)).toBe('approved');
    const { items } = await administration.audit.list.run(system, {
      ...within,
      action: 'rule_sets.approve',
      limit: 200,
    });
    const proofs = items.map(({ changes }) => (changes['four_eyes'] as { after: string }).after).reverse();
    expect(proofs).toEqual(['people', 'people', 'people', 'people', 'people', 'tokens', 'tokens', 'tokens']);
    // A removed proposer cannot be compared.
    const rule_set = ruleSetOf('our_own', { version: 'last' });
    const last = await administration.ruleSets.propose.run(anaHere, { ...within, rule_set });
    await administration.users.remove.run(system, { user_id: ana.user_id });
    const step = { rule_set_id: last.rule_set_id, revision: last.revision };
    expect(faultsOf(await refusal(administration.ruleSets.approve.run(ben, step)))).toEqual([
      '/rule_set_id proposer_removed',
    ]);
  });

  test('writes down which rules of an organization are in force without approval', async (world) => {
    const { administration, registry } = world.accounts;
    const { countUnapproved } = registry;
    const { audit, carriers, overrides } = administration;
    expect(await countUnapproved()).toEqual({ carriers: 0, overrides: 0 });
    await carriers.create.run(world.ours.admin, { rule_set: ruleSetOf('own') });
    await overrides.create.run(world.ours.admin, { carrier_key: 'palm_coast', exclude: { states: ['fl'] } });
    expect(await countUnapproved()).toEqual({ carriers: 1, overrides: 1 });
    for (const action of ['carriers.create', 'overrides.create']) {
      const { items } = await audit.list.run(system, { action });
      expect(items.map(({ changes }) => changes['approved_by'])).toEqual([{ after: null }]);
    }
  });

  test(
    'refuses rules without approval where that is set, but takes a carrier out of force',
    async (world) => {
      const { carriers, overrides } = world.accounts.administration;
      const { organizationId: organization_id, admin } = world.ours;
      const { carrier_id } = await carriers.create.run(system, { organization_id, rule_set: ruleSetOf('own') });
      const exclude = { states: ['fl'] };
      const { override_id } = await overrides.create.run(system, {
        organization_id,
        carrier_key: 'palm_coast',
        exclude,
      });
      const rule_set = ruleSetOf('own', { version: '2' });
      const { actor: operator } = await people(world).makeOperator();
      for (const actor of [admin, operator]) {
        for (const change of [
          () => carriers.create.run(actor, { organization_id, rule_set: ruleSetOf('other') }),
          () => carriers.update.run(actor, { carrier_id, revision: 1, rule_set }),
          () => overrides.create.run(actor, { organization_id, carrier_key: 'gulf_shield', exclude }),
          () => overrides.update.run(actor, { override_id, revision: 1, exclude: { states: ['tx'] } }),
          () => overrides.remove.run(actor, { override_id }),
        ]) {
          const refused = await refusal(change());
          expect(faultsOf(refused)).toEqual([' approval_required']);
          expect(refused.message).toContain('/v1/admin/rule-sets/propose');
        }
      }
      await carriers.remove.run(admin, { carrier_id });
      expect(await world.accounts.registry.countUnapproved()).toEqual({ carriers: 0, overrides: 1 });
    },
    { approval: { allowsDirectRules: false } },
  );
});
