import { type Catalog, createCatalog, createProperty, homeVocabulary, type Property } from '@leeward/engine';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';
import { type BenchmarkCarrier, toRuleSets } from './carriers.ts';
import { type Facts, toProperty } from './homes.ts';

type Json = Record<string, unknown>;

const test = (fact: string, operator: string, value: unknown): Json => ({ fact, operator, value });
const recent = (kind: string, years: number): Json => ({
  all: [test('kind', 'equal', kind), test('age_years', 'lessThan', years)],
});

/**
 * Adds rules of real guides to each carrier: lists, arithmetic, terms. `all` adds areas, events, and tiers for a third of the carriers.
 */
export function toGuides(carriers: readonly BenchmarkCarrier[], seed: number, all: boolean): unknown[] {
  const random = createRandom(seed);
  return toRuleSets(carriers).map((file, index) => {
    const { programs, ...rest } = file as { programs: (Json & { id: string; rules: Json[] })[] };
    return {
      ...rest,
      ...(all ? { areas } : {}),
      rules: guideRules(random, all),
      programs:
        all && index % 3 === 0
          ? programs.flatMap((program) => [
              { ...program, tier: { of: program.id, rank: 1 } },
              { ...program, id: `${program.id} standard`, tier: { of: program.id, rank: 2 }, rules: [] },
            ])
          : programs,
    };
  });
}

const square = (west: number, south: number) => [
  [west, south],
  [west + 1, south],
  [west + 1, south + 1],
  [west, south + 1],
  [west, south],
];
const line = {
  type: 'LineString',
  coordinates: [
    [-97, 27.5],
    [-95, 29],
    [-93, 29.7],
  ],
};
const areas = { south: { type: 'Polygon', coordinates: [square(-96, 28.5)] }, coast: { ...line, within_miles: 5 } };

function guideRules(random: () => number, all: boolean): Json[] {
  const conditions: [string, Json][] = [
    [
      'decline',
      { count: 'losses', where: recent('water', wholeNumber(random, 3, 5)), operator: 'greaterThan', value: 1 },
    ],
    ['refer', { sum: 'losses', of: 'amount', operator: 'greaterThan', value: 5_000 * wholeNumber(random, 2, 8) }],
    [
      'decline',
      { count: 'losses', where: test('status', 'equal', 'open'), operator: 'greaterThanInclusive', value: 1 },
    ],
    [
      'refer',
      { ...test('dwelling_a', 'lessThan', { multiply: [10 * wholeNumber(random, 10, 20), { fact: 'square_feet' }] }) },
    ],
    ['decline', test('location', 'within', pick(random, ['south', 'coast']))],
    [
      'decline',
      {
        count: 'events',
        where: { all: [test('kind', 'equal', 'hurricane'), test('miles_from_home', 'lessThan', 100)] },
        operator: 'greaterThanInclusive',
        value: 1,
      },
    ],
    ['offer', test('roof_age', 'greaterThan', wholeNumber(random, 8, 15))],
    ['offer', test('dwelling_a', 'greaterThan', 100_000 * wholeNumber(random, 3, 8))],
  ];
  const isNew = ([, { fact, count }]: (typeof conditions)[number]) => fact === 'location' || count === 'events';
  return conditions
    .filter((each) => all || !isNew(each))
    .map(([outcome, condition], index) => ({
      id: `guide-${index}`,
      outcome,
      code: 'x_guide',
      message: 'Outside the guide.',
      ...(outcome === 'offer' ? { terms: { wind_hail_deductible_percent: { min: wholeNumber(random, 1, 5) } } } : {}),
      when: { all: [condition] },
    }));
}

/** Adds losses, a size and a position, as requests have them. A share of each is missing. */
export function withDetails(homes: readonly Facts[], share: number, seed: number): Json[] {
  const random = createRandom(seed);
  const item = (): Json => ({
    kind: pick(random, ['water', 'wind', 'hail', 'fire', 'theft']),
    date: `20${wholeNumber(random, 18, 26)}-0${wholeNumber(random, 1, 9)}-1${wholeNumber(random, 0, 9)}`,
    amount: 500 * wholeNumber(random, 1, 60),
    status: random() < 0.9 ? 'closed' : 'open',
  });
  return homes.map((home) => {
    const count = random() < 0.6 ? 0 : wholeNumber(random, 1, 3);
    const details: Json = {
      square_feet: wholeNumber(random, 8, 40) * 100,
      losses: Array.from({ length: count }, item),
    };
    return { ...home, ...Object.fromEntries(Object.entries(details).filter(() => random() >= share)) };
  });
}

const events = [
  { id: 'a', kind: 'hurricane', position: { latitude: 27.5, longitude: -90.5 }, from: '2026-11-18T12:00:00Z' },
];

/** Homes at known positions, with one event. */
export function toLocatedProperties(homes: readonly Json[], seed: number): Property[] {
  const random = createRandom(seed);
  return homes.map((home) => {
    const { policyType, state, counties, givenValues, lists, asOfMs, effectiveDate } = toProperty(home as Facts);
    return createProperty({
      vocabulary: homeVocabulary,
      policyType,
      state,
      counties,
      values: Object.fromEntries(homeVocabulary.fields.map(({ name }, field) => [name, givenValues![field]])),
      lists,
      asOfMs,
      effectiveDate,
      location: { latitude: 27.5 + 3 * random(), longitude: -97 + 4 * random(), radiusMeters: 20 },
      events,
    });
  });
}

export function createGuideCatalog(carriers: readonly BenchmarkCarrier[], seed: number, all: boolean): Catalog {
  return createCatalog(toGuides(carriers, seed, all).map((file) => ({ file })));
}
