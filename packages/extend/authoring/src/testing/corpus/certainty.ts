import { between, file, type HomeOfTopic, type Topic, test } from './topic.ts';

const TIDAL = 'distance_to_tidal_water_meters';
const OCEAN = 'distance_to_ocean_meters';
const HIGH_WATER = 'distance_to_mean_high_water_meters';

const rule = (id: string, outcome: string, when: object) => ({
  id,
  outcome,
  code: 'x_rule',
  message: 'At {distance_to_tidal_water_feet} ft and {distance_to_ocean_miles} mi.',
  when,
});

const at = (ranges: Readonly<Record<string, readonly [number, number]>>) =>
  Object.fromEntries(Object.entries(ranges).map(([name, [min, max]]) => [name, { min, max }]));

const home = (
  about: string,
  values: HomeOfTopic['values'],
  ranges: Readonly<Record<string, ReturnType<typeof at>>>,
): HomeOfTopic => ({ about, values, isLocated: true, rangesByCertainty: ranges });

/** 1,000 feet are 304.8 m. */
const wide = { [TIDAL]: between(250, 420), [OCEAN]: between(3_000, 6_000) };
const homes: readonly HomeOfTopic[] = [
  home('without ranges of a certainty', wide, {}),
  home('with ranges of another certainty', wide, { 0.8: at({ [TIDAL]: [320, 330] }) }),
  home('certainly beyond the limit', wide, { 0.9: at({ [TIDAL]: [310, 380] }) }),
  home('certainly within the limit', wide, { 0.9: at({ [TIDAL]: [260, 300] }) }),
  home('at the limit', wide, { 0.9: at({ [TIDAL]: [304.8, 380] }) }),
  home('still undecided', wide, { 0.9: at({ [TIDAL]: [290, 350] }) }),
  home('a wider range', { [TIDAL]: between(310, 420) }, { 0.9: at({ [TIDAL]: [290, 500] }) }),
  home('an exact distance', { [TIDAL]: 300 }, { 0.9: at({ [TIDAL]: [310, 380] }) }),
  home('only the range of the certainty', {}, { 0.9: at({ [TIDAL]: [310, 380] }) }),
  home('a range of one value', wide, { 0.9: at({ [TIDAL]: [310, 310] }) }),
  home('the ocean bounds tidal water', { [OCEAN]: between(200, 900) }, { 0.9: at({ [OCEAN]: [250, 300] }) }),
  home('tidal water bounds the ocean', { [TIDAL]: between(250, 420) }, { 0.9: at({ [TIDAL]: [310, 5_000] }) }),
  home('both distances', wide, { 0.9: at({ [TIDAL]: [310, 380], [OCEAN]: [4_900, 5_100] }) }),
  home('ranges that contradict each other', wide, { 0.9: at({ [TIDAL]: [310, 380], [OCEAN]: [100, 200] }) }),
  home('high water', { [HIGH_WATER]: between(100, 2_000) }, { 0.9: at({ [HIGH_WATER]: [1_700, 1_900] }) }),
];

const near = { all: [test('distance_to_tidal_water_feet', 'lessThan', 1_000)] };

/** Rule sets with a certainty, for measured distances. */
export function certaintyTopics(): readonly Topic[] {
  const one = (name: string, rules: readonly Record<string, unknown>[], certainty?: number): Topic => ({
    name: `certainty/${name}`,
    files: [file(rules, certainty === undefined ? {} : { certainty })],
    homes,
  });
  const several = [
    rule('near', 'decline', near),
    rule('ocean', 'refer', { all: [test('distance_to_ocean_miles', 'lessThanInclusive', 3)] }),
    rule('high-water', 'require', { all: [test('distance_to_mean_high_water_miles', 'lessThan', 1)] }),
    rule('inland', 'inform', { all: [test('distance_to_coast_miles', 'greaterThan', 0.2)] }),
  ];
  return [
    one('none', [rule('near', 'decline', near)]),
    one('one', [rule('near', 'decline', near)], 0.9),
    one('several', several, 0.9),
    one(
      'computed',
      [
        rule('sum', 'decline', {
          all: [
            { add: [{ fact: 'distance_to_tidal_water_feet' }, 100], operator: 'lessThan', value: 1_100 },
            { not: { all: [test('distance_to_ocean_feet', 'lessThan', { fact: 'distance_to_tidal_water_feet' })] } },
          ],
        }),
      ],
      0.9,
    ),
    {
      name: 'certainty/override',
      files: [file([rule('near', 'refer', near)], { certainty: 0.9 })],
      homes: homes.map((each) => ({
        ...each,
        override: {
          carrier_key: 'corpus',
          add_rules: [rule('nearer', 'decline', { all: [test('distance_to_coast_miles', 'lessThan', 0.21)] })],
        },
      })),
    },
  ];
}
