import { describe, expect, it } from 'vitest';
import { createRandom, pick, wholeNumber } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { parseRequest } from '../request/parse-request.ts';
import { createProperty } from '../request/property.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { integerField } from '../vocabulary/number-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { SettledStatus, Verdict } from './verdict.ts';

const seed = Number(process.env['LEEWARD_SEED'] ?? 20261120);
const wanted = testVolume(500);
const HOMES_PER_RULE_SET = 10;
/** json-rules-engine is slower: sample its pairs. */
const REFERENCE_SHARE = 5;

const never = { kind: 'never' } as const;
const any = { kind: 'any' } as const;
const description = 'For a test.';

/** Another line of business, small enough to try every completion. */
const sheds: Vocabulary = {
  line: 'shed',
  policyTypes: ['basic', 'plus'],
  policyTypeSpellings: {},
  fields: [
    integerField('shelves', { label: 'shelves', min: 0, max: 3, change: any, description }),
    integerField('doors', { label: 'doors', min: 1, max: 3, change: never, description }),
    choiceField('wall', { label: 'wall', words: ['wood', 'tin', 'brick'], change: never, description }),
    choiceField('lock', { label: 'lock', words: ['none', 'latch'], change: any, description }),
    integerField('built', { label: 'built in year', min: 0, max: 4, change: never, description }),
    integerField('painted', { label: 'painted in year', min: 0, max: 4, change: any, description }),
  ],
  derivedFacts: [
    {
      name: 'paint_age',
      field: 'painted',
      label: 'age of the paint',
      unit: 'years',
      view: (year) => Math.max(0, 3 - year),
      cuts: (constant) => [3 - constant, 3],
      range: { min: 0, max: 3, integer: true },
    },
  ],
  relations: [{ lower: 'built', higher: 'painted' }],
  givenTogether: [['wall', 'lock']],
  codes: ['rot'],
};

const domains: Readonly<Record<string, readonly (number | string)[]>> = {
  shelves: [0, 1, 2, 3],
  doors: [1, 2, 3],
  wall: ['wood', 'tin', 'brick'],
  lock: ['none', 'latch'],
  built: [0, 1, 2, 3, 4],
  painted: [0, 1, 2, 3, 4],
};
const fields = Object.keys(domains);
const numeric = ['shelves', 'doors', 'built', 'painted', 'paint_age'];
const counties = { kent: '10001', 'new castle': '10003', sussex: '10005' } as const;
type County = keyof typeof counties;
const countyNames = Object.keys(counties) as County[];

type Json = Record<string, unknown>;
type Shed = Readonly<Record<string, number | string>>;
type Random = () => number;

function randomCondition(random: Random, depth: number, shared: readonly string[]): Json {
  const roll = random();
  if (roll < 0.05 && shared.length > 0) return { condition: pick(random, shared) };
  if (depth === 0 || roll < 0.35) return randomTest(random);
  if (roll < 0.5) return { not: randomCondition(random, depth - 1, shared) };
  const list = Array.from({ length: wholeNumber(random, 0, 3) }, () => randomCondition(random, depth - 1, shared));
  return roll < 0.75 ? { all: list } : { any: list };
}

function randomTest(random: Random): Json {
  const not = random() < 0.15 ? 'not:' : '';
  const roll = random();
  if (roll < 0.08) {
    const written = (county: County) => (random() < 0.5 ? `${county}, de` : counties[county]);
    return random() < 0.5
      ? { fact: 'county', operator: `${not}notEqual`, value: written(pick(random, countyNames)) }
      : { fact: 'county', operator: `${not}in`, value: countyNames.filter(() => random() < 0.5).map(written) };
  }
  if (roll < 0.12) return { fact: 'policy_type', operator: `${not}equal`, value: pick(random, sheds.policyTypes) };
  if (roll < 0.2) {
    const [fact, other] = [pick(random, numeric), pick(random, numeric)];
    return {
      fact,
      operator: `${not}${pick(random, ['equal', 'lessThan', 'greaterThanInclusive'])}`,
      value: { fact: other },
    };
  }
  const fact = pick(random, [...fields, 'paint_age']);
  const constants = domains[fact] ?? [0, 1, 2, 3];
  if (random() < 0.25) {
    return { fact, operator: `${not}${pick(random, ['in', 'notIn'])}`, value: constants.filter(() => random() < 0.5) };
  }
  const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
  const names = numeric.includes(fact) ? [...orders, 'equal', 'notEqual'] : ['equal', 'notEqual'];
  return { fact, operator: `${not}${pick(random, names)}`, value: pick(random, constants) };
}

function randomRoot(random: Random, shared: readonly string[]): Json {
  const condition = randomCondition(random, 2, shared);
  return 'fact' in condition ? { all: [condition] } : condition;
}

function randomRules(random: Random, name: string, most: number): Json[] {
  return Array.from({ length: wholeNumber(random, 0, most) }, (_, index) => ({
    id: `${name}-${index}`,
    outcome: pick(random, ['decline', 'decline', 'refer', 'require', 'inform']),
    code: 'rot',
    message: `{shelves} shelves, wall of {wall}.`,
    [random() < 0.5 ? 'when' : 'unless']: randomRoot(random, ['poor', 'odd']),
  }));
}

function randomFile(random: Random): Json {
  const first = countyNames.filter(() => random() < 0.6);
  const second = countyNames.filter((county) => !first.includes(county) && random() < 0.8);
  const narrowed = (list: readonly string[]) => ({ de: { include: list } });
  const programs: Json[] = [
    {
      id: 'one',
      policy_types: ['basic'],
      states: ['de'],
      ...(second.length === 0 && random() < 0.5 ? {} : { counties: narrowed(first) }),
      rules: randomRules(random, 'one', 3),
    },
    {
      id: 'two',
      policy_types: ['basic', 'plus'],
      states: ['de'],
      counties: narrowed(second),
      rules: randomRules(random, 'two', 3),
    },
  ];
  return {
    format: 1,
    carrier: { key: 'shed_mutual', name: 'Shed Mutual' },
    line: 'shed',
    version: '1',
    effective: { from: '2026-01-01' },
    conditions: { poor: randomRoot(random, []), odd: { not: { condition: 'poor' } } },
    rules: randomRules(random, 'top', 3),
    programs,
    ...(random() < 0.15
      ? {
          moratoria: [
            {
              id: 'storm',
              from: '2026-01-01T00:00:00Z',
              until: '2027-01-01T00:00:00Z',
              states: ['de'],
              counties: narrowed(countyNames.filter(() => random() < 0.5)),
              message: 'Storm.',
            },
          ],
        }
      : {}),
  };
}

const rulesOf = (owner: Json) => (owner['rules'] ?? []) as Json[];
const programsOf = (file: Json) => file['programs'] as Json[];
/** Bit n of a mask stands for rule n. */
const allRules = (file: Json) => [...rulesOf(file), ...programsOf(file).flatMap(rulesOf)];

function isInside(place: Json, county: County): boolean {
  const chosen = (place['counties'] as { de: { include: string[] } } | undefined)?.de.include;
  return chosen?.includes(county) ?? true;
}

interface PlainAnswer {
  readonly status: SettledStatus;
  readonly holding: number;
}

/** A direct reading of the format. */
function readPlainly(file: Json, policyType: string, county: County): (shed: Shed) => PlainAnswer {
  const program = programsOf(file).find(
    (each) => (each['policy_types'] as string[]).includes(policyType) && isInside(each, county),
  );
  if (!program) return () => ({ status: 'ineligible', holding: 0 });
  const numbered = allRules(file);
  const shared = file['conditions'] as Record<string, Json>;
  const rules = [...rulesOf(file), ...rulesOf(program)].map((rule) => ({
    outcome: rule['outcome'],
    bit: 1 << numbered.indexOf(rule),
    holds: 'when' in rule ? reading(rule['when'] as Json, shared) : not(reading(rule['unless'] as Json, shared)),
  }));
  const stopped = ((file['moratoria'] ?? []) as Json[]).some((each) => isInside(each, county));
  return (shed) => {
    const facts: Json = { ...shed, paint_age: Math.max(0, 3 - (shed['painted'] as number)) };
    facts['county'] = counties[county];
    facts['policy_type'] = policyType;
    let holding = 0;
    let worst = stopped ? 2 : 0;
    for (const { holds, bit, outcome } of rules) {
      if (!holds(facts)) continue;
      holding |= bit;
      if (outcome === 'decline') worst = 2;
      else if (outcome === 'refer') worst = Math.max(worst, 1);
    }
    return { status: (['eligible', 'referral', 'ineligible'] as const)[worst]!, holding };
  };
}

type Reading = (facts: Json) => boolean;

const not =
  (of: Reading): Reading =>
  (facts) =>
    !of(facts);

function reading(condition: Json, shared: Readonly<Record<string, Json>>): Reading {
  if ('fact' in condition) return comparing(condition);
  if ('condition' in condition) return reading(shared[condition['condition'] as string]!, shared);
  if ('not' in condition) return not(reading(condition['not'] as Json, shared));
  const of = ((condition['all'] ?? condition['any']) as Json[]).map((each) => reading(each, shared));
  if ('all' in condition) return (facts) => of.every((holds) => holds(facts));
  return (facts) => of.length === 0 || of.some((holds) => holds(facts));
}

const comparisons: Readonly<Record<string, (left: never, right: never) => boolean>> = {
  equal: (left, right) => left === right,
  notEqual: (left, right) => left !== right,
  in: (left, right: unknown[]) => right.includes(left),
  notIn: (left, right: unknown[]) => !right.includes(left),
  lessThan: (left, right) => left < right,
  lessThanInclusive: (left, right) => left <= right,
  greaterThan: (left, right) => left > right,
  greaterThanInclusive: (left, right) => left >= right,
};

function comparing(test: Json): Reading {
  const [name, ...nots] = (test['operator'] as string).split(':').reverse();
  const fact = test['fact'] as string;
  const fipsOf = (value: unknown): unknown => counties[String(value).replace(', de', '') as County] ?? value;
  const given = test['value'] as { fact?: string } | unknown[] | number | string;
  const other = typeof given === 'object' && !Array.isArray(given) ? given.fact! : undefined;
  const constant = fact !== 'county' ? given : Array.isArray(given) ? given.map(fipsOf) : fipsOf(given);
  const compare = comparisons[name!] as (left: unknown, right: unknown) => boolean;
  const wanted = nots.length % 2 === 0;
  return (facts) => compare(facts[fact], other === undefined ? constant : facts[other]) === wanted;
}

interface Asked {
  readonly policyType: string;
  readonly county: County | undefined;
  readonly given: Shed;
  /** Ends included. */
  readonly within: Readonly<Record<string, readonly [number, number]>>;
}

function randomAsked(random: Random): Asked {
  const given: Record<string, number | string> = {};
  const share = random() < 0.02 ? 1 : pick(random, [0, 0.2, 0.3, 0.5]);
  const gone = new Set(fields.filter(() => random() < share));
  // Wall and lock are given together.
  if (gone.has('wall') !== gone.has('lock')) gone.add('wall').add('lock');
  for (const field of fields) if (!gone.has(field)) given[field] = pick(random, domains[field]!);
  const within: Record<string, readonly [number, number]> = {};
  if (random() < 0.3) {
    for (const field of ['shelves', 'doors', 'built', 'painted']) {
      if (random() < 0.5) continue;
      const ends = [pick(random, domains[field]!), pick(random, domains[field]!)] as number[];
      within[field] = [Math.min(...ends), Math.max(...ends)];
      delete given[field];
    }
  }
  return {
    within,
    policyType: pick(random, sheds.policyTypes),
    county: random() < 0.5 ? pick(random, countyNames) : undefined,
    given,
  };
}

/** Contradicting values are used as given. */
function completions({ given, within }: Asked): Shed[] {
  let sheds: Record<string, number | string>[] = [{ ...given }];
  for (const field of fields) {
    if (field in given) continue;
    const [min, max] = within[field] ?? [];
    const values = domains[field]!.filter(
      (value) => min === undefined || ((value as number) >= min && (value as number) <= max!),
    );
    sheds = sheds.flatMap((shed) => values.map((value) => ({ ...shed, [field]: value })));
  }
  const fitting = sheds.filter((shed) => shed['built']! <= shed['painted']!);
  return fitting.length > 0 ? fitting : sheds;
}

function propertyOf(asked: Asked) {
  const body = { ...asked.given, state: 'de', county: asked.county ?? null, policy_type: asked.policyType };
  const parsed = parseRequest(body, { now: new Date('2026-11-20T12:00:00Z'), vocabulary: sheds });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const { property } = parsed.request;
  const bounds = Object.entries(asked.within).map(([field, [min, max]]) => [field, { kind: 'between', min, max }]);
  return createProperty({ ...property, values: { ...asked.given, ...Object.fromEntries(bounds) } });
}

/** The fields by which two completions differ, if they have different statuses and no other differences. */
function essentialFields(
  asked: Asked,
  answers: readonly { readonly shed: Shed; readonly county: County; readonly status: SettledStatus }[],
) {
  const essential = new Set<string>();
  for (const name of [...fields.filter((field) => !(field in asked.given)), ...(asked.county ? [] : ['county'])]) {
    const byRest = new Map<string, SettledStatus>();
    for (const { shed, county, status } of answers) {
      const rest =
        fields.map((field) => (field === name ? '' : shed[field])).join() + (name === 'county' ? '' : county);
      if ((byRest.get(rest) ?? status) !== status) essential.add(name);
      byRest.set(rest, status);
    }
  }
  // Wall and lock must be given together.
  if (essential.has('wall') || essential.has('lock')) essential.add('wall').add('lock');
  return essential;
}

const ids = (list: readonly { readonly ruleId: string }[]) => list.map((each) => each.ruleId);

/** Every completion agrees with the certain parts, and every status that occurs is possible. */
function expectSound(file: Json, asked: Asked, verdict: Verdict, isExact: boolean): number {
  const answers: { shed: Shed; county: County; status: SettledStatus }[] = [];
  const statuses = new Set<SettledStatus>();
  let some = 0;
  let every = -1;
  let count = 0;
  for (const county of asked.county ? [asked.county] : countyNames) {
    const read = readPlainly(file, asked.policyType, county);
    for (const shed of completions(asked)) {
      const { status, holding } = read(shed);
      answers.push({ shed, county, status });
      statuses.add(status);
      some |= holding;
      every &= holding;
      count++;
    }
  }
  const fail = (what: string) =>
    expect.fail(`${what}\n${JSON.stringify({ file, asked, statuses: [...statuses], verdict }, null, 1)}`);
  const numbered = allRules(file).map((rule) => rule['id']);
  const isIn = (id: string, holding: number) => (holding & (1 << numbered.indexOf(id))) !== 0;
  for (const status of statuses) if (!verdict.possibleStatuses.includes(status)) fail(`It can be ${status}.`);
  if (verdict.status === 'needs_information') {
    if (verdict.possibleStatuses.length < 2) fail('It says that it hangs on something, and knows the status.');
    if (verdict.missingFields.length === 0) fail('It hangs on something and does not say on what.');
    for (const id of ids(verdict.reasons)) if (!isIn(id, every)) fail(`${id} may not hold.`);
  } else if (statuses.size !== 1 || !statuses.has(verdict.status)) fail('A yes or no that a completion contradicts.');
  for (const name of verdict.missingFields) if (name in asked.given) fail(`${name} is given.`);
  for (const id of ids([...verdict.requirements, ...verdict.notes])) if (!isIn(id, every)) fail(`${id} may not hold.`);
  const required = new Set(ids([...verdict.requirements, ...verdict.possibleRequirements]));
  for (const rule of allRules(file)) {
    const id = rule['id'] as string;
    if (rule['outcome'] === 'require' && isIn(id, some) && !required.has(id))
      fail(`${id} is required by some completion.`);
  }
  if (isExact && !verdict.conservative) {
    if (statuses.size !== verdict.possibleStatuses.length) fail('Not every status that it can be is.');
    for (const rule of allRules(file)) {
      const id = rule['id'] as string;
      const told =
        rule['outcome'] === 'require' ? verdict.requirements : rule['outcome'] === 'inform' ? verdict.notes : [];
      if (rule['outcome'] !== 'require' && rule['outcome'] !== 'inform') continue;
      if (isIn(id, every) && !ids(told).includes(id)) fail(`${id} holds whatever is unknown.`);
      if (!isIn(id, some) && ids(verdict.possibleRequirements).includes(id))
        fail(`${id} is required by no completion.`);
    }
    if (statuses.size > 1) {
      const essential = [...essentialFields(asked, answers)].filter((name) => !(name in asked.given));
      if (essential.sort().join() !== [...verdict.missingFields].sort().join()) fail(`It hangs on ${essential}.`);
    }
  }
  return count;
}

describe('a second line of business', () => {
  it(`matches every completion: no certain answer is contradicted by one (seed ${seed}, ${wanted} pairs)`, async () => {
    const random = createRandom(seed);
    const seen: Record<string, number> = {
      eligible: 0,
      referral: 0,
      needs_information: 0,
      ineligible: 0,
    };
    let completed = 0;
    let conservative = 0;
    for (let pair = 0; pair < wanted; ) {
      const file = randomFile(random);
      const compiled = createCatalog([{ file }], { vocabulary: sheds });
      const reference = createCatalog([{ file }], { vocabulary: sheds, evaluator: 'reference' });
      for (let each = 0; each < HOMES_PER_RULE_SET && pair < wanted; each++, pair++) {
        const asked = randomAsked(random);
        const property = propertyOf(asked);
        const verdict = (await compiled.decide(property)).verdicts[0]!;
        completed += expectSound(file, asked, verdict, true);
        if (verdict.conservative) conservative++;
        seen[verdict.status]!++;
        if (pair % REFERENCE_SHARE === 0)
          expectSound(file, asked, (await reference.decide(property)).verdicts[0]!, false);
      }
    }
    if (process.env['LEEWARD_TEST_VOLUME']) console.log(seen, { completed, conservative });
    expect(conservative).toBeLessThan(wanted / 5);
    expect(completed).toBeGreaterThan(wanted * 10);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(wanted / 50);
  });

  it('is a vocabulary: its requests, its spellings, its faults', () => {
    const parse = (body: unknown) => parseRequest(body, { now: new Date('2026-11-20T12:00:00Z'), vocabulary: sheds });
    expect(
      parse({
        state: 'Delaware',
        county: 'Kent County',
        policy_type: ' BASIC ',
        wall: 'Wood',
        lock: 'LATCH',
        shelves: '2',
      }),
    ).toMatchObject({
      ok: true,
      request: { home: { state: 'de', county: 'kent', policy_type: 'basic', wall: 'wood', lock: 'latch', shelves: 2 } },
    });
    const refused = parse({ state: 'de', wall: 'wood', shelves: 4, roof_age: 3, policy_type: 'ho3' });
    expect(refused).toMatchObject({ ok: false });
    if (refused.ok) return;
    expect(refused.faults.map((fault) => `${fault.path} ${fault.code}`).sort()).toEqual([
      '/lock required_with',
      '/policy_type unknown_policy_type',
      '/roof_age unknown_field',
      '/shelves out_of_range',
    ]);
  });
});
