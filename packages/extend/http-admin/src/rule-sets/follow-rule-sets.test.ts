import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Actor, createAccounts, createMemoryStore } from '@leeward/accounts';
import { answersOf, recordDecision, replayDecision } from '@leeward/authoring/replay';
import { type Catalog, createCatalog, createProperty, type PropertyInput, parseRequest } from '@leeward/engine';
import { carriersOfLine, flood } from '@leeward/lines';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { describe, expect, it } from 'vitest';
import { type FollowedCatalog, followRuleSets } from './follow-rule-sets.ts';
import { createRulesPort } from './rules-port.ts';

const host: Actor = { system: 'test' };
const atMs = Date.parse('2026-11-20T12:00:00Z');

const file = (key: string, version = '1', limit = 2, changes: object = {}) => ({
  format: 1,
  carrier: { key, name: key },
  version,
  effective: { from: '2026-01-01', until: null },
  programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
  rules: [
    {
      id: 'claims',
      outcome: 'decline',
      code: 'claims',
      when: { all: [{ fact: 'total_claims', operator: 'greaterThan', value: limit }] },
      message: 'Claims.',
    },
  ],
  ...changes,
});

const home = createProperty({
  vocabulary: createCatalog([]).vocabulary,
  state: 'tx',
  counties: ['48201'],
  policyType: 'ho3',
  asOfMs: atMs,
  effectiveDate: '2026-12-01',
  values: { total_claims: 3 },
});

function open(base: Catalog = createCatalog([{ file: file('oak') }, { file: file('elm') }])) {
  const store = createMemoryStore();
  const clock = { ms: 0 };
  const troubles: unknown[] = [];
  const feed = { reads: 0, isAway: false };
  const registry = createRegistry({
    accounts: createAccounts({ store, readOrganizationRules, now: () => atMs }),
    rules: createRulesPort(base),
    approval: { fourEyes: false, explainFrom: null },
  });
  const { ruleSets, moratoria } = registry.administration;
  const followed = followRuleSets({
    feed: {
      async number() {
        feed.reads++;
        if (feed.isAway) throw new Error('Out of reach.');
        return registry.feed.number();
      },
      inForce: () => registry.feed.inForce(),
      keepFiles: (files) => registry.feed.keepFiles(files),
    },
    base,
    pollMs: 3_600_000,
    clock: () => clock.ms,
    now: () => new Date(atMs),
    onError: (error) => troubles.push(error),
  });
  const publish = async (ruleSet: unknown) => {
    const { rule_set_id, revision } = await ruleSets.propose.run(host, { rule_set: ruleSet });
    await ruleSets.approve.run(host, { rule_set_id, revision });
    return rule_set_id;
  };
  /** After this time the next call polls. */
  const later = async () => {
    clock.ms += 2_000;
    return followed.current();
  };
  return { store, ruleSets, moratoria, followed, publish, later, clock, feed, troubles };
}

const says = async (catalog: Catalog | Promise<Catalog>) =>
  Object.fromEntries(
    (await (await catalog).decide(home)).verdicts.map((verdict) => [
      verdict.carrierKey,
      `${verdict.status} ${verdict.ruleSet.version}`,
    ]),
  );

const sharedWith = (before: Catalog, after: Catalog, key: string) => {
  const ruleSets = (catalog: Catalog) =>
    catalog.carriers.find((each) => each.key === key)?.versions.map((each) => each.ruleSet);
  return ruleSets(before)?.[0] === ruleSets(after)?.[0];
};

async function started(base?: Catalog) {
  const world = open(base);
  await world.followed.start();
  world.followed.stop();
  return world;
}

describe('A catalog that follows the registry', () => {
  it('serves the folder until a publication, then the registry over it, and replaces changed carriers only', async () => {
    const { followed, publish, later, ruleSets } = await started();
    const before = followed.latest;
    expect(await says(before)).toEqual({ oak: 'ineligible 1', elm: 'ineligible 1' });
    await publish(file('oak', '2', 5));
    const after = await later();
    expect(await says(after)).toEqual({ oak: 'eligible 2', elm: 'ineligible 1' });
    expect([sharedWith(before, after, 'elm'), sharedWith(before, after, 'oak')]).toEqual([true, false]);
    expect(followed.number).toBe(1);
    expect(await says(before)).toEqual({ oak: 'ineligible 1', elm: 'ineligible 1' });
    const third = await publish(file('ash', '1', 5));
    await publish(file('oak', '3', 9, { effective: { from: '2026-06-01', until: null } }));
    expect(await says(later())).toEqual({ oak: 'eligible 3', elm: 'ineligible 1', ash: 'eligible 1' });
    await ruleSets.withdraw.run(host, { rule_set_id: third });
    await ruleSets.rollback.run(host, { carrier_key: 'oak' });
    expect(await says(later())).toEqual({ oak: 'eligible 2', elm: 'ineligible 1' });
    await ruleSets.rollback.run(host, { carrier_key: 'oak' });
    expect(await says(later())).toEqual({ oak: 'ineligible 1', elm: 'ineligible 1' });
  });

  it('answers at once after a recent poll, and polls first otherwise', async () => {
    const { followed, publish, clock, feed } = await started();
    await publish(file('oak', '2', 5));
    clock.ms += 1_000;
    const reads = feed.reads;
    expect(followed.current()).toBe(followed.latest);
    expect(feed.reads).toBe(reads);
    clock.ms += 1_000;
    // All calls wait for one poll.
    const asked = [followed.current(), followed.current()];
    expect(asked[0]).toBeInstanceOf(Promise);
    expect(await says(asked[0]!)).toMatchObject({ oak: 'eligible 2' });
    expect(await asked[1]).toBe(followed.latest);
    feed.isAway = true;
    clock.ms += 2_000;
    await expect(followed.current()).rejects.toThrow('Out of reach.');
    feed.isAway = false;
    expect(await followed.current()).toBe(followed.latest);
  });

  it('applies a moratorium to carriers of folder and registry, and ends it', async () => {
    const { publish, later, moratoria, store } = await started();
    await publish(
      file('oak', '2', 5, {
        moratoria: [{ id: 'storm', from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', message: 'Old.' }],
      }),
    );
    const stop = { id: 'storm', from: '2026-11-20T00:00:00Z', until: null, states: ['tx'], message: 'Storm.' };
    const { moratorium_id, revision } = await moratoria.propose.run(host, { moratorium: stop });
    expect(await says(later())).toEqual({ oak: 'eligible 2', elm: 'ineligible 1' });
    await moratoria.approve.run(host, { moratorium_id, revision });
    const stopped = await later();
    expect(await says(stopped)).toEqual({ oak: 'ineligible 2', elm: 'ineligible 1' });
    const [oak] = (await stopped.decide(home)).verdicts.filter(({ carrierKey }) => carrierKey === 'oak');
    expect(oak!.reasons.map(({ code, ruleId }) => [code, ruleId])).toEqual([['moratorium', 'storm-2']]);
    // Also for carriers of the folder, so that decisions can be replayed.
    const { decision, record } = await recordDecision(stopped, home);
    const kept = async ({ sha256 }: { readonly sha256: string }) => {
      const found = await store.reader.get('rule_set_files', sha256);
      return found && { file: JSON.parse(found.rule_set) };
    };
    expect(await replayDecision(JSON.parse(JSON.stringify(record)), kept)).toEqual({ decision, matches: true });
    await moratoria.withdraw.run(host, { moratorium_id });
    expect(await says(later())).toEqual({ oak: 'eligible 2', elm: 'ineligible 1' });
  });

  it('applies a moratorium with a condition while an event is near', async () => {
    const { publish, later, moratoria, store } = await started();
    // A moratorium with a condition is a rule, so its id must differ from those of rules.
    await publish(file('oak', '2', 5, { rules: [{ ...file('oak').rules[0], id: 'storm', outcome: 'refer' }] }));
    const when = {
      all: [
        {
          count: 'events',
          where: {
            all: [
              { fact: 'kind', operator: 'equal', value: 'hurricane' },
              { fact: 'miles_from_county', operator: 'lessThan', value: 100 },
            ],
          },
          operator: 'greaterThanInclusive',
          value: 1,
        },
      ],
    };
    const unless = { all: [{ fact: 'total_claims', operator: 'equal', value: 0 }] };
    const { moratorium_id, revision } = await moratoria.propose.run(host, {
      moratorium: { id: 'storm', when, unless, message: '{event} is near.' },
    });
    await moratoria.approve.run(host, { moratorium_id, revision });
    const catalog = await later();
    const place = { latitude: 29, longitude: -95 };
    const ike = { id: 'ike', kind: 'hurricane', name: 'Ike', position: place, from: '2026-11-19T00:00:00Z' };
    const decide = async (changes: Pick<PropertyInput, 'events'> & Partial<PropertyInput>) => {
      const { verdicts } = await catalog.decide(createProperty({ ...home, values: { total_claims: 3 }, ...changes }));
      return verdicts.find(({ carrierKey }) => carrierKey === 'oak')!;
    };
    const stopped = await decide({ events: [ike] });
    expect([stopped.status, stopped.reasons]).toMatchObject([
      'ineligible',
      [{ code: 'moratorium', ruleId: 'storm-2', message: 'Hurricane Ike is near.' }],
    ]);
    expect((await decide({ events: [ike], values: { total_claims: 0 } })).status).toBe('eligible');
    expect((await decide({ events: [] })).status).toBe('referral');
    expect(await decide({ events: undefined })).toMatchObject({
      status: 'needs_information',
      missingFields: ['events'],
    });
    const { decision, record } = await recordDecision(
      catalog,
      createProperty({ ...home, values: { total_claims: 3 }, events: [ike] }),
    );
    const kept = async ({ sha256 }: { readonly sha256: string }) => {
      const found = await store.reader.get('rule_set_files', sha256);
      return found && { file: JSON.parse(found.rule_set) };
    };
    expect(await replayDecision(JSON.parse(JSON.stringify(record)), kept)).toEqual({ decision, matches: true });
    await moratoria.withdraw.run(host, { moratorium_id });
    const [after] = (
      await (await later()).decide(createProperty({ ...home, values: { total_claims: 3 }, events: [ike] }))
    ).verdicts;
    expect(after!.reasons.map(({ code }) => code)).not.toContain('moratorium');
  });

  it('rejects a moratorium with a faulty condition, or with neither a start nor a condition', async () => {
    const { moratoria } = await started();
    const faultsOf = async (moratorium: Record<string, unknown>) => {
      const asked = moratoria.propose.run(host, { moratorium: { id: 'x', message: 'x', ...moratorium } });
      const { faults } = (await asked.catch((error: unknown) => error)) as {
        faults: { path: string; message: string }[];
      };
      return faults.map(({ path, message }) => `${path}: ${message}`);
    };
    const where = { fact: 'mile_from_home', operator: 'lessThan', value: 100 };
    const count = { count: 'events', where, operator: 'greaterThan', value: 0 };
    expect(await faultsOf({ when: { all: [count] } })).toEqual([
      expect.stringMatching(/^\/moratorium\/when\/all\/0\/where\/fact: .* Did you mean "miles_from_home"\?$/),
    ]);
    expect(await faultsOf({ when: { all: [{ condition: 'near' }] } })).toEqual([
      expect.stringMatching(/^\/moratorium\/when\/all\/0\/condition: /),
    ]);
    expect(await faultsOf({})).toEqual([
      '/moratorium: The key "from" is missing; only a moratorium with when or unless may leave it out.',
    ]);
  });

  it('rejects a moratorium that is invalid in a rule set', async () => {
    const { moratoria } = await started();
    const asked = moratoria.propose.run(host, {
      moratorium: { id: 'x', from: 'yesterday', states: ['tx', 'zz'], policy_types: ['ho9'], message: 'x' },
    });
    const { faults } = (await asked.catch((error: unknown) => error)) as { faults: { path: string }[] };
    expect(faults.map(({ path }) => path)).toContain('/moratorium/from');
  });

  it('accepts another folder under the registry', async () => {
    const { followed, publish, later, clock } = await started();
    await publish(file('oak', '2', 5));
    await later();
    await followed.replaceBase(createCatalog([{ file: file('oak', '9', 9) }, { file: file('fir', '1', 9) }]));
    clock.ms += 500;
    expect(await says(followed.current())).toEqual({ oak: 'eligible 2', fir: 'eligible 1' });
  });

  it('keeps a carrier whose published rules are invalid, and updates the others', async () => {
    const { followed, troubles } = broken();
    await followed.start();
    followed.stop();
    expect(await says(followed.latest)).toEqual({ oak: 'ineligible 1', elm: 'eligible 2' });
    expect(followed.number).toBe(1);
    expect(troubles).toHaveLength(1);
  });
});

/** Another version of the service wrote this. */
function broken(): { followed: FollowedCatalog; troubles: unknown[] } {
  const troubles: unknown[] = [];
  const published = (ruleSet: object) => ({ ruleSetId: 'x', version: '2', sha256: 'x', read: async () => ruleSet });
  const carriers = new Map([
    ['oak', [published({ ...file('oak', '2', 5), format: 7 })]],
    ['elm', [published(file('elm', '2', 5))]],
  ]);
  const followed = followRuleSets({
    feed: {
      number: async () => 1,
      inForce: async () => ({ number: 1, carriers, moratoria: [] }),
      keepFiles: async () => {},
    },
    base: createCatalog([{ file: file('oak') }, { file: file('elm') }]),
    pollMs: 3_600_000,
    onError: (error) => troubles.push(error),
  });
  return { followed, troubles };
}

describe('The registry, with another line', () => {
  const { vocabulary } = flood;
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`levee_lock/${name}.json`, carriersOfLine('flood')), 'utf8'));
  const whole = read('rule-set') as { version: string; rules: object[] };
  const older = { ...whole, rules: whole.rules.slice(0, 3) };
  const stop = { id: 'nobody', outcome: 'decline', code: 'x_nobody', message: 'Nobody.' };
  const nobody = { all: [{ fact: 'state', operator: 'in', value: ['tx', 'la', 'fl', 'ms', 'mo', 'il', 'ar', 'tn'] }] };
  const newer = { ...older, version: '2099.1', rules: [...older.rules, { ...stop, when: nobody }] };
  const [first] = read('cases') as [{ home: object; policy_type: string; as_of: string; effective_date: string }];
  const request = { ...first.home, policy_type: first.policy_type };

  it('reviews, serves, rolls back and replays rule sets of another line, without effect on homes', async () => {
    const store = createMemoryStore();
    const homes = createCatalog([{ file: file('oak') }]);
    const floods = createCatalog([{ file: older }], { vocabulary });
    const registry = createRegistry({
      accounts: createAccounts({ store, readOrganizationRules, now: () => atMs }),
      rules: createRulesPort(homes, {
        lines: [floods],
        lineModules: [pathToFileURL(createRequire(import.meta.url).resolve('@leeward/lines')).href],
      }),
      approval: { fourEyes: false, explainFrom: null },
    });
    const { ruleSets, moratoria, savedDecisions } = registry.administration;
    const troubles: unknown[] = [];
    const clock = { ms: 0 };
    const now = async (followed: FollowedCatalog) => {
      clock.ms += 2_000;
      return followed.current();
    };
    const follow = (base: Catalog) =>
      followRuleSets({
        feed: registry.feed,
        base,
        pollMs: 3_600_000,
        clock: () => clock.ms,
        onError: (e) => troubles.push(e),
      });
    const [served, servedHomes] = [follow(floods), follow(homes)];
    await Promise.all([served.start(), servedHomes.start()]);
    const parsed = parseRequest(request, { now: new Date(atMs), vocabulary });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { property } = parsed.request;
    const answer = async () => {
      const [verdict] = (await (await now(served)).decide(property)).verdicts;
      return `${verdict?.status} ${verdict?.ruleSet.version}`;
    };
    const before = await answer();
    expect(before).toContain(older.version);

    const recorded = await recordDecision(floods, property);
    const answers = answersOf(recorded.decision);
    await registry.savedDecisions.save([{ organizationId: null, record: recorded.record, answers }]);
    const replayed = await ruleSets.replay.run(host, { rule_set: newer });
    expect(replayed).toMatchObject({ homes: 1, changed: 1, by_code: { x_nobody: 1 }, not_judged: [] });
    expect(await ruleSets.replay.run(host, { rule_set: file('oak', '2') })).toMatchObject({ homes: 0, not_judged: [] });
    const [{ decision_id } = { decision_id: '' }] = (await savedDecisions.list.run(host, {})).items;
    const made = await savedDecisions.get.run(host, { decision_id, carrier_key: 'levee_lock' });
    expect(made.case).toMatchObject({ policy_type: first.policy_type, expect: { status: before.split(' ')[0] } });

    const proposed = await ruleSets.propose.run(host, { rule_set: newer, book: [{ state: 'la', ...request }] });
    expect(proposed.review).toMatchObject({ saved: { homes: 1, changed: 1 }, book: { homes: 1, changed: 1 } });
    await ruleSets.approve.run(host, { rule_set_id: proposed.rule_set_id, revision: proposed.revision });
    expect(await answer()).toBe('ineligible 2099.1');
    expect((await now(servedHomes)).carriers.map(({ key }) => key)).toEqual(['oak']);
    await expect(ruleSets.propose.run(host, { rule_set: file('levee_lock') })).rejects.toMatchObject({
      faults: [expect.objectContaining({ code: 'carrier_of_another_line' })],
    });
    await ruleSets.rollback.run(host, { carrier_key: 'levee_lock' });
    expect(await answer()).toBe(before);

    const storm = { id: 'storm', from: '2026-11-01T00:00:00Z', policy_types: [first.policy_type], message: 'Storm.' };
    const stopped = await moratoria.propose.run(host, { moratorium: storm });
    await moratoria.approve.run(host, { moratorium_id: stopped.moratorium_id, revision: stopped.revision });
    expect(await answer()).toContain('ineligible');
    expect(await says(now(servedHomes))).toEqual({ oak: 'ineligible 1' });

    // A condition must be valid in every line to which the moratorium applies.
    const many = { all: [{ fact: 'total_claims', operator: 'greaterThan', value: 1 }] };
    const conditional = { id: 'many', from: '2026-11-01T00:00:00Z', when: many, message: 'Many claims.' };
    const elsewhere = { ...conditional, when: { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 1 }] } };
    await expect(moratoria.propose.run(host, { moratorium: elsewhere })).rejects.toMatchObject({
      faults: [
        {
          path: '/moratorium/when/all/0/fact',
          message: expect.stringContaining('also applies to the line "flood", where this is invalid: '),
        },
      ],
    });
    const ofHomes = { ...elsewhere, policy_types: ['ho3'] };
    expect(await moratoria.propose.run(host, { moratorium: ofHomes })).toMatchObject({ status: 'proposed' });
    expect(troubles).toEqual([]);
    for (const each of [served, servedHomes]) each.stop();
  });
});
