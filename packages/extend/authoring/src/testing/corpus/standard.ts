import { between, file, type HomeOfTopic, oneOf, type Topic, test } from './topic.ts';

const values = { dwelling_a: 200_000 };
const always = { all: [] };
const rule = (id: string, outcome: string, when: object, rest: object = {}) => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}.`,
  when,
  ...rest,
});
const home = (about: string, rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({ about, values, ...rest });
const homeWith = (about: string, more: Readonly<Record<string, unknown>>): HomeOfTopic => ({ about, values: more });

/** Parts of the standard that the first corpus left open: relations, words in messages, names of counties, order, overrides. */
export function standardTopics(): Topic[] {
  return [
    ...relationTopics(),
    ...messageTopics(),
    countyTopic(),
    ...orderTopics(),
    jointTopic(),
    ...missingTopics(),
    ...overrideTopics(),
  ];
}

/** Relations bound fields; requirements and notes also exclude what contradicts them. */
function relationTopics(): Topic[] {
  const roof = { all: [test('roof_age', 'greaterThan', 20)] };
  const newRoofOnNewHome = { all: [test('home_age', 'lessThan', 10), test('roof_age', 'greaterThan', 20)] };
  const oldOrYoung = { any: [test('home_age', 'greaterThanInclusive', 20), test('roof_age', 'lessThan', 30)] };
  const sea = {
    all: [test('distance_to_ocean_miles', 'lessThan', 5), test('distance_to_coast_miles', 'greaterThan', 5)],
  };
  const homes = [
    homeWith('a new house bounds its roof', { year_built: 2015 }),
    homeWith('an old roof bounds its house', { roof_year: 1990 }),
    homeWith('both within bounds', { year_built: between(1990, 2020), roof_year: between(1980, 2010) }),
    homeWith('nothing is known', {}),
    homeWith('values that contradict each other', { year_built: 2015, roof_year: 1990 }),
    homeWith('bounds that contradict each other', { year_built: between(2010, 2015), roof_year: between(1980, 1990) }),
    homeWith('a house by the open sea', { distance_to_ocean_meters: 4_000 }),
    homeWith('far from tidal water', { distance_to_tidal_water_meters: between(20_000, 30_000) }),
  ];
  return [
    ['one-side', [rule('roof', 'decline', roof), rule('sea', 'refer', sea)]],
    ['both-sides', [rule('impossible', 'decline', newRoofOnNewHome), rule('certain', 'refer', oldOrYoung)]],
    [
      'requirements',
      [
        rule('impossible', 'require', newRoofOnNewHome),
        rule('certain', 'require', oldOrYoung),
        rule('sea', 'require', sea),
      ],
    ],
    [
      'notes',
      [
        rule('impossible', 'inform', newRoofOnNewHome),
        rule('certain', 'inform', oldOrYoung),
        rule('sea', 'inform', sea),
      ],
    ],
  ].map(([name, rules]) => ({ name: `relations/${name as string}`, files: [file(rules as Rules)], homes }));
}

type Rules = readonly Record<string, unknown>[];

/** Every row of the table of words for an unknown fact; numbers of every unit. */
function messageTopics(): Topic[] {
  const notes = (messages: readonly string[]) =>
    messages.map((message, index) => rule(`m${index + 1}`, 'inform', always, { message }));
  const unknown = [
    'In {county}: call. {county}, {state}.',
    'Class {protection_class} is not written.',
    'Claims: {total_claims}.',
    'Too many claims ({total_claims}).',
    'Coverage, {dwelling_a}, is high.',
    'Dollars {dwelling_a}.',
    'A {home_age}-year-old home needs photos.',
    'An age of {roof_age} years is too much.',
    'The roof is {roof_age} years old. {roof_age} year old roofs: no.',
    'Heater, {water_heater_age} years: replace it.',
    'Built in {year_built}, roof of {roof_year}.',
    'Coverage of {dwelling_a} dollars, {dwelling_a} percent, {dwelling_a}',
    '{acreage} percent of land; {acreage} acres and {acreage}.',
    '{distance_to_ocean_feet} feet! {distance_to_coast_miles} miles? {distance_to_ocean_meters} meters to go.',
    'Lapse: {lapse_in_coverage} days. {lapse_in_coverage} days is long. {no_prior} is long, {no_prior} Days.',
    'Plumbing of {primary_plumbing}; a {brace stays.',
    'Usage {usage}; policy {policy_type}.',
  ];
  const braces = 'Plumbing of {primary_plumbing} and {no_such_fact} {} stays.';
  const imported = { name: 'braces', conditions: always, event: { type: 'inform', params: { message: braces } } };
  const homes = [
    homeWith('nothing is known', {}),
    homeWith('values', {
      dwelling_a: 1_234_567,
      year_built: 1987,
      roof_year: 2027,
      acreage: 0.125,
      total_claims: 0,
      protection_class: 10,
      water_heater_age: 8,
      lapse_in_coverage: 1_000,
      no_prior: 12_345,
      distance_to_ocean_meters: 1_234.5,
      distance_to_tidal_water_meters: 804.672,
      primary_plumbing: 'cast iron',
      usage: 'seasonal',
    }),
    homeWith('bounds, and one of several words', {
      dwelling_a: between(99_999, 100_000),
      year_built: between(2020, 2027),
      roof_year: between(1999, 2000),
      acreage: between(0, 2.5),
      distance_to_ocean_meters: between(0, 20_000.25),
      primary_plumbing: oneOf('pex', 'copper', 'lead'),
    }),
  ];
  return [
    {
      name: 'messages/words',
      files: [file([...notes(unknown), imported])],
      homes: [...homes, { about: 'two counties', values: {}, counties: ['harris', 'travis'] }],
    },
    {
      name: 'messages/territory',
      files: [
        file([], {
          programs: [
            {
              id: 'east',
              policy_types: ['ho3'],
              states: ['tx', 'md'],
              counties: { tx: { include: ['harris'] }, md: { exclude: ['baltimore'] } },
            },
          ],
        }),
      ],
      homes: [
        home('one county', { counties: ['travis'] }),
        home('two counties', { counties: ['travis', 'galveston'] }),
        home('one of two counties', { counties: ['travis', 'harris'] }),
        home('a city with the name of a county', { state: 'md', counties: ['baltimore city'] }),
      ],
    },
  ];
}

/** Spellings of counties in programs and in tests. */
function countyTopic(): Topic {
  const spellings = ['St. Lucie County', 'saint johns', 'Miami Dade', 'County of Lee', '12103', 'DeSoto Co.', 'dade'];
  const tests = ['baltimore, md', 'prince georges, md', 'Queen Anne’s County, maryland', '24510', "St. Mary's, md"];
  const counties = { fl: { include: spellings } };
  return {
    name: 'counties/spellings',
    files: [
      file(
        [
          ...tests.flatMap((value, index) => [
            rule(`is-${index}`, 'inform', { all: [test('county', 'equal', value)] }),
            rule(`not-${index}`, 'inform', { all: [test('county', 'notEqual', value)] }),
          ]),
          rule('list', 'refer', { all: [test('county', 'in', ['baltimore, md', 'lee, fl'])] }),
          rule('swapped', 'require', { all: [test('county', 'swap:equal', 'baltimore, md')] }),
          rule('some', 'require', { all: [test('county', 'someValue:equal', ['baltimore, md', '12071'])] }),
        ],
        { programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl', 'md'], counties }] },
      ),
    ],
    homes: [
      ...['st. lucie', 'st. johns', 'miami-dade', 'lee', 'pinellas', 'desoto', 'broward'].map((name) =>
        home(name, { state: 'fl', counties: [name] }),
      ),
      ...['baltimore city', 'baltimore county', "prince george's", "queen anne's", "st. mary's", 'talbot'].map((name) =>
        home(name, { state: 'md', counties: [name] }),
      ),
      home('either Baltimore', { state: 'md', counties: ['baltimore city', 'baltimore county'] }),
      home('any county of Maryland', { state: 'md', counties: undefined }),
      home('any county of Florida', { state: 'fl', counties: undefined }),
    ],
  };
}

/** Priorities, and the order of rules of the file and of programs. */
function orderTopics(): Topic[] {
  const each = ['decline', 'refer', 'require', 'inform'];
  const rules = (outcome: string, prefix: string, priorities: readonly (number | undefined)[]) =>
    priorities.map((priority, index) =>
      rule(`${prefix}-${index + 1}`, outcome, always, priority === undefined ? {} : { priority }),
    );
  const imported = {
    conditions: always,
    event: { type: 'refer', params: { code: 'not a code', message: 'Imported.' } },
  };
  return [
    ...each.map(
      (outcome): Topic => ({
        name: `order/${outcome}`,
        files: [
          file(rules(outcome, 'top', [undefined, 2, 0.5, -1, undefined]), {
            programs: [
              { id: 'one', policy_types: ['ho5'], states: ['tx'], rules: rules(outcome, 'other', [9]) },
              { id: 'two', policy_types: ['ho3'], states: ['tx'], rules: rules(outcome, 'own', [3, undefined, 0.5]) },
            ],
          }),
        ],
        homes: [home('all rules hold')],
      }),
    ),
    {
      name: 'order/imported',
      files: [
        file([rule('native', 'refer', always), imported, { ...imported, name: 'named', priority: 5 }], {
          programs: [{ id: 'two', policy_types: ['ho3'], states: ['tx'], rules: [imported, { ...imported, name: 7 }] }],
        }),
      ],
      homes: [home('all rules hold')],
    },
  ];
}

/** A status that no single reason makes certain. */
function jointTopic(): Topic {
  const program = { id: 'inland', policy_types: ['ho3'], states: ['tx'], counties: { tx: { exclude: ['galveston'] } } };
  const claims = (id: string, operator: string, value: number) =>
    rule(id, 'decline', { all: [test('total_claims', operator, value)] });
  const acres = (id: string, operator: string) => rule(id, 'refer', { all: [test('acreage', operator, 5)] });
  const storm = {
    id: 'storm',
    from: '2026-11-01T00:00:00Z',
    message: 'Storm in {county}.',
    counties: { tx: { include: ['harris'] } },
  };
  return {
    name: 'jointly/reasons',
    files: [
      file(
        [
          claims('few', 'lessThan', 3),
          claims('some', 'lessThan', 9),
          claims('many', 'greaterThan', 7),
          rule('vacant', 'decline', { all: [test('usage', 'equal', 'vacant')] }),
          acres('small', 'lessThan'),
          acres('large', 'greaterThanInclusive'),
        ],
        { programs: [program], moratoria: [{ ...storm, until: null }] },
      ),
    ],
    homes: [
      homeWith('claims within bounds', { total_claims: between(1, 20) }),
      { about: 'claims not known, another county', values: {}, counties: ['travis'] },
      { about: 'one of two counties, one in the storm', values: { total_claims: 5 }, counties: ['harris', 'travis'] },
      { about: 'outside or vacant', values: { usage: 'vacant' }, counties: ['galveston', 'travis'] },
      { about: 'outside or in the storm', values: { total_claims: between(4, 8) }, counties: ['galveston', 'harris'] },
      { about: 'any county, vacant', values: { usage: 'vacant' }, counties: undefined },
      { about: 'any county, claims within bounds', values: { total_claims: between(4, 8) }, counties: undefined },
      { about: 'no single referral', values: { total_claims: 10 }, counties: ['travis'] },
    ],
  };
}

/** Names of missing fields: of located homes, of fields that are given together, of both facts of a test. */
function missingTopics(): Topic[] {
  const rules = [
    rule('near', 'decline', { all: [test('distance_to_coast_feet', 'lessThan', 1_000)] }),
    rule('ocean', 'refer', {
      all: [test('distance_to_ocean_miles', 'lessThan', { fact: 'distance_to_mean_high_water_miles' })],
    }),
    rule('roof', 'refer', { all: [test('roof_type', 'in', ['slate', 'tile']), test('roof_age', 'greaterThan', 10)] }),
    rule('age', 'decline', {
      all: [test('home_age', 'greaterThan', { fact: 'water_heater_age' }), test('acreage', 'greaterThan', 3)],
    }),
  ];
  const some = [
    homeWith('nothing is known', {}),
    homeWith('the roof type', { roof_type: 'slate' }),
    homeWith('a roof type that no rule names', { roof_type: 'metal' }),
    homeWith('the age of the roof', { roof_year: 2000 }),
    homeWith('one of two roof types', { roof_type: oneOf('slate', 'metal'), roof_year: 2000 }),
    homeWith('one distance', { distance_to_tidal_water_meters: 5_000, acreage: 1 }),
    homeWith('two distances', {
      distance_to_ocean_meters: 5_000,
      distance_to_mean_high_water_meters: between(1_000, 6_000),
    }),
    homeWith('year built', { year_built: 1990, acreage: 9, roof_type: 'flat', roof_year: 2026 }),
    homeWith('all but one of two facts', {
      water_heater_age: 9,
      acreage: 9,
      distance_to_tidal_water_meters: 1,
      roof_year: 2026,
    }),
  ];
  return [
    { name: 'missing/by-address', files: [file(rules)], homes: some },
    { name: 'missing/located', files: [file(rules)], homes: some.map((each) => ({ ...each, isLocated: true })) },
  ];
}

/** An organization tightens a carrier's rules. */
function overrideTopics(): Topic[] {
  const files = [
    file([rule('own', 'refer', { all: [test('acreage', 'greaterThan', 5)] })], {
      programs: [
        {
          id: 'all',
          policy_types: ['ho3', 'ho5'],
          states: ['tx', 'fl'],
          rules: [rule('program', 'refer', { all: [test('acreage', 'greaterThan', 5)] })],
        },
      ],
    }),
  ];
  const homes = [
    homeWith('small', { acreage: 1 }),
    homeWith('large', { acreage: 9 }),
    homeWith('not known', {}),
    { about: 'another policy type', values: { acreage: 1 }, policyType: 'ho5' },
    { about: 'another county', values: { acreage: 1 }, counties: ['galveston'] },
    { about: 'any county', values: { acreage: 1 }, counties: undefined },
    { about: 'another state', values: { acreage: 1 }, state: 'fl', counties: ['broward'] },
  ];
  const added = [
    {
      id: 'added',
      outcome: 'decline',
      code: 'acreage',
      message: 'Too large: {acreage} acres.',
      when: { all: [test('acreage', 'greaterThan', 3)] },
    },
    {
      id: 'asked',
      outcome: 'refer',
      code: 'acreage',
      message: 'Added.',
      priority: 1,
      when: { all: [test('acreage', 'greaterThan', 2)] },
    },
  ];
  const overrides: Readonly<Record<string, object>> = {
    rules: { add_rules: added },
    referral: { add_rules: [added[1]] },
    'policy-types': { exclude: { policy_types: ['ho5'] } },
    states: { exclude: { states: ['fl'] } },
    counties: { exclude: { counties: { tx: ['Galveston'], fl: ['Broward', 'dade'] } } },
    everything: {
      add_rules: added,
      exclude: { policy_types: ['ho5'], states: ['fl'], counties: { tx: ['galveston'] } },
    },
  };
  return Object.entries(overrides).map(([name, override]) => ({
    name: `overrides/${name}`,
    files,
    homes: homes.map((each) => ({ ...each, override: { carrier_key: 'corpus', ...override } })),
  }));
}
