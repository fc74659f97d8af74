import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { file, type HomeOfTopic, type Topic, test } from './topic.ts';

type Json = Record<string, unknown>;
type Location = NonNullable<HomeOfTopic['location']>;
type Position = [longitude: number, latitude: number];

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** Harris County and the bay south of it. */
const areas = {
  bay: { type: 'Polygon', coordinates: [box(-95.2, 29.3, -94.8, 29.7)] },
  'bay without island': {
    type: 'Polygon',
    coordinates: [box(-95.2, 29.3, -94.8, 29.7), box(-95.05, 29.45, -94.95, 29.55).toReversed()],
  },
  'two neighbours': {
    type: 'MultiPolygon',
    coordinates: [[box(-95.2, 29.3, -95, 29.7)], [box(-95, 29.3, -94.8, 29.7)]],
  },
  corridor: { type: 'Polygon', coordinates: [box(-95.0005, 29, -94.9995, 30)] },
  wedge: {
    type: 'Feature',
    properties: {},
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-95.5, 29.5],
          [-95.1, 29.9],
          [-95.6, 29.95],
          [-95.5, 29.5],
        ],
      ],
    },
  },
  'bay with a mile around': { type: 'Polygon', coordinates: [box(-95.2, 29.3, -94.8, 29.7)], within_miles: 1 },
  freeway: {
    type: 'LineString',
    coordinates: [
      [-95.36, 29.76],
      [-95.2, 29.6],
      [-95.09, 29.38],
    ],
    within_miles: 2,
  },
  stations: {
    type: 'MultiPoint',
    coordinates: [
      [-95.4, 29.8],
      [-95.3, 29.7, 12],
    ],
    within_miles: 5,
  },
  'ZIP codes': { zipcodes: ['77550-77554', '770*', '77598'] },
};
type AreaName = keyof typeof areas;
const shapes = Object.keys(areas).filter((name) => name !== 'ZIP codes') as AreaName[];

const at = (longitude: number, latitude: number, radiusMeters = 0): Location => ({ latitude, longitude, radiusMeters });
const rule = (id: string, outcome: string, condition: unknown): Json => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}.`,
  when: { all: [condition] },
});
const miles = (name: AreaName, operator: string, value: number): Json => ({ miles_to: name, operator, value });

/** A building of some meters, as a ring that closes. */
function building(longitude: number, latitude: number, meters: number): Location {
  const [width, height] = [meters / 97_000, meters / 111_000];
  const ring = box(longitude - width / 2, latitude - height / 2, longitude + width / 2, latitude + height / 2);
  return {
    latitude,
    longitude,
    radiusMeters: Math.ceil(meters),
    footprint: { type: 'Polygon', coordinates: [ring] },
  };
}

const places: readonly [about: string, location: Location | undefined][] = [
  ['in the middle', at(-95, 29.5)],
  ['in the middle, within 500 meters', at(-95, 29.4, 500)],
  ['inside near the border', at(-95.1999, 29.5)],
  ['inside, but perhaps outside', at(-95.199, 29.5, 200)],
  ['on the border', at(-95.2, 29.5)],
  ['outside near the border', at(-95.2001, 29.5)],
  ['outside, but perhaps inside', at(-95.201, 29.5, 200)],
  ['outside by a mile and a half', at(-95.225, 29.5)],
  ['outside by three miles, within two', at(-95.25, 29.5, 3_200)],
  ['beyond a corner', at(-95.21, 29.71)],
  ['far away', at(-95.9, 30.1)],
  ['somewhere in the county', at(-95.4, 29.85, 40_000)],
  ['a building inside', building(-95.1, 29.4, 30)],
  ['a building across the border', building(-95.2, 29.5, 60)],
  ['a building outside', building(-95.21, 29.5, 60)],
  ['a building over the corridor', building(-95, 29.5, 400)],
  ['a building around a corner', building(-95.2, 29.3, 200)],
  ['unknown', undefined],
];
const homes: readonly HomeOfTopic[] = places.map(([about, location]) => ({
  about,
  values: {},
  ...(location ? { location } : {}),
  isLocated: location !== undefined && location.radiusMeters < 1_000,
}));

const topic = (name: string, condition: unknown, more: readonly HomeOfTopic[] = homes): Topic => ({
  name: `areas/${name}`,
  files: [file([rule('decline', 'decline', condition), rule('require', 'require', condition)], { areas })],
  homes: more,
});

/** Polygons, buffers and lists of ZIP codes, for circles and footprints on both sides of borders. */
export function areaTopics(): Topic[] {
  const word = (name: string) => name.toLowerCase().replaceAll(' ', '-');
  const zipcodes = ['77550', '77554', '77555', '77001', '77598', '77597'].map(
    (zipcode): HomeOfTopic => ({ about: `ZIP code ${zipcode}`, values: { zipcode } }),
  );
  const inZips = [...zipcodes, { about: 'an unknown ZIP code', values: {} }];
  return [
    ...shapes.map((name) => topic(`within/${word(name)}`, test('location', 'within', name))),
    ...shapes.map((name) => topic(`entirely/${word(name)}`, test('location', 'entirelyWithin', name))),
    ...shapes.map((name) => topic(`miles/${word(name)}`, miles(name, 'lessThan', 2))),
    topic('not-within', test('location', 'not:within', 'bay')),
    topic('not-not-within', test('location', 'not:not:within', 'bay')),
    topic('not-entirely', test('location', 'not:entirelyWithin', 'bay')),
    topic('miles/zero', miles('bay', 'equal', 0)),
    topic('miles/arithmetic', { add: [{ miles_to: 'bay' }, 1], operator: 'greaterThanInclusive', value: 3 }),
    topic('miles/of-two', { fact: 'owner_distance_miles', operator: 'lessThan', value: { miles_to: 'bay' } }),
    topic('either', { any: [test('location', 'within', 'bay'), test('location', 'within', 'wedge')] }),
    topic('always', { any: [test('location', 'within', 'bay'), { not: test('location', 'within', 'bay') }] }),
    topic('zipcodes/within', test('location', 'within', 'ZIP codes'), inZips),
    topic('zipcodes/not-within', test('location', 'not:within', 'ZIP codes'), inZips),
    topic('zipcodes/entirely', test('location', 'entirelyWithin', 'ZIP codes'), inZips),
    topic('between-points', test('location', 'within', 'stations'), [
      { about: 'near one of two points', values: {}, location: at(-95.38, 29.78) },
      { about: 'between two points, near neither', values: {}, location: at(-95.385, 29.69) },
    ]),
    ...randomAreaTopics(20, 6),
  ];
}

/** Random positions and conditions, also on other fields. */
export function randomAreaTopics(count: number, homesOfEach: number, seed = 40): Topic[] {
  const random = createRandom(seed);
  const one = (): unknown =>
    pick(random, [
      () => test('location', pick(random, ['within', 'not:within', 'entirelyWithin']), pick(random, shapes)),
      () => miles(pick(random, shapes), pick(random, ['lessThan', 'greaterThan']), wholeNumber(random, 0, 20) / 2),
      () => test('total_claims', 'greaterThan', wholeNumber(random, 0, 3)),
      () => test('location', 'within', 'ZIP codes'),
    ])();
  return Array.from({ length: count }, (_, index): Topic => {
    const condition = () => ({ [pick(random, ['all', 'any'])]: [one(), one()] });
    return {
      name: `areas/random-${seed}-${index + 1}`,
      files: [file([rule('first', 'decline', condition()), rule('second', 'refer', condition())], { areas })],
      homes: Array.from({ length: homesOfEach }, (): HomeOfTopic => {
        const [longitude, latitude] = [-95.6 + 0.9 * random(), 29.2 + 0.8 * random()];
        const location = pick(random, [
          () => at(longitude, latitude, pick(random, [0, 30, 1_000, 8_000])),
          () => building(longitude, latitude, pick(random, [20, 200])),
          () => undefined,
        ])();
        return {
          about: 'a random position',
          values: {
            ...(random() < 0.5 ? { total_claims: wholeNumber(random, 0, 4) } : {}),
            ...(random() < 0.5 ? { zipcode: pick(random, ['77001', '77551', '78701']) } : {}),
          },
          ...(location ? { location } : {}),
          isLocated: random() < 0.5,
        };
      }),
    };
  });
}
