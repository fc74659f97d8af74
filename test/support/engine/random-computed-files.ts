/** Random rules that compute numbers: from lists, arithmetic, areas, events and times, with tiers and moratoria; and homes for them. */
import { createProperty, homeVocabulary, type Property, type PropertyInput } from '@leeward/engine';
import type { HazardEvent } from '@leeward/engine/events';
import { pick, wholeNumber } from '../random.ts';
import { ruleFile, ruleSetFile, test } from './rule-set-file.ts';

/** The effective date and the time of the request of most homes. */
export const EFFECTIVE = '2026-11-20';
export const asOf = new Date('2026-11-20T12:00:00Z');

type Random = () => number;
type Json = Record<string, unknown>;

const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const kinds = ['water', 'wind', 'hail', 'theft', 'fire'];

function itemTest(random: Random): Json {
  return pick(random, [
    () => test('kind', pick(random, ['equal', 'notEqual']), pick(random, kinds)),
    () => test('kind', 'in', kinds.slice(0, wholeNumber(random, 1, 4))),
    () => test('age_years', pick(random, orders), wholeNumber(random, 1, 6)),
    () => test('amount', pick(random, orders), 5_000 * wholeNumber(random, 0, 4)),
  ])() as Json;
}

function aggregate(random: Random): Json {
  const list = random() < 0.85 ? 'losses' : 'updates';
  if (list === 'updates') return { count: 'updates' };
  const tests = Array.from({ length: wholeNumber(random, 0, 2) }, () => itemTest(random));
  const where = tests.length === 0 ? {} : { where: { [pick(random, ['all', 'any'])]: tests } };
  if (random() < 0.6) return { count: 'losses', ...where };
  return { [pick(random, ['sum', 'max', 'min'])]: 'losses', of: pick(random, ['amount', 'age_years']), ...where };
}

function arithmetic(random: Random): Json {
  return pick(random, [
    () => ({
      ...test('dwelling_a', pick(random, orders), 0),
      value: { multiply: [10 * wholeNumber(random, 8, 30), { fact: 'square_feet' }] },
    }),
    () => ({
      add: [{ fact: 'dwelling_a' }, { fact: 'coverage_c' }],
      operator: pick(random, orders),
      value: 100_000 * wholeNumber(random, 2, 9),
    }),
    () => ({
      add: [{ fact: 'total_claims' }, { count: 'losses' }],
      operator: pick(random, orders),
      value: wholeNumber(random, 1, 5),
    }),
    () => ({
      ...test('coverage_c', pick(random, orders), 0),
      value: { percent_of: [wholeNumber(random, 20, 80), { fact: 'dwelling_a' }] },
    }),
  ])() as Json;
}

export function computedTest(random: Random): Json {
  if (random() < 0.3) return arithmetic(random);
  const number = aggregate(random);
  const isAmount = number['of'] === 'amount';
  return {
    ...number,
    operator: pick(random, [...orders, 'equal', 'notEqual']),
    value: isAmount ? 5_000 * wholeNumber(random, 0, 6) : wholeNumber(random, 0, 4),
  };
}

const areas = {
  south: {
    type: 'Polygon',
    coordinates: [
      [
        [-96, 28.5],
        [-95, 28.5],
        [-95, 29.5],
        [-96, 29.5],
        [-96, 28.5],
      ],
    ],
  },
  waterway: {
    type: 'LineString',
    coordinates: [
      [-95.5, 28],
      [-95.5, 30],
    ],
    within_miles: 2,
  },
};

/** Tests of areas, of events and of the time of the request. */
export function placeTest(random: Random): Json {
  return pick(random, [
    () =>
      test('location', pick(random, ['within', 'not:within', 'entirelyWithin']), pick(random, ['south', 'waterway'])),
    () => ({
      miles_to: pick(random, ['south', 'waterway']),
      operator: pick(random, orders),
      value: wholeNumber(random, 1, 30),
    }),
    () => ({
      count: 'events',
      where: {
        all: [
          test('kind', 'in', ['hurricane', 'wildfire']),
          test(pick(random, ['miles_from_home', 'miles_from_county']), 'lessThan', pick(random, [20, 60, 150])),
          test('hours_since_start', 'lessThan', pick(random, [12, 36, 96])),
        ].slice(0, wholeNumber(random, 1, 3)),
      },
      operator: 'greaterThanInclusive',
      value: wholeNumber(random, 1, 2),
    }),
    () => test('days_until_effective', pick(random, orders), wholeNumber(random, 0, 40)),
  ])() as Json;
}

export const events: readonly HazardEvent[] = [
  { id: 'a', kind: 'hurricane', position: { latitude: 28.9, longitude: -95.3 }, from: '2026-11-18T12:00:00Z' },
  { id: 'b', kind: 'wildfire', position: { latitude: 30.5, longitude: -95.1 }, from: '2026-11-20T06:00:00Z' },
  {
    id: 'c',
    kind: 'hurricane',
    position: { latitude: 25, longitude: -80 },
    from: '2026-11-19T12:00:00Z',
    until: '2026-11-20T00:00:00Z',
  },
];

function plainTest(random: Random): Json {
  return pick(random, [
    () => test('total_claims', pick(random, orders), wholeNumber(random, 0, 4)),
    () => test('roof_age', pick(random, orders), 5 * wholeNumber(random, 1, 5)),
    () => test('dwelling_a', pick(random, orders), 100_000 * wholeNumber(random, 2, 8)),
    () => test('county', pick(random, ['equal', 'notEqual']), pick(random, ['harris, tx', 'chambers, tx'])),
  ])() as Json;
}

export type RandomTest = (random: Random) => Json;

function randomRules(random: Random, name: string, max: number, ownTest: RandomTest): Json[] {
  return Array.from({ length: wholeNumber(random, 1, max) }, (_, index) => {
    const tests = Array.from({ length: wholeNumber(random, 1, 3) }, () =>
      random() < 0.6 ? ownTest(random) : plainTest(random),
    );
    const outcome = pick(random, ['decline', 'decline', 'refer', 'offer', 'require']);
    return ruleFile({
      id: `${name}${index}`,
      code: `x_${name}${index}`,
      message: '.',
      outcome,
      ...(outcome === 'offer'
        ? { terms: { wind_hail_deductible_percent: { [pick(random, ['min', 'max'])]: wholeNumber(random, 1, 6) } } }
        : {}),
      when: { [pick(random, ['all', 'all', 'any'])]: tests },
    });
  });
}

/** A carrier with one program or with tiers. The best tier may be limited to some counties. */
export function randomFile(random: Random, key: string, ownTest: RandomTest = computedTest): Json {
  const carrier = { key, name: key };
  const rules = randomRules(random, 'r', 6, ownTest);
  const storm = { id: 'storm', message: 'Storm.', when: { all: [placeTest(random)] }, until: '2026-11-21T00:00:00Z' };
  const more = ownTest === placeTest ? { areas, ...(random() < 0.3 ? { moratoria: [storm] } : {}) } : {};
  if (random() < 0.7) return ruleSetFile({ carrier, rules, ...more }) as Json;
  const tier = (rank: number) => ({
    id: `tier-${rank}`,
    tier: { of: 'homes', rank },
    policy_types: ['ho3'],
    states: ['tx'],
    ...(rank === 1 && random() < 0.4 ? { counties: { tx: { exclude: ['48071'] } } } : {}),
    rules: randomRules(random, `t${rank}`, 3, ownTest),
  });
  const programs = Array.from({ length: wholeNumber(random, 2, 3) }, (_, index) => tier(index + 1));
  return ruleSetFile({ carrier, rules: rules.slice(0, 2), programs, ...more }) as Json;
}

function randomItem(random: Random): Json {
  const date = pick(random, ['2026-11-20', '2025-11-21', '2023-11-20', '2022-06-01', '2021-11-19', '2019-05-05']);
  const item = {
    kind: pick(random, kinds),
    date: pick(random, [date, date, date.slice(0, 7), date.slice(0, 4)]),
    amount: 2_500 * wholeNumber(random, 0, 10),
  };
  return Object.fromEntries(Object.entries(item).filter(() => random() > 0.15));
}

export function randomHome(random: Random, more: Partial<PropertyInput> = {}): Property {
  const values = {
    total_claims: wholeNumber(random, 0, 5),
    roof_year: 2026 - wholeNumber(random, 0, 30),
    year_built: 1990,
    dwelling_a: 50_000 * wholeNumber(random, 3, 16),
    square_feet: 250 * wholeNumber(random, 4, 16),
    coverage_c: 25_000 * wholeNumber(random, 1, 14),
    losses: Array.from({ length: wholeNumber(random, 0, 3) }, () => randomItem(random)),
    updates: Array.from({ length: wholeNumber(random, 0, 2) }, () => ({})),
  };
  const share = pick(random, [0, 0.2, 0.5]);
  return createProperty({
    vocabulary: homeVocabulary,
    policyType: 'ho3',
    state: 'tx',
    counties: random() < 0.3 ? undefined : [pick(random, ['48201', '48071', '48039'])],
    values: Object.fromEntries(Object.entries(values).filter(() => random() >= share)) as never,
    asOfMs: asOf.getTime(),
    effectiveDate: EFFECTIVE,
    ...more,
  });
}

/** A home whose position, decision time and effective date vary. */
export function randomPlace(random: Random, known: PropertyInput['events']): Property {
  const location = {
    latitude: 28.4 + random() * 1.4,
    longitude: -96.1 + random() * 1.2,
    radiusMeters: pick(random, [0, 500, 20_000]),
  };
  return randomHome(random, {
    ...(random() < 0.7 ? { location } : {}),
    events: known,
    asOfMs: asOf.getTime() + 3_600_000 * wholeNumber(random, 0, 40),
    effectiveDate: pick(random, [EFFECTIVE, '2026-11-25', '2026-12-20']),
  });
}
