import { createCatalog, homeVocabulary, type Property, type Verdict } from '@leeward/engine';
import { createOrganizationCatalog } from '@leeward/engine/organizations';
import { isObject } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { declinableHome } from '../../../../../test/support/engine/declinable-homes.ts';
import { fixtureCatalog, fixtureEntries } from '../../../../../test/support/engine/fixture-catalog.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { checkCases } from '../cases/check-cases.ts';
import { recordDecision } from '../replay/record-decision.ts';
import { propertyOfRecord } from '../replay/recorded-home.ts';
import { answersOf, type SavedAnswers } from '../replay/saved-answer.ts';
import { caseOfDecision, requestOfProperty } from './case-of-decision.ts';
import { type HomeToReplay, openReplay, type ReplayInput } from './replay-homes.ts';

const entries = fixtureEntries();
const catalog = fixtureCatalog();
const atMs = Date.parse('2026-11-20T12:00:00Z');

type File = Record<string, unknown>;
const copy = (file: unknown): File => JSON.parse(JSON.stringify(file)) as File;

async function savedDecisions(count: number, decider: Parameters<typeof recordDecision>[0] = catalog) {
  const random = createRandom(21);
  const saved: Extract<HomeToReplay, { record: string }>[] = [];
  for (let index = 0; index < count; index++) {
    const { decision, record } = await recordDecision(decider, declinableHome(random, 0.15));
    saved.push({
      id: `decision ${index}`,
      record: JSON.stringify(record),
      answers: JSON.stringify(answersOf(decision)),
    });
  }
  return saved;
}

async function replayed(file: unknown, inForce: readonly unknown[], homes: readonly HomeToReplay[], more?: object) {
  const input: ReplayInput = { file, inForce, overrides: [], fromStranger: false, atMs, maxChanges: 100_000, ...more };
  const { faults, replay } = openReplay(input);
  expect(faults).toEqual([]);
  for (let start = 0; start < homes.length; start += 70) await replay!.evaluate(homes.slice(start, start + 70));
  return replay!.result();
}

/** Changes the numbers of one rule out of `each`. */
function editedLimits(file: unknown, each: number, change: (limit: number) => number): File {
  const edited = copy(file);
  let rule = 0;
  const edit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) edit(one);
    else if (isObject(value)) {
      const leaf = value as Record<string, unknown>;
      if (typeof leaf['fact'] === 'string' && typeof leaf['value'] === 'number' && rule++ % each === 0) {
        leaf['value'] = Math.max(0, Math.round(change(leaf['value'])));
      }
      for (const one of Object.values(leaf)) edit(one);
    }
  };
  edit(edited);
  return edited;
}

/** Ten typical edits of ten carriers. */
const edits: readonly [what: string, edit: (file: unknown) => File][] = [
  ['limits a little lower', (file) => editedLimits(file, 3, (limit) => limit * 0.8)],
  ['limits a little higher', (file) => editedLimits(file, 2, (limit) => limit * 1.25)],
  ['one limit by one', (file) => editedLimits(file, 7, (limit) => limit + 1)],
  ['all limits by one', (file) => editedLimits(file, 1, (limit) => limit - 1)],
  ['a rule more', (file) => withRule(file, { when: { all: [test('total_claims', 'greaterThan', 0)] } })],
  [
    'a requirement more',
    (file) =>
      withRule(file, {
        outcome: 'require',
        code: 'photos',
        when: { all: [test('dwelling_a', 'greaterThan', 700_000)] },
      }),
  ],
  ['no rules at the top', (file) => ({ ...copy(file), rules: [] })],
  ['a state less', (file) => withoutState(file)],
  [
    'a moratorium',
    (file) => ({
      ...copy(file),
      moratoria: [{ id: 'storm', from: '2020-01-01T00:00:00Z', until: null, states: ['tx', 'fl'], message: 'Storm.' }],
    }),
  ],
  ['another message', (file) => withOtherMessages(file)],
];

function withRule(file: unknown, rule: object): File {
  const edited = copy(file);
  const rules = (edited['rules'] ?? []) as unknown[];
  return { ...edited, rules: [...rules, ruleFile({ id: 'one-more', message: 'One more.', ...rule })] };
}

function withoutState(file: unknown): File {
  const edited = copy(file);
  const [program] = edited['programs'] as { states: string[]; counties?: Record<string, unknown> }[];
  const [gone] = program!.states;
  if (program!.states.length > 1) program!.states.shift();
  else edited['programs'] = (edited['programs'] as unknown[]).slice(1);
  if (gone !== undefined && program!.counties) delete program!.counties[gone];
  return edited;
}

function withOtherMessages(file: unknown): File {
  return JSON.parse(JSON.stringify(file).replaceAll('"message":"', '"message":"Note: ')) as File;
}

const saved = await savedDecisions(testVolume(140));
const opened = new Map<string, Property>();
function propertyOf({ record }: (typeof saved)[number]): Property {
  const known = opened.get(record) ?? propertyOfRecord(JSON.parse(record) as never, homeVocabulary);
  opened.set(record, known);
  return known;
}

const newest = new Map(entries.map(({ file }) => [(file as { carrier: { key: string } }).carrier.key, file]));

describe('the replay of saved decisions', () => {
  it('reports exactly the homes for which the engine decides differently', { timeout: 600_000 }, async () => {
    let changed = 0;
    let unchanged = 0;
    for (const [index, [what, edit]] of edits.entries()) {
      const file = [...newest.values()][(index * 2) % newest.size]!;
      const edited = edit(file);
      const { changes, not_judged, ...counts } = await replayed(edited, [file], saved);
      const told = new Set(changes.map(({ id }) => id));
      const otherwise = new Set<string>();
      const [before, after] = [file, edited].map((each) => createHomeEvaluator(each));
      for (const home of saved) if ((await before!(home)) !== (await after!(home))) otherwise.add(home.id);
      expect([what, [...told].sort()]).toEqual([what, [...otherwise].sort()]);
      expect([what, not_judged, counts.changed]).toEqual([what, [], otherwise.size]);
      expect([what, counts.homes]).toEqual([what, saved.length]);
      changed += otherwise.size > 0 ? 1 : 0;
      unchanged += otherwise.size === 0 ? 1 : 0;
      const sum = (by: Readonly<Record<string, number>>) => Object.values(by).reduce((all, each) => all + each, 0);
      expect([what, sum(counts.by_move), sum(counts.by_state)]).toEqual([what, changes.length, changes.length]);
    }
    // An edited message changes no answer; most edits do.
    expect([changed > 5, unchanged > 0]).toEqual([true, true]);
  });

  it('lists changes with the saved answer and the rules of the change', async () => {
    const old = ruleSetFile({
      rules: [ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', 2)] } })],
    });
    const stricter = editedLimits(old, 1, () => 0);
    const decider = createCatalog([{ file: old }]);
    const homes = await savedDecisions(testVolume(250), decider);
    const { changes, homes: count, changed_since } = await replayed(stricter, [old], homes);
    expect([count, changed_since]).toEqual([homes.length, 0]);
    expect(changes.length).toBeGreaterThan(0);
    for (const { before, after, answered, rule_ids } of changes) {
      expect([answered, rule_ids]).toEqual([before, ['claims']]);
      expect([before.status, after.status]).not.toEqual([after.status, before.status]);
    }
    // The version in force changed too: its changes are counted separately.
    const since = await replayed(stricter, [stricter], homes);
    expect([since.changed, since.changed_since]).toEqual([0, new Set(changes.map(({ id }) => id)).size]);
  });

  it('applies the override of the decision', async () => {
    const [base] = [...newest.values()] as [File];
    const { key } = base['carrier'] as { key: string };
    const override = {
      carrier_key: key,
      add_rules: [ruleFile({ id: 'ours', when: { all: [test('acreage', 'greaterThan', 0)] } })],
    };
    const organization = createOrganizationCatalog({
      base: catalog,
      isAppointed: () => true,
      ownRuleSets: [],
      overrides: [override],
    });
    expect(organization.faults).toEqual([]);
    const homes = await savedDecisions(60, organization);
    const edited = editedLimits(base, 1, (limit) => limit * 0.5);
    const under = await replayed(edited, [base], homes, { overrides: [override] });
    const { changed, not_judged } = await replayed(edited, [base], homes);
    // The override declines nearly all homes.
    expect([under.not_judged, under.changed_since]).toEqual([[], 0]);
    expect([changed, not_judged[0]?.why]).toEqual([0, expect.stringContaining('override')]);
    expect(not_judged.reduce((sum, { homes: number }) => sum + number, 0)).toBe(homes.length);
  });

  it('skips decisions without the carrier, unless the carrier is new', async () => {
    const stranger = ruleSetFile({ carrier: { key: 'stranger', name: 'Stranger' } });
    expect(await replayed(stranger, [], saved.slice(0, 40))).toMatchObject({ homes: 40 });
    expect(await replayed(stranger, [stranger], saved.slice(0, 40))).toMatchObject({ homes: 0, changed: 0 });
  });

  it('counts homes that cannot be evaluated, by reason', async () => {
    const [file] = newest.values();
    const broken = saved.slice(0, 6).map((home, index) => {
      const record = JSON.parse(home.record) as Record<string, unknown>;
      if (index < 2) record['engine'] = '999.0.0';
      return { ...home, record: JSON.stringify(record) };
    });
    const { homes, not_judged } = await replayed(file, [file], broken);
    expect([homes, not_judged]).toEqual([
      4,
      [{ why: expect.stringContaining('999.0.0'), homes: 2, first: 'decision 0' }],
    ]);
  });

  it('evaluates homes of a book, and names a home with faults', async () => {
    const old = ruleSetFile({
      rules: [ruleFile({ id: 'claims', when: { all: [test('total_claims', 'greaterThan', 2)] } })],
    });
    const stricter = editedLimits(old, 1, () => 0);
    const home = { state: 'tx', county: 'harris', policy_type: 'ho3' };
    const homes = [
      { id: '1', request: { ...home, total_claims: 1 } },
      { id: '2', request: { ...home, total_claims: 0 } },
      { id: '3', request: { ...home, total_claims: 'many' } },
    ];
    const { homes: count, changed, by_move, not_judged, changes } = await replayed(stricter, [old], homes);
    expect([count, changed, by_move]).toEqual([2, 1, { 'eligible to ineligible': 1 }]);
    expect(changes[0]).toMatchObject({ id: '1', answered: null });
    expect(not_judged).toMatchObject([{ homes: 1, first: '3', why: expect.stringContaining('total_claims') }]);
  });

  it('makes cases that the carrier still passes', async () => {
    let made = 0;
    for (const { record, answers } of saved.slice(0, 60)) {
      const property = propertyOfRecord(JSON.parse(record) as never, homeVocabulary);
      for (const carrier of catalog.carriers.slice(0, 6)) {
        const policyType = property.policyType ?? 'ho3';
        const found = caseOfDecision(JSON.parse(record), JSON.parse(answers) as SavedAnswers, {
          carrierKey: carrier.key,
          policyType,
          note: 'as it was answered',
        });
        // A request must have the roof's year and type together.
        if (found!.simplified.length > 0) continue;
        expect((await checkCases(carrier, [found!.entry])).findings).toEqual([]);
        made++;
      }
      const again = requestOfProperty(property);
      expect(Object.keys(again)).toEqual(expect.arrayContaining(['state', 'as_of', 'effective_date']));
    }
    expect(made).toBeGreaterThan(100);
  });
});

/** Decides homes by one file, in force on any date. */
function createHomeEvaluator(file: unknown): (home: (typeof saved)[number]) => Promise<string> {
  const alone = createCatalog([{ file: { ...(file as File), effective: { from: '1900-01-01', until: null } } }]);
  return async (home) => {
    const { verdicts } = await alone.decide(propertyOf(home));
    const told = ({ policyType, status, reasons, requirements, missingFields }: Verdict) =>
      JSON.stringify([
        policyType,
        status,
        [...new Set([...reasons, ...requirements].map(({ code }) => code))].sort(),
        [...missingFields].sort(),
      ]);
    return verdicts.map(told).sort().join();
  };
}
