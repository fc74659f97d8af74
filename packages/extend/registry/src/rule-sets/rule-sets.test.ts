import type { Actor } from '@leeward/accounts';
import { faultsOf, refusal, system } from '@leeward/accounts/testing';
import { expect } from 'vitest';
import { describeOnStores, type World } from '../testing/describe-on-stores.ts';
import { ruleSetOf } from '../testing/test-rules.ts';

type Json = Readonly<Record<string, unknown>>;

const version = (name: string, changes: Json = {}) => ruleSetOf('gulf_shield', { version: name, ...changes });

async function operators(world: World, count: number): Promise<Actor[]> {
  const { administration, directory } = world.accounts;
  const made: Actor[] = [];
  for (let index = 0; index < count; index++) {
    const { token } = await administration.tokens.create.run(system, {
      name: `operator ${index}`,
      scopes: ['operator'],
    });
    made.push((await directory.authenticate(token))!);
  }
  return made;
}

/** Resolves with the id of the version. */
async function publish(world: World, [proposer, approver]: readonly Actor[], ruleSet: unknown): Promise<string> {
  const { ruleSets } = world.accounts.administration;
  const { rule_set_id, revision } = await ruleSets.propose.run(proposer!, { rule_set: ruleSet });
  await ruleSets.approve.run(approver!, { rule_set_id, revision });
  return rule_set_id;
}

const inForce = async ({ elsewhere }: World) => {
  const { number, carriers, moratoria } = await elsewhere.registry.feed.inForce();
  const versions = [...carriers].map(([key, published]) => [key, published.map((each) => each.version)] as const);
  return { number, carriers: Object.fromEntries(versions), moratoria: moratoria.map(({ moratorium }) => moratorium) };
};

describeOnStores('The registry of rule sets', (test) => {
  test('publishes the files of a folder once if the registry is empty', async (world) => {
    const seed = (name: string, carrierKey = 'gulf_shield') => ({
      carrierKey,
      carrierName: 'Carrier',
      version: name,
      effectiveFrom: '2026-01-01',
      sha256: `hash of ${carrierKey}`,
      file: ruleSetOf(carrierKey, { version: name }),
    });
    const files = [seed('1'), seed('2'), seed('1', 'palm_coast')];
    const actor = { system: 'serve --seed' };
    const { accounts, elsewhere } = world;
    const seeded = await Promise.all([accounts.registry.seed(files, actor), elsewhere.registry.seed(files, actor)]);
    expect(seeded.sort()).toEqual([0, 3]);
    expect(await inForce(world)).toEqual({
      number: 2,
      carriers: { gulf_shield: ['1', '2'], palm_coast: ['1'] },
      moratoria: [],
    });
    const { items } = await accounts.administration.audit.list.run(system, {});
    const actions = items.filter(({ action }) => action === 'rule_sets.seed');
    expect(actions.map(({ subject_id }) => subject_id).sort()).toEqual(['gulf_shield', 'palm_coast']);
    const [anna, ben] = await operators(world, 2);
    await publish(world, [anna!, ben!], version('3'));
    expect((await inForce(world)).carriers['gulf_shield']).toEqual(['3']);
    expect(await accounts.registry.seed(files, actor)).toBe(0);
  });

  test('puts a version in force that one proposes and another approves, for every process', async (world) => {
    const [anna, ben] = await operators(world, 2);
    const { ruleSets } = world.accounts.administration;
    expect(await world.elsewhere.registry.feed.number()).toBe(0);
    const proposed = await ruleSets.propose.run(anna!, { rule_set: version('1'), cases: [true], note: 'First.' });
    expect(proposed).toMatchObject({ status: 'proposed', base: null, note: 'First.', rule_set: { version: '1' } });
    expect(proposed.review).toMatchObject({ cases: { run: 1, failures: [] } });
    expect(proposed.review?.changes[0]?.message).toBe('with nothing');
    expect((await inForce(world)).number).toBe(0);
    const { rule_set_id, revision } = proposed;
    const approved = await ruleSets.approve.run(ben!, { rule_set_id, revision });
    expect(approved).toMatchObject({ status: 'in_force', version: '1' });
    expect(await inForce(world)).toEqual({ number: 1, carriers: { gulf_shield: ['1'] }, moratoria: [] });
    const [published] = (await world.elsewhere.registry.feed.inForce()).carriers.get('gulf_shield')!;
    expect(await published!.read()).toEqual(version('1'));
    // A version with another window is added; one with the same window replaces.
    await publish(world, [anna!, ben!], version('2', { effective: { from: '2027-01-01', until: null } }));
    expect((await inForce(world)).carriers['gulf_shield']).toEqual(['1', '2']);
    await publish(world, [ben!, anna!], version('3'));
    expect((await inForce(world)).carriers['gulf_shield']).toEqual(['2', '3']);
    const { items } = await ruleSets.list.run(system, { carrier_key: 'gulf_shield' });
    expect(items.map((each) => [each.version, each.status])).toEqual([
      ['3', 'in_force'],
      ['2', 'approved'],
      ['1', 'replaced'],
    ]);
  });

  test('refuses each approval with a specific code and audits it', async (world) => {
    const [anna, ben] = await operators(world, 2);
    const { ruleSets, audit } = world.accounts.administration;
    const propose = async (body: Json) => {
      const { rule_set_id, revision } = await ruleSets.propose.run(anna!, body);
      return { rule_set_id, revision };
    };
    const refused = async (actor: Actor, body: Json) => {
      const error = await refusal(ruleSets.approve.run(actor, body));
      return [error.status, ...faultsOf(error)];
    };
    const good = await propose({ rule_set: version('1') });
    expect(await refused(anna!, good)).toEqual([403, '/rule_set_id own_approval']);
    expect(await refused(ben!, { ...good, revision: 7 })).toEqual([409, '/revision revision_conflict']);
    const failing = await propose({ rule_set: version('2'), cases: [true, false, false] });
    expect(await refused(ben!, failing)).toEqual([409, '/cases/1 case_fails', '/cases/2 case_fails']);
    const found = [
      { code: 'gap_rules', path: '/programs/0', message: 'leaves a gap.', severity: 'warning' },
      { code: 'unusual_limit', path: '/rules/0', message: 'is odd.', severity: 'warning', allowed: 'It is meant.' },
      { code: 'outcomes_overlap', path: '', message: 'overlap.', severity: 'note' },
    ];
    const unexplained = await propose({ rule_set: version('3', { x_findings: found }) });
    expect(await refused(ben!, unexplained)).toEqual([409, '/rule_set/programs/0 finding_unexplained']);
    await ruleSets.push.run(anna!, { rule_set: version('4') });
    const [draft] = (await ruleSets.list.run(system, {})).items;
    expect(await refused(ben!, { rule_set_id: draft!.rule_set_id, revision: 1 })).toEqual([
      409,
      '/rule_set_id not_proposed',
    ]);
    // Another version goes into force meanwhile.
    await publish(world, [anna!, ben!], version('5'));
    expect(await refused(ben!, good)).toEqual([409, '/rule_set_id base_moved']);
    const refreshed = await ruleSets.get.run(ben!, { rule_set_id: good.rule_set_id });
    expect(refreshed).toMatchObject({ status: 'proposed', revision: 2 });
    expect(refreshed.review?.changes[0]?.message).toBe('with 5');
    expect(await refused(ben!, good)).toEqual([409, '/revision revision_conflict']);
    await ruleSets.approve.run(ben!, { ...good, revision: 2 });
    expect((await inForce(world)).carriers['gulf_shield']).toEqual(['1']);
    const { items } = await audit.list.run(system, { action: 'rule_sets.refuse', limit: 200 });
    expect(items.map(({ changes }) => changes['why']?.after).reverse()).toEqual([
      'own_approval',
      'revision_conflict',
      'case_fails',
      'finding_unexplained',
      'not_proposed',
      'base_moved',
      'revision_conflict',
    ]);
    const story = await audit.list.run(system, { subject_id: good.rule_set_id, limit: 200 });
    expect(story.items.map(({ action }) => action).reverse()).toEqual([
      'rule_sets.propose',
      'rule_sets.refuse',
      'rule_sets.refuse',
      'rule_sets.refuse',
      'rule_sets.refresh',
      'rule_sets.refuse',
      'rule_sets.approve',
    ]);
    expect(story.items[0]?.changes).toMatchObject({ status: { before: 'proposed', after: 'approved' } });
  });

  test(
    'allows one person to approve, and unexplained warnings, if configured',
    async (world) => {
      const { ruleSets } = world.accounts.administration;
      const found = [{ code: 'gap_rules', path: '', message: 'leaves a gap.', severity: 'warning' }];
      const { rule_set_id, revision } = await ruleSets.propose.run(system, {
        rule_set: version('1', { x_findings: found }),
      });
      await ruleSets.approve.run(system, { rule_set_id, revision });
      expect((await inForce(world)).number).toBe(1);
    },
    { approval: { fourEyes: false, explainFrom: 'fault' } },
  );

  test('takes a version out of force, and the last change of a carrier back', async (world) => {
    const people = await operators(world, 2);
    const { ruleSets, audit } = world.accounts.administration;
    const rollBack = async () =>
      (await ruleSets.rollback.run(people[0]!, { carrier_key: 'gulf_shield', why: 'Wrong.' })).versions;
    expect(faultsOf(await refusal(ruleSets.rollback.run(people[0]!, { carrier_key: 'gulf_shield' })))).toEqual([
      '/carrier_key nothing_to_roll_back',
    ]);
    await publish(world, people, version('1'));
    await publish(world, people, version('2'));
    const third = await publish(world, people, version('3', { effective: { from: '2026-06-01', until: null } }));
    await publish(world, people, ruleSetOf('palm_coast'));
    await ruleSets.withdraw.run(people[1]!, { rule_set_id: third, why: 'Misread.' });
    expect((await inForce(world)).carriers).toEqual({ gulf_shield: ['2'], palm_coast: ['2026.1'] });
    expect((await rollBack())?.map((each) => [each.version, each.status])).toEqual([
      ['2', 'in_force'],
      ['3', 'in_force'],
    ]);
    expect((await rollBack())?.map((each) => each.version)).toEqual(['2']);
    expect((await rollBack())?.map((each) => each.version)).toEqual(['1']);
    expect(await rollBack()).toBeNull();
    expect((await inForce(world)).carriers).toEqual({ palm_coast: ['2026.1'] });
    await refusal(rollBack());
    await publish(world, people, version('4'));
    const fourth = (await ruleSets.status.run(system, {})).carriers[0]!.versions![0]!;
    await ruleSets.withdraw.run(people[0]!, { rule_set_id: fourth.rule_set_id });
    // A withdrawn carrier is not unknown.
    expect((await inForce(world)).carriers).toEqual({ gulf_shield: [], palm_coast: ['2026.1'] });
    expect((await rollBack())?.map((each) => each.version)).toEqual(['4']);
    const { items } = await audit.list.run(system, { action: 'rule_sets.rollback' });
    expect(items).toHaveLength(5);
    expect(items.at(-1)?.changes).toMatchObject({
      why: { after: 'Wrong.' },
      undoes: { after: 5 },
      publication: { after: 6 },
    });
  });

  test('keeps organizations and the catalog apart', async (world) => {
    const people = await operators(world, 2);
    const { ours, theirs, accounts } = world;
    const { ruleSets, tokens } = accounts.administration;
    const own = ruleSetOf('our_own');
    const mine = await ruleSets.propose.run(ours.admin, { rule_set: own });
    const ofAll = await ruleSets.propose.run(people[0]!, { rule_set: version('1') });
    for (const { rule_set_id, revision } of [mine, ofAll]) {
      for (const asked of [
        () => ruleSets.approve.run(theirs.admin, { rule_set_id, revision }),
        () => ruleSets.withdraw.run(theirs.admin, { rule_set_id }),
        () => ruleSets.get.run(theirs.admin, { rule_set_id }),
        () => ruleSets.propose.run(theirs.admin, { rule_set_id }),
      ]) {
        expect((await refusal(asked())).code).toBe('not_found');
      }
    }
    const { organizationId: organization_id } = ours;
    for (const asked of [
      () => ruleSets.status.run(theirs.admin, { organization_id }),
      () => ruleSets.list.run(theirs.admin, { organization_id }),
      () => ruleSets.rollback.run(theirs.admin, { organization_id, carrier_key: 'our_own' }),
      () => ruleSets.push.run(theirs.admin, { organization_id, rule_set: own }),
    ]) {
      expect((await refusal(asked())).code).toBe('not_found');
    }
    expect((await ruleSets.list.run(theirs.admin, {})).items).toEqual([]);
    expect(faultsOf(await refusal(ruleSets.propose.run(ours.admin, { rule_set: version('1') })))).toEqual([
      '/rule_set/carrier/key carrier_exists',
    ]);
    const stamp = await accounts.directory.catalogStamp(organization_id);
    const { token } = await tokens.create.run(system, { organization_id, scopes: ['admin', 'approve'] });
    const colleague = (await accounts.directory.authenticate(token))!;
    await ruleSets.approve.run(colleague, { rule_set_id: mine.rule_set_id, revision: mine.revision });
    const catalog = await world.elsewhere.directory.catalog(organization_id);
    expect(catalog?.carriers).toMatchObject([{ carrierKey: 'our_own', ruleSet: own }]);
    expect(catalog?.stamp).not.toBe(stamp);
    expect((await world.elsewhere.directory.catalog(theirs.organizationId))?.carriers).toEqual([]);
    expect(await inForce(world)).toMatchObject({ number: 0 });
    await accounts.administration.organizations.remove.run(system, { organization_id });
    expect((await refusal(ruleSets.get.run(people[0]!, { rule_set_id: mine.rule_set_id }))).code).toBe('not_found');
  });

  test('stops carriers by a moratorium that somebody else approves', async (world) => {
    const [anna, ben] = await operators(world, 2);
    const { moratoria, audit, ruleSets } = world.accounts.administration;
    const moratorium = { id: 'storm', from: '2026-11-20T12:00:00Z', until: null, states: ['fl'], message: 'Storm.' };
    expect((await refusal(moratoria.propose.run(world.ours.admin, { moratorium }))).code).toBe('forbidden');
    expect(
      faultsOf(await refusal(moratoria.propose.run(anna!, { moratorium: { ...moratorium, until: 'never' } }))),
    ).toEqual(['/moratorium/until invalid_value']);
    const { moratorium_id } = await moratoria.propose.run(anna!, { moratorium, carrier_keys: ['gulf_shield'] });
    expect(faultsOf(await refusal(moratoria.approve.run(anna!, { moratorium_id })))).toEqual([
      '/moratorium_id own_approval',
    ]);
    await moratoria.approve.run(ben!, { moratorium_id, revision: 1 });
    expect(await inForce(world)).toMatchObject({ number: 1, moratoria: [moratorium] });
    expect((await ruleSets.status.run(ben!, {})).moratoria).toMatchObject([{ moratorium_id, status: 'approved' }]);
    expect(faultsOf(await refusal(moratoria.approve.run(ben!, { moratorium_id })))).toEqual([
      '/moratorium_id not_proposed',
    ]);
    await moratoria.withdraw.run(anna!, { moratorium_id, why: 'Over.' });
    expect(await inForce(world)).toMatchObject({ number: 2, moratoria: [] });
    const { items } = await audit.list.run(system, { subject_id: moratorium_id });
    expect(items.map(({ action }) => action).reverse()).toEqual([
      'moratoria.propose',
      'moratoria.refuse',
      'moratoria.approve',
      'moratoria.withdraw',
    ]);
  });

  test('puts one of many that approve at once over the other, never both', async (world) => {
    const people = await operators(world, 2);
    const proposals = [];
    for (let index = 0; index < 6; index++) {
      const { rule_set_id, revision } = await world.accounts.administration.ruleSets.propose.run(people[0]!, {
        rule_set: version(`1.${index}`),
      });
      proposals.push({ rule_set_id, revision });
    }
    const outcomes = await Promise.allSettled(
      proposals.map((proposal, index) =>
        (index % 2 === 0 ? world.accounts : world.elsewhere).administration.ruleSets.approve.run(people[1]!, proposal),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { number, carriers } = await inForce(world);
    expect([number, carriers['gulf_shield']?.length]).toEqual([1, 1]);
  });

  test('takes a corrected proposal in the place of the one before, and no second file under one name', async (world) => {
    const people = await operators(world, 2);
    const { ruleSets } = world.accounts.administration;
    const first = await ruleSets.propose.run(people[0]!, { rule_set: version('1'), cases: [false] });
    const second = await ruleSets.propose.run(people[0]!, { rule_set: version('1', { x: 1 }), cases: [true] });
    expect((await ruleSets.get.run(people[0]!, { rule_set_id: first.rule_set_id })).status).toBe('superseded');
    await ruleSets.approve.run(people[1]!, { rule_set_id: second.rule_set_id, revision: 1 });
    const refused = async (body: Json) => faultsOf(await refusal(ruleSets.propose.run(people[0]!, body)));
    expect(await refused({ rule_set: version('1', { x: 1 }) })).toEqual(['/rule_set already_approved']);
    expect(await refused({ rule_set: version('1', { x: 2 }) })).toEqual(['/rule_set/version version_taken']);
    expect(await refused({})).toEqual(['/rule_set_id one_of']);
    expect(await refused({ rule_set: [] })).toEqual(['/rule_set not_a_rule_set']);
    expect(await refused({ rule_set: version('') })).toEqual(['/rule_set/version invalid_value']);
  });
});
