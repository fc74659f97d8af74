import { faultsOf, refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { savedInParts } from './saved-decisions.ts';
import { describeOnStores, type World } from './testing/describe-on-stores.ts';
import { ruleSetOf } from './testing/test-rules.ts';

const DAY_MS = 86_400_000;

const decision = (organizationId: string | null, number: number, more: object = {}) => ({
  organizationId,
  record: { home: { state: 'fl', number }, effective_date: '2026-12-01', ...more },
  answers: {},
});

/** null: all organizations. */
async function numbersOf({ stored }: World, organizationId: string | null): Promise<number[]> {
  const numbers: number[] = [];
  for await (const part of savedInParts(stored.second.reader, organizationId)) {
    for (const { record } of part) numbers.push((JSON.parse(record) as { home: { number: number } }).home.number);
  }
  return numbers;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describeOnStores('Saved decisions', (test) => {
  test('are kept for every process, in parts, of each organization the latest', async (world) => {
    const { accounts, ours, theirs } = world;
    const { savedDecisions } = accounts.registry;
    await savedDecisions.save(range(0, 600).map((number) => decision(ours.organizationId, number)));
    await savedDecisions.save([decision(theirs.organizationId, 1_000), decision(null, 2_000)]);
    await savedDecisions.save([]);
    expect(await numbersOf(world, ours.organizationId)).toEqual(range(0, 600));
    expect(await numbersOf(world, theirs.organizationId)).toEqual([1_000]);
    expect((await numbersOf(world, null)).length).toBe(602);
    await world.stored.store.saveDecisions(
      [
        {
          decision_id: 'z'.repeat(26),
          organization_id: ours.organizationId,
          at: world.clock.ms,
          record: JSON.stringify({ home: { number: 600 } }),
          answers: '{}',
        },
      ],
      10,
    );
    expect(await numbersOf(world, ours.organizationId)).toEqual(range(591, 601));
    expect(await numbersOf(world, theirs.organizationId)).toEqual([1_000]);
  });

  test('are forgotten after their days, and with their organization', async (world) => {
    const { accounts, ours, theirs, clock } = world;
    const { administration, registry } = accounts;
    const { savedDecisions } = registry;
    await savedDecisions.save([decision(ours.organizationId, 1), decision(null, 2)]);
    clock.ms += 20 * DAY_MS;
    await savedDecisions.save([decision(ours.organizationId, 3), decision(theirs.organizationId, 4)]);
    clock.ms += 11 * DAY_MS;
    await savedDecisions.forgetOld();
    expect(await numbersOf(world, null)).toEqual([3, 4]);
    await administration.organizations.remove.run(system, { organization_id: theirs.organizationId });
    expect(await numbersOf(world, null)).toEqual([3]);
    // A removed organization.
    await savedDecisions.save([decision(theirs.organizationId, 5), decision(ours.organizationId, 6)]);
    expect(await numbersOf(world, null)).toEqual([3, 6]);
  });

  test('are read and replayed by their organization and by the operator', async (world) => {
    const { accounts, elsewhere, ours, theirs } = world;
    const { administration, registry } = accounts;
    const { savedDecisions } = registry;
    await savedDecisions.save([
      decision(ours.organizationId, 1, { changes: true }),
      decision(ours.organizationId, 2),
      decision(theirs.organizationId, 3, { changes: true }),
      decision(null, 4, { changes: true }),
    ]);
    const { savedDecisions: operations, ruleSets } = elsewhere.administration;
    const list = async (actor: typeof system, body = {}) => (await operations.list.run(actor, body)).items;
    expect((await list(ours.admin)).map(({ home }) => home['number'])).toEqual([2, 1]);
    expect((await list(system)).length).toBe(4);
    expect((await list(system, { organization_id: theirs.organizationId })).length).toBe(1);
    const [theirOwn] = await list(theirs.admin);
    const { decision_id } = theirOwn!;
    expect(await operations.get.run(theirs.admin, { decision_id })).toMatchObject({
      home: { number: 3 },
      answers: {},
      case: null,
    });
    expect((await refusal(operations.get.run(ours.admin, { decision_id }))).code).toBe('not_found');
    expect(await savedDecisions.read(theirs.organizationId, decision_id)).toMatchObject({ home: { number: 3 } });
    const [ofNone] = (await list(system)).filter(({ organization_id }) => organization_id === null);
    for (const id of [decision_id, ofNone!.decision_id, 'unknown', '', '\u0000']) {
      expect(await savedDecisions.read(ours.organizationId, id)).toBeUndefined();
    }
    const made = await operations.get.run(system, { decision_id, carrier_key: 'gulf_shield', policy_type: 'ho3' });
    expect(made.case).toMatchObject({ carrier: 'gulf_shield', policy_type: 'ho3' });
    const asCase = (carrier_key: string, more = {}) =>
      refusal(operations.get.run(system, { decision_id, carrier_key, ...more }));
    expect(faultsOf(await asCase('stranger', { policy_type: 'ho3' }))).toEqual(['/carrier_key not_asked']);
    expect(faultsOf(await asCase('gulf_shield'))).toEqual(['/policy_type required']);

    const rule_set = ruleSetOf('own_carrier');
    expect(await ruleSets.replay.run(ours.admin, { rule_set })).toMatchObject({ homes: 2, changed: 1 });
    expect(await ruleSets.replay.run(system, { rule_set })).toMatchObject({ homes: 4, changed: 3 });
    const { rule_set_id, review } = await administration.ruleSets.propose.run(ours.admin, {
      rule_set,
      book: [{ state: 'fl', changes: true }, { state: 'fl' }, { state: 'ga' }],
    });
    expect(review).toMatchObject({ saved: { homes: 2, changed: 1 }, book: { homes: 3, changed: 1 } });
    expect(await ruleSets.replay.run(ours.admin, { rule_set_id })).toMatchObject({ homes: 2, changed: 1 });
    expect((await refusal(ruleSets.replay.run(theirs.admin, { rule_set_id }))).code).toBe('not_found');
    const { items } = await administration.audit.list.run(system, { organization_id: ours.organizationId });
    const [proposed] = items.filter(({ action }) => action === 'rule_sets.propose');
    expect(proposed?.changes).toMatchObject({ saved_changed: { after: 1 }, book_changed: { after: 1 } });
    expect(faultsOf(await refusal(ruleSets.replay.run(system, {})))).toEqual(['/rule_set_id one_of']);
  });

  test('are named in a review if none of them can be evaluated again', async ({ accounts, ours, theirs }) => {
    const { administration, registry } = accounts;
    const { savedDecisions } = registry;
    const { ruleSets } = administration;
    await savedDecisions.save([1, 2].map((number) => decision(ours.organizationId, number, { unreadable: true })));
    const { review } = await ruleSets.propose.run(ours.admin, { rule_set: ruleSetOf('own_carrier') });
    expect(review?.saved).toMatchObject({ homes: 0, not_judged: [{ why: 'It is unreadable.', homes: 2 }] });
    const other = await ruleSets.propose.run(theirs.admin, { rule_set: ruleSetOf('their_carrier') });
    expect(other.review).not.toHaveProperty('saved');
  });
});
