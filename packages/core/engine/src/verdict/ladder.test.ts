import { describe, expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { createProperty, type Property } from '../request/property.ts';
import { checkRuleSet } from '../rule-set/check.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { createVocabulary } from '../vocabulary/fact-index.ts';
import { integerField } from '../vocabulary/number-field.ts';
import type { Verdict } from './verdict.ts';

const any = { kind: 'any' } as const;
const description = 'For a test.';

/** Small enough to try every completion of a shed. */
const sheds = createVocabulary({
  line: 'shed',
  policyTypes: ['basic'],
  policyTypeSpellings: {},
  fields: [
    integerField('shelves', { label: 'shelves', min: 0, max: 3, change: any, description }),
    choiceField('wall', { label: 'wall', words: ['wood', 'tin', 'brick'], change: any, description }),
    integerField('built', { label: 'built', min: 0, max: 3, change: any, description }),
    integerField('painted', { label: 'painted', min: 0, max: 3, change: any, description }),
  ],
  derivedFacts: [],
  relations: [{ lower: 'built', higher: 'painted' }],
  givenTogether: [],
  codes: ['rot'],
  terms: [{ name: 'deductible', label: 'deductible', kind: 'number', unit: 'percent', min: 0, max: 100 }],
});

const domains: Readonly<Record<string, readonly (number | string)[]>> = {
  shelves: [0, 1, 2, 3],
  wall: ['wood', 'tin', 'brick'],
  built: [0, 1, 2, 3],
  painted: [0, 1, 2, 3],
};
const fields = Object.keys(domains);
const counties: Readonly<Record<string, string>> = { 10001: 'kent', 10003: 'new castle', 10005: 'sussex' };

type Json = Record<string, unknown>;
type Shed = Readonly<Record<string, number | string>>;
type Random = () => number;

function some<T>(random: Random, list: readonly T[]): T[] {
  const chosen = list.filter(() => random() < 0.6);
  return chosen.length > 0 ? chosen : [pick(random, list)];
}

function randomTest(random: Random): Json {
  if (random() < 0.3) return { fact: 'wall', operator: 'in', value: some(random, domains['wall']!) };
  const operator = pick(random, ['lessThan', 'greaterThanInclusive', 'equal']);
  return { fact: pick(random, ['shelves', 'built', 'painted']), operator, value: wholeNumber(random, 0, 3) };
}

function randomRule(random: Random, id: string): Json {
  const outcome = pick(random, ['decline', 'decline', 'decline', 'refer', 'refer', 'require', 'inform', 'offer']);
  const tests = Array.from({ length: wholeNumber(random, 1, 3) }, () => randomTest(random));
  return {
    id,
    outcome,
    code: 'rot',
    message: `Rule ${id}.`,
    when: random() < 0.6 ? { all: tests } : { any: tests },
    ...(outcome === 'offer' ? { terms: { deductible: { min: wholeNumber(random, 1, 4) } } } : {}),
  };
}

function randomRules(random: Random, id: string, max: number): Json[] {
  return Array.from({ length: wholeNumber(random, 0, max) }, (_, index) => randomRule(random, `${id}-${index}`));
}

/** A ladder in some counties; elsewhere another ladder, a program without tier, or nothing. */
function randomFile(random: Random): Json {
  const names = Object.values(counties);
  const inLadder = some(random, names);
  const elsewhere = names.filter((name) => !inLadder.includes(name));
  const program = (id: string, include: readonly string[], tier?: Json): Json => ({
    id,
    policy_types: ['basic'],
    states: ['de'],
    counties: { de: { include } },
    ...(tier ? { tier } : {}),
    rules: randomRules(random, id, 4),
  });
  const ladder = (of: string, where: readonly string[]) =>
    Array.from({ length: wholeNumber(random, 1, 3) }, (_, index) =>
      program(`${of}-${index}`, random() < 0.7 ? where : some(random, where), { of, rank: 2 * index + 1 }),
    );
  const other = elsewhere.length === 0 ? 'nothing' : pick(random, ['nothing', 'program', 'ladder']);
  const programs = [
    ...ladder('home', inLadder),
    ...(other === 'program' ? [program('plain', elsewhere)] : other === 'ladder' ? ladder('other', elsewhere) : []),
  ];
  return {
    format: 1,
    carrier: { key: 'sheds', name: 'Sheds' },
    line: 'shed',
    version: '1',
    effective: { from: '2026-01-01' },
    rules: randomRules(random, 'top', 3),
    programs: random() < 0.5 ? programs : programs.toReversed(),
    ...(random() < 0.15
      ? {
          moratoria: [
            {
              id: 'stop',
              from: '1900-01-01T00:00:00Z',
              message: 'Stop.',
              states: ['de'],
              counties: { de: { include: some(random, names) } },
            },
          ],
        }
      : {}),
  };
}

function holds(condition: Json, shed: Shed): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holds(each, shed));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holds(each, shed));
  const { fact, operator, value } = condition as { fact: string; operator: string; value: unknown };
  const own = shed[fact]!;
  if (operator === 'in') return (value as unknown[]).includes(own);
  if (operator === 'lessThan') return (own as number) < (value as number);
  return operator === 'equal' ? own === value : (own as number) >= (value as number);
}

const order = ['eligible', 'referral', 'ineligible'];

interface Completion {
  readonly values: Shed;
  readonly status: string;
  /** The tier that takes or refers the shed. */
  readonly tier: string | undefined;
  /** The tier whose rules count. */
  readonly counting: string | undefined;
  readonly held: readonly Json[];
  /** Status by tier, for those that apply. */
  readonly statuses: ReadonlyMap<string, string>;
}

function includes(selection: unknown, county: string): boolean {
  return (selection as { de: { include: string[] } }).de.include.includes(counties[county]!);
}

/** One completion, read from the file as the documentation defines it. */
function complete(file: Json, values: Shed): Completion {
  const county = values['county'] as string;
  const top = file['rules'] as Json[];
  const programs = (file['programs'] as Json[]).filter((each) => includes(each['counties'], county));
  const stops = ((file['moratoria'] ?? []) as Json[]).filter((each) => includes(each['counties'], county));
  const heldBy = (program: Json) =>
    [...top, ...(program['rules'] as Json[])].filter((rule) => holds(rule['when'] as Json, values));
  const statusOf = (held: readonly Json[]) => {
    if (stops.length > 0 || held.some(({ outcome }) => outcome === 'decline')) return 'ineligible';
    return held.some(({ outcome }) => outcome === 'refer') ? 'referral' : 'eligible';
  };
  const rankOf = (program: Json) => (program['tier'] as { rank: number } | undefined)?.rank ?? 0;
  const ranked = programs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const each = ranked.map((program) => ({ program, held: heldBy(program), status: statusOf(heldBy(program)) }));
  const best = order.find((status) => each.some((one) => one.status === status)) ?? 'ineligible';
  const chosen = best === 'ineligible' ? each.at(-1) : each.find(({ status }) => status === best);
  const tierId = (program: Json | undefined) => (program?.['tier'] ? (program['id'] as string) : undefined);
  return {
    values,
    status: best,
    tier: best === 'ineligible' ? undefined : tierId(chosen?.program),
    counting: chosen?.program['id'] as string | undefined,
    held: [
      ...(chosen ? [] : [{ id: (file['programs'] as Json[])[0]!['id'], outcome: 'decline' }]),
      ...stops.map(({ id }) => ({ id, outcome: 'decline' })),
      ...(chosen?.held ?? []),
    ],
    statuses: new Map(
      each.flatMap(({ program, status }) => (program['tier'] ? [[program['id'] as string, status]] : [])),
    ),
  };
}

interface Completions {
  /** Those that agree with the relation. */
  readonly related: readonly Completion[];
  /** Those within the bounds that the relation sets to each field. */
  readonly bounded: readonly Completion[];
}

function completions(file: Json, given: Shed, possible: readonly string[]): Completions {
  let all: Shed[] = possible.map((county) => ({ county }));
  for (const field of fields) {
    const values = given[field] === undefined ? domains[field]! : [given[field]];
    all = all.flatMap((shed) => values.map((value) => ({ ...shed, [field]: value })));
  }
  const bounded = all
    .filter(
      ({ built, painted }) => built! <= painted! || (given['built'] === undefined) === (given['painted'] === undefined),
    )
    .map((shed) => complete(file, shed));
  const related = bounded.filter(({ values }) => values['built']! <= values['painted']!);
  return { related: related.length > 0 ? related : bounded, bounded };
}

function statusOfAll(statuses: Iterable<string>): string {
  const distinct = new Set(statuses);
  return distinct.size === 1 ? [...distinct][0]! : 'needs_information';
}

function ids(list: readonly { readonly ruleId: string }[]): string[] {
  return list.map(({ ruleId }) => ruleId).sort();
}

interface Expected {
  readonly [key: string]: unknown;
}

/** The verdict according to all completions. */
function expectedOf(file: Json, all: readonly Completion[]): Expected {
  const rules = [
    ...(file['rules'] as Json[]),
    ...(file['programs'] as Json[]).flatMap((each) => each['rules'] as Json[]),
  ];
  const inAll = (rule: Json) => all.every(({ held }) => held.includes(rule));
  const inSome = (rule: Json) => all.some(({ held }) => held.includes(rule));
  const idsWhere = (test: (rule: Json) => boolean) =>
    rules
      .filter(test)
      .map(({ id }) => id as string)
      .sort();
  const tierOf = new Map(
    (file['programs'] as Json[]).flatMap((each) =>
      each['tier'] ? [[each['id'] as string, each['tier'] as { of: string; rank: number }]] : [],
    ),
  );
  const named = [...new Set(all.map(({ tier }) => tier))];
  const possible = [...tierOf.keys()].filter((id) => named.includes(id));
  const isSettled = named.length === 1 && named[0] !== undefined;
  const applying = [...tierOf.keys()].filter((id) => all.some(({ statuses }) => statuses.has(id)));
  const alone = (some: readonly string[]) =>
    some
      .toSorted((a, b) => tierOf.get(a)!.rank - tierOf.get(b)!.rank)
      .map((id) => `${id} ${statusOfAll(all.map(({ statuses }) => statuses.get(id) ?? 'ineligible'))}`);
  const better = applying.filter(
    (id) =>
      !possible.includes(id) &&
      possible.some((each) => {
        const [own, other] = [tierOf.get(id)!, tierOf.get(each)!];
        return own.of === other.of && own.rank < other.rank;
      }),
  );
  const counting = [...new Set(all.map((each) => each.counting))];
  const deductibles = all.map(({ held }) => {
    const mins = held.flatMap(
      ({ terms }) => (terms as { deductible: { min: number } } | undefined)?.deductible.min ?? [],
    );
    return mins.length > 0 ? Math.max(...mins) : undefined;
  });
  const known = deductibles.filter((min) => min !== undefined);
  return {
    statuses: order.filter((status) => all.some((each) => each.status === status)),
    tier: isSettled ? named[0] : undefined,
    possibleTiers: isSettled ? [] : alone(possible),
    betterTiers: possible.length > 0 ? alone(better) : [],
    otherTiers:
      possible.length > 0 ? [] : alone(applying.filter((id) => !(counting.length === 1 && id === counting[0]))),
    requirements: idsWhere((rule) => rule['outcome'] === 'require' && inAll(rule)),
    possibleRequirements: idsWhere((rule) => rule['outcome'] === 'require' && inSome(rule) && !inAll(rule)),
    notes: idsWhere((rule) => rule['outcome'] === 'inform' && inAll(rule)),
    min: known.length === all.length ? Math.min(...known) : undefined,
    possibleMin: known.length > 0 ? Math.max(...known) : undefined,
  };
}

function foundIn(verdict: Verdict): Expected {
  const alone = (tiers: Verdict['betterTiers'] = []) => tiers.map(({ programId, status }) => `${programId} ${status}`);
  const deductible = verdict.terms?.['deductible'];
  return {
    statuses: verdict.possibleStatuses,
    tier: verdict.tier?.programId,
    possibleTiers: alone(verdict.possibleTiers),
    betterTiers: alone(verdict.betterTiers),
    otherTiers: alone(verdict.otherTiers),
    requirements: ids(verdict.requirements),
    possibleRequirements: ids(verdict.possibleRequirements),
    notes: ids(verdict.notes),
    min: deductible?.min,
    possibleMin: verdict.possibleTerms?.['deductible']?.min ?? deductible?.min,
  };
}

/** The reasons hold in all completions, or one of them does in each, and none is dispensable. */
function expectReasons(verdict: Verdict, all: readonly Completion[]): void {
  const outcome = verdict.status === 'ineligible' ? 'decline' : 'refer';
  const deciding = all.map(({ held }) =>
    held.filter((each) => each['outcome'] === outcome).map(({ id }) => id as string),
  );
  const certain = [...new Set(deciding[0])].filter((id) => deciding.every((some) => some.includes(id))).sort();
  const found = ids(verdict.reasons);
  if (verdict.status === 'eligible') expect(found).toEqual([]);
  else if (certain.length > 0 || verdict.status === 'needs_information') expect([...new Set(found)]).toEqual(certain);
  else {
    const isEnough = (reasons: readonly string[]) => deciding.every((some) => some.some((id) => reasons.includes(id)));
    expect(isEnough(found)).toBe(true);
    for (const id of found) expect(isEnough(found.filter((each) => each !== id))).toBe(false);
  }
}

function missingOf(all: readonly Completion[]): string[] {
  const missing = new Set<string>();
  for (const field of ['county', ...fields]) {
    const byOthers = new Map<string, string>();
    for (const { values, status } of all) {
      const key = Object.entries(values)
        .filter(([name]) => name !== field)
        .join();
      const other = byOthers.get(key);
      if (other !== undefined && other !== status) missing.add(field);
      byOthers.set(key, status);
    }
  }
  return [...missing].sort();
}

/** A verdict that may be inexact never claims what some completion contradicts. */
function expectSound(found: Expected, expected: Expected): void {
  const list = (of: Expected, key: string) => of[key] as string[];
  for (const status of list(expected, 'statuses')) expect(list(found, 'statuses')).toContain(status);
  if (found['tier'] !== undefined) expect(found['tier']).toBe(expected['tier']);
  for (const id of list(found, 'requirements')) expect(list(expected, 'requirements')).toContain(id);
  for (const id of list(expected, 'possibleRequirements')) expect(list(found, 'possibleRequirements')).toContain(id);
  for (const id of list(found, 'notes')) expect(list(expected, 'notes')).toContain(id);
  if (found['min'] !== undefined) expect(found['min'] as number).toBeLessThanOrEqual(expected['min'] as number);
}

function randomShed(random: Random): { readonly shed: Shed; readonly where: readonly string[] } {
  const share = random();
  const shed = Object.fromEntries(
    fields.filter(() => random() < share).map((field) => [field, pick(random, domains[field]!)]),
  );
  const all = Object.keys(counties);
  return { shed, where: random() < 0.6 ? [pick(random, all)] : random() < 0.5 ? all : some(random, all) };
}

function propertyOf(shed: Shed, where: readonly string[]): Property {
  return createProperty({
    vocabulary: sheds,
    state: 'de',
    ...(where.length < 3 ? { counties: where } : {}),
    policyType: 'basic',
    effectiveDate: '2026-06-01',
    asOfMs: 0,
    values: shed,
  });
}

describe('a ladder', () => {
  it('has the status, tier, rules and terms that all completions have', async () => {
    const random = createRandom(Number(process.env['LEEWARD_SEED'] ?? 20261127));
    const seen = { verdicts: 0, marked: 0, named: 0, open: 0, better: 0, others: 0 };
    const count = testVolume(200);
    for (let index = 0; index < count; index++) {
      const file = randomFile(random);
      expect(checkRuleSet(file, { vocabulary: sheds }).faults).toEqual([]);
      const catalog = createCatalog([{ file }], { vocabulary: sheds });
      const reference = createCatalog([{ file }], { vocabulary: sheds, evaluator: 'reference' });
      for (let home = 0; home < 10; home++) {
        const { shed, where } = randomShed(random);
        const property = propertyOf(shed, where);
        const { related: all, bounded } = completions(file, shed, where);
        const expected = expectedOf(file, all);
        const [verdict] = (await catalog.decide(property)).verdicts as [Verdict];
        const at = JSON.stringify({ file, shed, where });
        seen.verdicts++;
        expect(catalog.decideSync(property).verdicts, at).toEqual([verdict]);
        if (verdict.conservative) {
          seen.marked++;
          expectSound(foundIn(verdict), expected);
        } else {
          expect(foundIn(verdict), at).toEqual(expected);
          expect(verdict.missingFields.toSorted(), at).toEqual(missingOf(all));
          expectReasons(verdict, bounded);
        }
        if (verdict.tier) seen.named++;
        if (verdict.possibleTiers) seen.open++;
        if (verdict.betterTiers) seen.better++;
        if (verdict.otherTiers) seen.others++;
        const [plain] = (await reference.decide(property)).verdicts as [Verdict];
        expectSound(foundIn(plain), expected);
        if (all.length === 1) expect(foundIn(plain), at).toEqual(expected);
      }
    }
    expect(seen.marked).toBeLessThan(seen.verdicts * 0.2);
    for (const some of [seen.named, seen.open, seen.better, seen.others]) expect(some).toBeGreaterThan(count / 2);
  });

  it('is marked as conservative if a rule and the choice of its tier depend on one unknown field', () => {
    const computed = (id: string, outcome: string, test: Json) => ({
      id,
      outcome,
      code: 'rot',
      message: id,
      when: { all: [test] },
    });
    const shelves = { fact: 'shelves' };
    const tier = (rank: number, rules: Json[]) => ({
      id: `t${rank}`,
      policy_types: ['basic'],
      states: ['de'],
      tier: { of: 'home', rank },
      rules,
    });
    // The second tier counts with three shelves, and its rule holds with one at most.
    const full = { multiply: [2, shelves], operator: 'greaterThanInclusive', value: 6 };
    const empty = { add: [1, shelves], operator: 'lessThanInclusive', value: 2 };
    const file = {
      ...randomFile(createRandom(1)),
      rules: [],
      programs: [tier(1, [computed('full', 'refer', full)]), tier(2, [computed('empty', 'require', empty)])],
    };
    const [verdict] = createCatalog([{ file }], { vocabulary: sheds }).decideSync(propertyOf({}, ['10001'])).verdicts;
    expect(verdict).toMatchObject({ status: 'eligible', conservative: true });
  });
});
