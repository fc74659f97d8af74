import { homeVocabulary } from '@leeward/engine';
import { randomHomeCondition } from '../../../../../../test/support/engine/random-home-rules.ts';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { drawnHome } from './random-rules.ts';
import { between, file, type HomeOfTopic, oneOf, type Topic, test } from './topic.ts';

const always = { all: [] };
const offer = (id: string, when: object, terms: object, rest: object = {}) => ({
  id,
  outcome: 'offer',
  code: 'x_terms',
  message: `Terms of ${id}, {roof_age} years.`,
  when,
  terms,
  ...rest,
});
const homeWith = (about: string, values: HomeOfTopic['values']): HomeOfTopic => ({ about, values });
const oldRoof = { all: [test('roof_age', 'greaterThan', 15)] };
const byCoast = {
  by: 'distance_to_coast_miles',
  steps: [{ below: 1, min: 5 }, { below: 5, min: 3 }, { min: 2 }],
};

/** Offers: bounds of every kind, tables, several offers on one term, and contradictions. */
export function offerTopics(): Topic[] {
  const homes = [
    homeWith('nothing is known', {}),
    homeWith('an old roof near the coast', { roof_year: 2000, distance_to_tidal_water_meters: 500 }),
    homeWith('a new roof far from the coast', { roof_year: 2020, distance_to_tidal_water_meters: 50_000 }),
    homeWith('a roof that may be old', { roof_year: between(2005, 2015), distance_to_tidal_water_meters: 4_000 }),
    homeWith('a distance across steps', { roof_year: 2020, distance_to_tidal_water_meters: between(1_000, 20_000) }),
    homeWith('one of two roof types', { roof_type: oneOf('slate', 'tile'), roof_year: 2000 }),
  ];
  const slate = { all: [test('roof_type', 'equal', 'slate')] };
  const tables = [
    offer('coast', always, { named_storm_deductible_percent: byCoast }),
    offer('part', oldRoof, {
      roof_settlement: {
        by: 'roof_age',
        steps: [
          { below: 20 },
          { below: 30, value: ['actual cash value', 'payment schedule'] },
          { value: 'payment schedule' },
        ],
      },
      full_payment: { by: 'dwelling_a', steps: [{ below: 100_000, value: true }] },
    }),
  ];
  const files: Readonly<Record<string, Parameters<typeof file>>> = {
    numbers: [
      [
        offer('old', oldRoof, { wind_hail_deductible_percent: { min: 2, max: 10 } }),
        offer('all', always, { wind_hail_deductible_percent: { min: 1 } }),
      ],
    ],
    words: [
      [
        offer('old', oldRoof, { roof_settlement: 'actual cash value' }),
        offer('slate', slate, { roof_settlement: ['actual cash value', 'replacement cost'] }),
      ],
    ],
    flags: [
      [
        offer('old', oldRoof, { roof_excluded: true }),
        offer('not-old', { not: oldRoof }, { roof_excluded: true, x_hail: true }),
      ],
    ],
    custom: [
      [
        offer('old', oldRoof, { x_choice: ['one', 'two'], x_amount: { max: 5_000 } }),
        offer('slate', slate, { x_choice: 'two' }),
      ],
    ],
    tables: [tables],
    contradictions: [
      [
        offer('high', oldRoof, { all_perils_deductible: { min: 5_000 } }),
        offer('low', slate, { all_perils_deductible: { max: 2_500 } }),
        offer('exact', always, { all_perils_deductible: { min: 1_000, max: 4_000 } }, { priority: 3 }),
        offer('schedule', oldRoof, { roof_settlement: ['payment schedule', 'actual cash value'] }),
        offer('full', slate, { roof_settlement: ['replacement cost', 'payment schedule'] }),
        offer('third', always, { roof_settlement: ['replacement cost', 'actual cash value'] }),
      ],
    ],
    programs: [
      [offer('top', oldRoof, { liability_limit: { max: 100_000 } })],
      {
        programs: [
          {
            id: 'other',
            policy_types: ['ho5'],
            states: ['tx'],
            rules: [offer('other', always, { liability_limit: { min: 900_000 } })],
          },
          {
            id: 'own',
            policy_types: ['ho3'],
            states: ['tx'],
            counties: { tx: { include: ['harris'] } },
            rules: [offer('own', slate, { liability_limit: { min: 300_000 } })],
          },
        ],
      },
    ],
    imported: [
      [
        {
          name: 'imported',
          conditions: oldRoof,
          event: { type: 'offer', params: { message: 'Imported.', terms: { surcharge_percent: { min: 5 } } } },
        },
      ],
    ],
  };
  const places = homes.map(
    (each): HomeOfTopic => ({ ...each, about: `${each.about}, any county`, counties: undefined }),
  );
  return [
    ...Object.entries(files).map(
      ([name, parts]): Topic => ({
        name: `offers/${name}`,
        files: [file(...parts)],
        homes: name === 'programs' ? [...homes, ...places] : homes,
      }),
    ),
    ...randomOfferTopics(30, 6),
  ];
}

const fields = homeVocabulary.fields.slice(0, 20);
const percents = [1, 2, 3, 5, 10];
const settlements = ['replacement cost', 'actual cash value', 'payment schedule'];

/** Random offers on few terms, so that they meet. */
export function randomOfferTopics(count: number, homes: number, seed = 28): Topic[] {
  const random = createRandom(seed);
  const limits = () => {
    const [one, other] = [pick(random, percents), pick(random, percents)];
    const both = { min: Math.min(one, other), max: Math.max(one, other) };
    return pick(random, [{ min: one }, { min: one }, { max: one }, both]);
  };
  const words = () => settlements.filter(() => random() < 0.6);
  const choice = () => {
    const some = words();
    return some.length === 0 ? pick(random, settlements) : some;
  };
  const table = (value: () => object) => ({
    by: pick(random, ['home_age', 'roof_age', 'distance_to_coast_miles', 'acreage']),
    steps: [
      { below: 1, ...value() },
      { below: 20 },
      { below: 40, ...value() },
      { ...(random() < 0.7 ? {} : { below: 60 }), ...value() },
    ],
  });
  const stepOf = () => ({ value: choice() });
  const terms = () => ({
    ...(random() < 0.6 ? { wind_hail_deductible_percent: random() < 0.4 ? table(limits) : limits() } : {}),
    ...(random() < 0.5 ? { roof_settlement: random() < 0.4 ? table(stepOf) : choice() } : {}),
    ...(random() < 0.3 ? { x_choice: choice() } : {}),
    ...(random() < 0.3 ? { roof_excluded: true } : {}),
  });
  return Array.from({ length: count }, (_, index): Topic => {
    const rules = (length: number, prefix: string) =>
      Array.from({ length }, (__, place) => {
        const id = `${prefix}${place + 1}`;
        const side = random() < 0.7 ? 'when' : 'unless';
        const condition = randomHomeCondition(random, 1);
        if (random() < 0.2)
          return {
            id,
            outcome: pick(random, ['decline', 'refer']),
            code: 'x_drawn',
            message: `Rule ${id}.`,
            [side]: condition,
          };
        const some = terms();
        return {
          id,
          outcome: 'offer',
          code: 'x_drawn',
          message: `Rule ${id}.`,
          [side]: condition,
          terms: Object.keys(some).length === 0 ? { roof_excluded: true } : some,
          ...(random() < 0.2 ? { priority: wholeNumber(random, 0, 3) } : {}),
        };
      });
    const counties = { tx: { exclude: ['harris'] } };
    const programs = [
      {
        id: 'all',
        policy_types: ['ho3', 'ho5', 'dp3', 'wind only'],
        states: ['tx', 'fl', 'md'],
        counties,
        rules: rules(wholeNumber(random, 0, 2), 'p'),
      },
    ];
    return {
      name: `offers/drawn-${index + 1}`,
      files: [file(rules(wholeNumber(random, 2, 4), 'r'), { programs })],
      homes: Array.from({ length: homes }, () => drawnHome(random, fields)),
    };
  });
}
