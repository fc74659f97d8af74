import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { between, file, type HomeOfTopic, type Topic, test } from './topic.ts';

type Json = Record<string, unknown>;

const homeWith = (about: string, values: HomeOfTopic['values'], rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({
  about,
  values,
  ...rest,
});
const rule = (id: string, outcome: string, condition: unknown, side = 'when') => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}: {total_claims} claims.`,
  [side]: { all: [condition] },
});
const is = (number: Json, operator: string, value: unknown): Json => ({ ...number, operator, value });
const fact = (name: string) => ({ fact: name });
const water = test('kind', 'equal', 'water');
const recent = (years: number) => test('age_years', 'lessThan', years);

/** Counts, sums and extremes of lists, and arithmetic between facts. */
export function computedTopics(): Topic[] {
  return [
    ...countTopics(),
    ...amountTopics(),
    ...dateTopics(),
    ...updateTopics(),
    ...countedTopics(),
    ...itemConditionTopics(),
    ...arithmeticTopics(),
    ...sharedTopics(),
    ...randomComputedTopics(40, 6),
  ];
}

const oneRule = (name: string, condition: unknown, homes: readonly HomeOfTopic[]): Topic => ({
  name,
  files: [file([rule('decline', 'decline', condition), rule('require', 'require', condition)])],
  homes,
});

/** Two water losses in three years: every way of knowing less. */
function countTopics(): Topic[] {
  const waterLoss = { kind: 'water', date: '2025-02-01' };
  const homes = [
    homeWith('no losses', { losses: [] }),
    homeWith('one water loss', { losses: [waterLoss] }),
    homeWith('two water losses', { losses: [waterLoss, { kind: 'water', date: '2024-05-05' }] }),
    homeWith('three water losses', { losses: [waterLoss, waterLoss, waterLoss] }),
    homeWith('one water loss, one fire', { losses: [waterLoss, { kind: 'fire', date: '2025-02-01' }] }),
    homeWith('the second loss three years ago', { losses: [waterLoss, { kind: 'water', date: '2023-11-20' }] }),
    homeWith('the second loss a day less than three years ago', {
      losses: [waterLoss, { kind: 'water', date: '2023-11-21' }],
    }),
    homeWith('the second loss in the month of the limit', { losses: [waterLoss, { kind: 'water', date: '2023-11' }] }),
    homeWith('the second loss in the month after', { losses: [waterLoss, { kind: 'water', date: '2023-12' }] }),
    homeWith('the second loss in the year of the limit', { losses: [waterLoss, { kind: 'water', date: '2023' }] }),
    homeWith('the second loss in a later year', { losses: [waterLoss, { kind: 'water', date: '2024' }] }),
    homeWith('a loss of unknown kind', { losses: [waterLoss, { date: '2025-01-01' }] }),
    homeWith('a loss of unknown date', { losses: [waterLoss, { kind: 'water' }] }),
    homeWith('an unknown loss', { losses: [waterLoss, {}] }),
    homeWith('only unknown losses', { losses: [{}, {}] }),
    homeWith('a fire of unknown date', { losses: [waterLoss, { kind: 'fire' }] }),
    homeWith('unknown losses', {}),
    homeWith('unknown losses, no claims', { total_claims: 0 }),
    homeWith('unknown losses, one claim', { total_claims: 1 }),
    homeWith('unknown losses, two claims', { total_claims: 2 }),
    homeWith('unknown losses, one claim or none', { total_claims: between(0, 1) }),
    homeWith('a number of claims that contradicts the losses', { total_claims: 0, losses: [waterLoss, waterLoss] }),
  ];
  const count = { count: 'losses', where: { all: [water, recent(3)] } };
  return [
    oneRule('computed/count/at-least', is(count, 'greaterThanInclusive', 2), homes),
    oneRule('computed/count/not-less', is(count, 'not:lessThan', 2), homes.slice(0, 5)),
    oneRule('computed/count/exactly', is(count, 'equal', 1), homes),
    oneRule('computed/count/in', is(count, 'in', [1, 3]), homes),
    oneRule('computed/count/not-in', is(count, 'notIn', [0, 2]), homes.slice(0, 6)),
    oneRule('computed/count/of-all', is({ count: 'losses' }, 'greaterThan', 1), homes),
  ];
}

/** Sums and extremes, with and without items, over limits. */
function amountTopics(): Topic[] {
  const loss = (amount: number, rest: Json = {}) => ({ date: '2025-06-01', amount, ...rest });
  const homes = [
    homeWith('no losses', { losses: [] }),
    homeWith('at the limit', { losses: [loss(10_000), loss(5_000)] }),
    homeWith('a dollar above', { losses: [loss(10_000), loss(5_001)] }),
    homeWith('one above alone', { losses: [loss(15_001)] }),
    homeWith('an amount that is not known', { losses: [loss(10_000), { date: '2025-06-01' }] }),
    homeWith('an old loss', { losses: [loss(10_000), loss(90_000, { date: '2010-01-01' })] }),
    homeWith('a loss of unknown date', { losses: [loss(10_000), { amount: 6_000 }] }),
    homeWith('an amount of nothing', { losses: [loss(0)] }),
    homeWith('unknown losses', {}),
    homeWith('unknown losses, no claims', { total_claims: 0 }),
    homeWith('unknown losses, one claim', { total_claims: 1 }),
  ];
  const where = { all: [recent(5)] };
  const of = (kind: string, field: string, rest: Json = { where }) => ({ [kind]: 'losses', of: field, ...rest });
  return [
    oneRule('computed/sum/above', is(of('sum', 'amount'), 'greaterThan', 15_000), homes),
    oneRule('computed/sum/nothing', is(of('sum', 'amount'), 'equal', 0), homes),
    oneRule('computed/max/above', is(of('max', 'amount'), 'greaterThan', 15_000), homes),
    oneRule('computed/max/none', is(of('max', 'amount'), 'lessThan', 0), homes),
    oneRule('computed/min/below', is(of('min', 'amount'), 'lessThanInclusive', 5_000), homes),
    oneRule('computed/min/none', is(of('min', 'amount'), 'greaterThan', 100_000_000), homes),
    oneRule('computed/min/age', is(of('min', 'age_years', {}), 'lessThan', 5), homes),
    oneRule('computed/max/age', is(of('max', 'age_years', {}), 'greaterThanInclusive', 16), homes),
    oneRule('computed/sum/age', is(of('sum', 'age_years', {}), 'greaterThan', 2), homes),
  ];
}

/** Anniversaries, leap days, dates after the effective date, tests of the date itself. */
function dateTopics(): Topic[] {
  const dates = ['2024-02-29', '2024-02-28', '2024-03-01', '2023-03-01', '2024-02', '2024', '2030-01-01', '2027-02'];
  const homes = ['2027-02-28', '2027-03-01', '2028-02-28', '2028-02-29', '2026-02-28'].flatMap((effectiveDate) =>
    dates.map((date) => homeWith(`a loss on ${date} at ${effectiveDate}`, { losses: [{ date }] }, { effectiveDate })),
  );
  const count = (...all: Json[]) => ({ count: 'losses', where: { all } });
  return [
    oneRule('computed/dates/three-years', is(count(recent(3)), 'equal', 1), homes),
    oneRule('computed/dates/age', is(count(test('age_years', 'equal', 4)), 'equal', 1), homes),
    oneRule(
      'computed/dates/date',
      is(count(test('date', 'greaterThanInclusive', '2024-02-29'), recent(4)), 'equal', 1),
      homes.slice(0, 16),
    ),
  ];
}

/** A list that no field counts. */
function updateTopics(): Topic[] {
  const update = (system: string, rest: Json = {}) => ({ system, date: '2015-01-01', licensed: true, ...rest });
  const homes = [
    homeWith('none', { updates: [] }),
    homeWith('the wiring by a licensed contractor', { updates: [update('wiring')] }),
    homeWith('the wiring by somebody else', { updates: [update('wiring', { licensed: false })] }),
    homeWith('the wiring by an unknown contractor', { updates: [{ system: 'wiring', date: '2015-01-01' }] }),
    homeWith('an unknown system', { updates: [{ date: '2020-01-01', licensed: true }] }),
    homeWith('two systems', {
      updates: [update('plumbing', { extent: 'partial' }), update('roof', { extent: 'full' })],
    }),
    homeWith('unknown updates', {}),
  ];
  const wiring = test('system', 'equal', 'wiring');
  const licensed = test('licensed', 'equal', true);
  const youngest = { min: 'updates', of: 'age_years', where: { any: [wiring, test('system', 'equal', 'plumbing')] } };
  return [
    oneRule('computed/updates/none', is({ count: 'updates', where: { all: [wiring, licensed] } }, 'equal', 0), homes),
    oneRule('computed/updates/age', is(youngest, 'greaterThan', 10), homes),
    oneRule(
      'computed/updates/full',
      is({ count: 'updates', where: test('extent', 'notEqual', 'partial') }, 'greaterThan', 0),
      homes,
    ),
  ];
}

/** The losses give the number of claims, and the number of claims the losses. */
function countedTopics(): Topic[] {
  const fire = (date?: string) => (date === undefined ? { kind: 'fire' } : { kind: 'fire', date });
  const homes = [
    homeWith('no losses', { losses: [] }),
    homeWith('two losses', { losses: [fire('2024-01-01'), fire('2025-01-01')] }),
    homeWith('a loss of unknown date', { losses: [fire('2024-01-01'), fire()] }),
    homeWith('a loss five years ago', { losses: [fire('2021-11-20'), fire('2021-11-21')] }),
    homeWith('both, and they differ', { total_claims: 3, losses: [fire('2024-01-01')] }),
    homeWith('claims only', { total_claims: 2 }),
    homeWith('bounds of claims only', { total_claims: between(1, 4) }),
    homeWith('nothing', {}),
  ];
  const claims = test('total_claims', 'greaterThanInclusive', 2);
  const losses = is({ count: 'losses', where: recent(5) }, 'greaterThanInclusive', 2);
  const older = is({ count: 'losses', where: test('age_years', 'greaterThanInclusive', 5) }, 'greaterThan', 0);
  const files = (name: string, ...rules: Json[]): Topic => ({ name, files: [file(rules)], homes });
  return [
    files('computed/counted/claims', rule('claims', 'decline', claims), rule('note', 'inform', claims)),
    files('computed/counted/losses', rule('losses', 'decline', losses)),
    files('computed/counted/older', rule('older', 'refer', older)),
    files('computed/counted/both', rule('claims', 'refer', claims), rule('losses', 'decline', losses)),
  ];
}

/** Operators and groups in the condition of an item. */
function itemConditionTopics(): Topic[] {
  const homes = [
    homeWith('no losses', { losses: [] }),
    homeWith('an open water loss', { losses: [{ kind: 'water', status: 'open', weather: false }] }),
    homeWith('a closed hail loss', { losses: [{ kind: 'hail', status: 'closed', weather: true, amount: 2_000 }] }),
    homeWith('a status that is not known', { losses: [{ kind: 'water', weather: true, amount: 2_001 }] }),
    homeWith('a kind that is not known', { losses: [{ status: 'closed', amount: 1_999 }] }),
    homeWith('an unknown item', { losses: [{}] }),
    homeWith('unknown losses, one claim', { total_claims: 1 }),
  ];
  const conditions: Readonly<Record<string, Json>> = {
    'single-test': test('status', 'notEqual', 'closed'),
    list: test('kind', 'in', ['water', 'freeze']),
    'not-in-list': test('kind', 'notIn', ['water', 'freeze']),
    'not-of-operator': test('kind', 'not:in', ['hail', 'wind']),
    flag: test('weather', 'equal', false),
    'not-flag': test('weather', 'notEqual', false),
    not: { not: { all: [test('weather', 'equal', true), test('amount', 'lessThan', 2_001)] } },
    tautology: { any: [test('status', 'equal', 'open'), test('status', 'equal', 'closed')] },
    contradiction: { all: [test('kind', 'equal', 'water'), test('kind', 'equal', 'fire')] },
    nested: { any: [{ all: [water, test('status', 'equal', 'open')] }, { not: test('amount', 'greaterThan', 1_999) }] },
    'empty-all': { all: [] },
    'empty-any': { any: [] },
  };
  return Object.entries(conditions).map(([name, where]) =>
    oneRule(`computed/where/${name}`, is({ count: 'losses', where }, 'greaterThan', 0), homes),
  );
}

/** Arithmetic on either side of its limits, with bounds, several operands, and units. */
function arithmeticTopics(): Topic[] {
  const square = (dwelling: unknown, feet: unknown) => ({ dwelling_a: dwelling, square_feet: feet });
  const areas = [
    homeWith('at the limit', square(300_000, 2_000)),
    homeWith('a dollar below', square(299_999, 2_000)),
    homeWith('a dollar above', square(300_001, 2_000)),
    homeWith('bounds below', square(between(200_000, 299_000), 2_000)),
    homeWith('bounds across', square(between(200_000, 301_000), 2_000)),
    homeWith('two bounds apart', square(between(200_000, 290_000), between(2_000, 2_500))),
    homeWith('two bounds that meet', square(between(200_000, 300_000), between(2_000, 2_500))),
    homeWith('one fact', { dwelling_a: 300_000 }),
    homeWith('no fact', {}),
  ];
  const perFoot = { multiply: [150, fact('square_feet')] };
  const coverages = (a: unknown, b: unknown, c: unknown = 0) => ({
    dwelling_a: a,
    coverage_b: b,
    coverage_c: c,
  });
  const parts = [
    homeWith('ten percent', coverages(200_000, 20_000, 50_000)),
    homeWith('a dollar more', coverages(200_000, 20_001, 50_001)),
    homeWith('a dollar less', coverages(200_000, 19_999, 49_999)),
    homeWith('bounds', coverages(200_000, between(10_000, 19_000), between(40_000, 60_000))),
    homeWith('an odd amount', coverages(200_005, 20_001, 50_002)),
    homeWith('Coverage B is not known', { dwelling_a: 200_000, coverage_c: 50_000 }),
    homeWith('only Coverage A', { dwelling_a: 3_900_000 }),
    homeWith('nothing', {}),
  ];
  const a = fact('dwelling_a');
  const b = fact('coverage_b');
  const c = fact('coverage_c');
  const ages = [
    homeWith('equal', { year_built: 2000, roof_year: 2000 }),
    homeWith('ten years', { year_built: 2000, roof_year: 2010 }),
    homeWith('eleven years', { year_built: 2000, roof_year: 2011 }),
    homeWith('the house only', { year_built: 2015 }),
    homeWith('bounds', { year_built: between(1990, 2000), roof_year: between(2005, 2010) }),
    homeWith('next year', { year_built: 2027, roof_year: 2027 }),
  ];
  const near = [
    homeWith('a mile', { distance_to_ocean_meters: 1_609.344, distance_to_tidal_water_meters: 804.672 }),
    homeWith('more', { distance_to_ocean_meters: 1_700, distance_to_tidal_water_meters: 804.672 }),
    homeWith('not known', { distance_to_ocean_meters: 900 }),
  ];
  return [
    oneRule('computed/multiply/below', test('dwelling_a', 'lessThan', perFoot), areas),
    oneRule('computed/multiply/reverse', is(perFoot, 'greaterThan', a), areas),
    oneRule('computed/multiply/number', is(perFoot, 'equal', 300_000), areas.slice(0, 8)),
    oneRule('computed/multiply/three', is({ multiply: [2, fact('stories'), fact('units')] }, 'greaterThan', 12), [
      homeWith('twelve', { stories: 3, units: 2 }),
      homeWith('thirteen', { stories: 3.25, units: 2 }),
      homeWith('bounds', { stories: between(2, 4), units: 2 }),
      homeWith('no units', { stories: 3 }),
    ]),
    oneRule('computed/percent/above', is({ percent_of: [10, a] }, 'lessThan', b), parts),
    oneRule('computed/percent/equal', is(b, 'equal', { percent_of: [10, a] }), parts),
    oneRule('computed/percent/number', is({ percent_of: [10, a] }, 'greaterThan', 20_000.25), parts),
    oneRule(
      'computed/percent/two-facts',
      is({ percent_of: [fact('named_storm_deductible_percent'), a] }, 'lessThan', 5_000),
      [
        homeWith('at the limit', { dwelling_a: 250_000, named_storm_deductible_percent: 2 }),
        homeWith('below', { dwelling_a: 249_999, named_storm_deductible_percent: 2 }),
        homeWith('not known', { dwelling_a: 400_000 }),
      ],
    ),
    oneRule('computed/add/total', is({ add: [a, b, c] }, 'greaterThan', 4_000_000), [
      ...parts,
      homeWith('at the limit', coverages(3_000_000, 500_000, 500_000)),
      homeWith('a dollar above', coverages(3_000_000, 500_000, 500_001)),
    ]),
    oneRule('computed/subtract/negative', is({ subtract: [b, c] }, 'lessThan', 0), parts),
    oneRule('computed/min/of-two', is(c, 'greaterThan', { min: [100_000, { percent_of: [25, a] }] }), parts),
    oneRule('computed/max/of-two', is(c, 'lessThan', { max: [50_000, { percent_of: [25, a] }] }), parts),
    oneRule(
      'computed/nested',
      is({ subtract: [{ add: [b, c] }, { multiply: [2, { min: [b, c] }] }] }, 'lessThan', 30_000),
      parts,
    ),
    oneRule('computed/ages', is({ subtract: [fact('home_age'), fact('roof_age')] }, 'greaterThan', 10), ages),
    oneRule('computed/years', is({ subtract: [fact('roof_year'), fact('year_built')] }, 'greaterThan', 10), ages),
    oneRule(
      'computed/distances',
      is(fact('distance_to_ocean_miles'), 'greaterThan', { multiply: [2, fact('distance_to_tidal_water_miles')] }),
      near,
    ),
  ];
}

/** Several tests of computed numbers: one number is one unknown; a list in arithmetic; reasons, terms and missing fields. */
function sharedTopics(): Topic[] {
  const count = { count: 'losses', where: { all: [water, recent(3)] } };
  const offer = (id: string, condition: Json, terms: Json) => ({
    id,
    outcome: 'offer',
    code: 'x_terms',
    message: `Terms of ${id}.`,
    when: { all: [condition] },
    terms,
  });
  const homes = [
    homeWith('no losses', { losses: [], dwelling_a: 200_000 }),
    homeWith('one loss', { losses: [{ kind: 'water', date: '2025-01-01', amount: 9_000 }], dwelling_a: 200_000 }),
    homeWith('one loss or two', { losses: [{ kind: 'water', date: '2025-01-01' }, { kind: 'water' }] }),
    homeWith('one claim', { total_claims: 1, dwelling_a: 100_000 }),
    homeWith('nothing', {}),
    homeWith('any county', { losses: [{}] }, { counties: undefined }),
  ];
  const perLoss = { multiply: [1_000, { count: 'losses' }] };
  const files: Readonly<Record<string, Json[]>> = {
    complete: [
      rule('few', 'decline', is(count, 'lessThan', 2)),
      rule('many', 'decline', is(count, 'greaterThanInclusive', 2)),
    ],
    'same-number': [
      rule('one', 'refer', is(count, 'equal', 1)),
      rule('two', 'decline', is(count, 'greaterThan', 1), 'unless'),
    ],
    'other-number': [
      rule('water', 'refer', is(count, 'greaterThan', 0)),
      rule('any', 'decline', is({ count: 'losses' }, 'equal', 0)),
    ],
    terms: [
      offer('water', is(count, 'equal', 1), { x_water_limit: { max: 10_000 } }),
      offer('more', is(count, 'greaterThan', 1), { x_water_limit: { max: 5_000 }, x_no_water: true }),
    ],
    arithmetic: [
      rule('few', 'refer', is({ add: [perLoss, 500] }, 'greaterThan', 1_500)),
      rule(
        'sum',
        'decline',
        is({ sum: 'losses', of: 'amount' }, 'greaterThan', { percent_of: [4, fact('dwelling_a')] }),
      ),
    ],
    joined: [
      rule('both', 'decline', { all: [is(count, 'greaterThan', 0), test('dwelling_a', 'lessThan', 150_000)] }),
      rule('either', 'require', { any: [is(count, 'greaterThan', 1), test('total_claims', 'equal', 1)] }),
    ],
  };
  return Object.entries(files).map(
    ([name, rules]): Topic => ({ name: `computed/together/${name}`, files: [file(rules)], homes }),
  );
}

const kinds = ['water', 'fire', 'theft', 'hail'];
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'];

/** Random rules that count losses and compare amounts, with random homes that lack much. */
export function randomComputedTopics(count: number, homes: number, seed = 30): Topic[] {
  const random = createRandom(seed);
  const not = () => (random() < 0.15 ? 'not:' : '');
  const order = () => `${not()}${pick(random, orders)}`;
  const itemTest = (): Json =>
    pick(random, [
      () =>
        test(
          'kind',
          `${not()}${pick(random, ['in', 'notIn'])}`,
          kinds.filter(() => random() < 0.5),
        ),
      () => test('kind', 'equal', pick(random, kinds)),
      () => test('age_years', order(), wholeNumber(random, 1, 6)),
      () => test('amount', order(), pick(random, [0, 5_000, 10_000])),
      () => test('status', 'notEqual', 'closed'),
      () => test('weather', 'equal', random() < 0.5),
    ])();
  const where = (): Json => {
    const parts = Array.from({ length: wholeNumber(random, 1, 2) }, itemTest);
    return random() < 0.2 ? { not: parts[0] } : { [pick(random, ['all', 'all', 'any'])]: parts };
  };
  const aggregate = (): Json => {
    const filter = random() < 0.85 ? { where: where() } : {};
    if (random() < 0.55) return { count: 'losses', ...filter };
    return { [pick(random, ['sum', 'min', 'max'])]: 'losses', of: pick(random, ['amount', 'age_years']), ...filter };
  };
  const amounts = ['dwelling_a', 'coverage_b', 'coverage_c'];
  const amount = (depth: number): unknown => {
    if (depth <= 0 || random() < 0.3) return fact(pick(random, amounts));
    return pick(random, [
      () => ({ percent_of: [pick(random, [2, 10, 50]), amount(depth - 1)] }),
      () => ({ multiply: [pick(random, [2, 0.5]), amount(depth - 1)] }),
      () => ({ add: [amount(depth - 1), amount(depth - 1)] }),
      () => ({ subtract: [amount(depth - 1), amount(depth - 1)] }),
      () => ({ [pick(random, ['min', 'max'])]: [100_000, amount(depth - 1)] }),
    ])();
  };
  const leaf = (): Json => {
    const roll = random();
    if (roll < 0.5) return is(aggregate(), order(), pick(random, [0, 1, 2, 3, 10_000]));
    if (roll < 0.85) return is(amount(1) as Json, order(), amount(2));
    return test('total_claims', order(), wholeNumber(random, 0, 3));
  };
  const group = (): Json => ({
    [pick(random, ['all', 'any'])]: Array.from({ length: wholeNumber(random, 1, 2) }, leaf),
  });
  const item = (): Json => ({
    ...(random() < 0.8 ? { kind: pick(random, kinds) } : {}),
    ...(random() < 0.8
      ? { date: pick(random, ['2026-02-01', '2024-11-20', '2023-11-21', '2023', '2021-11', '2021-11-20', '2019']) }
      : {}),
    ...(random() < 0.7 ? { amount: pick(random, [0, 4_999, 5_000, 10_001]) } : {}),
    ...(random() < 0.6 ? { status: pick(random, ['open', 'closed']) } : {}),
    ...(random() < 0.6 ? { weather: random() < 0.5 } : {}),
  });
  const home = (): HomeOfTopic => {
    const values: Json = {};
    if (random() < 0.65) values['losses'] = Array.from({ length: wholeNumber(random, 0, 3) }, item);
    if (random() < 0.4) values['total_claims'] = random() < 0.7 ? wholeNumber(random, 0, 3) : between(0, 2);
    for (const name of amounts) {
      const [one, other] = [wholeNumber(random, 1, 30) * 10_000, wholeNumber(random, 1, 30) * 10_000];
      if (random() < 0.7)
        values[name] = random() < 0.3 && one !== other ? between(Math.min(one, other), Math.max(one, other)) : one;
    }
    return homeWith('drawn by chance', values);
  };
  return Array.from({ length: count }, (_, index): Topic => {
    const rules = Array.from({ length: wholeNumber(random, 2, 4) }, (__, place) => {
      const id = `r${place + 1}`;
      const outcome = pick(random, ['decline', 'refer', 'require', 'inform', 'offer']);
      return {
        id,
        outcome,
        code: 'x_drawn',
        message: `Rule ${id}.`,
        [random() < 0.7 ? 'when' : 'unless']: group(),
        ...(outcome === 'offer' ? { terms: { surcharge_percent: { min: pick(random, [5, 10]) } } } : {}),
      };
    });
    return { name: `computed/drawn-${index + 1}`, files: [file(rules)], homes: Array.from({ length: homes }, home) };
  });
}
