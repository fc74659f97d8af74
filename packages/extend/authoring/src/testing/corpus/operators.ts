import { between, file, type HomeOfTopic, oneOf, type Topic, test } from './topic.ts';

const outcomes = ['decline', 'refer', 'require', 'inform'] as const;
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];
const equalities = ['equal', 'notEqual'];
const lists = ['in', 'notIn'];

/** A fact with constants, and homes on every side of them. */
interface Compared {
  readonly fact: string;
  readonly operators: readonly (readonly [operator: string, value: unknown])[];
  readonly homes: readonly HomeOfTopic[];
}

/** Every operator and decorator on every kind of fact, with a home for every kind of knowledge. */
export function operatorTopics(): Topic[] {
  return compared().flatMap(({ fact, operators, homes }) =>
    operators.map(([operator, value], index): Topic => {
      const outcome = outcomes[index % outcomes.length]!;
      const side = index % 3 === 2 ? 'unless' : 'when';
      const rule = { id: 'rule', outcome, code: 'x_rule', message: `Because of {${fact}}.` };
      return {
        name: `operators/${fact}/${operator}-${index + 1}`,
        files: [file([{ ...rule, [side]: { all: [test(fact, operator, value)] } }])],
        homes: homes.map((home) => ({
          ...home,
          about: `${outcome} ${side} ${fact} ${operator} ${JSON.stringify(value)}: ${home.about}`,
        })),
      };
    }),
  );
}

/** Every order, equality and list against one limit, plain and negated, and lists under decorators. */
function numbers(limit: number, others: readonly number[]): [string, unknown][] {
  const list = [limit, ...others];
  return [
    ...orders.flatMap((name): [string, unknown][] => [
      [name, limit],
      [`not:${name}`, limit],
      [`someValue:${name}`, list],
      [`everyValue:${name}`, list],
    ]),
    ...equalities.flatMap((name): [string, unknown][] => [
      [name, limit],
      [`not:${name}`, limit],
    ]),
    ...lists.flatMap((name): [string, unknown][] => [
      [name, list],
      [`not:${name}`, list],
      [name, []],
    ]),
    ['swap:contains', list],
    ['swap:doesNotContain', list],
    ['someFact:equal', limit],
    ['everyFact:equal', limit],
  ];
}

function words(word: string, others: readonly string[]): [string, unknown][] {
  const list = [word, ...others];
  return [
    ...equalities.flatMap((name): [string, unknown][] => [
      [name, word],
      [`not:${name}`, word],
    ]),
    ...lists.flatMap((name): [string, unknown][] => [
      [name, list],
      [`not:${name}`, list],
    ]),
    ['in', []],
    ['someValue:equal', list],
    ['everyValue:notEqual', list],
    ['swap:contains', list],
    ['swap:doesNotContain', list],
  ];
}

/** Homes below, at and above a limit: exact, bounded, and unknown. */
function around(field: string, [below, at, above]: readonly [number, number, number], min: number, max: number) {
  const home = (about: string, value?: unknown): HomeOfTopic => ({ about, values: { [field]: value } });
  return [
    home('just below the limit', below),
    home('at the limit', at),
    home('just above the limit', above),
    home('nothing is known'),
    home('within bounds below the limit', between(min, below)),
    home('within bounds above the limit', between(above, max)),
    home('within bounds that hold the limit', between(below, above)),
    home('within bounds that end at the limit', between(min, at)),
  ];
}

function compared(): Compared[] {
  return [
    { fact: 'total_claims', operators: numbers(2, [4]), homes: around('total_claims', [1, 2, 3], 0, 9) },
    { fact: 'acreage', operators: numbers(5, [0.5]), homes: around('acreage', [4.99, 5, 5.01], 0, 40) },
    // Ages run against years: the year after the limit's is below it.
    { fact: 'home_age', operators: numbers(30, [100]), homes: around('year_built', [1995, 1996, 1997], 1880, 2020) },
    {
      fact: 'distance_to_coast_miles',
      operators: numbers(1, [5]),
      homes: around('distance_to_tidal_water_meters', [1609.3439, 1609.344, 1609.3441], 0, 60_000),
    },
    {
      fact: 'distance_to_ocean_feet',
      operators: numbers(2_500, [5_280]).slice(0, 12),
      homes: around('distance_to_ocean_meters', [761.9, 762, 762.1], 0, 60_000),
    },
    {
      fact: 'roof_type',
      operators: words('slate', ['metal']),
      homes: [
        { about: 'the word', values: { roof_type: 'slate' } },
        { about: 'another of the list', values: { roof_type: 'metal' } },
        { about: 'a word of no list', values: { roof_type: 'tile' } },
        { about: 'nothing is known', values: {} },
        { about: 'one of two, both of the list', values: { roof_type: oneOf('slate', 'metal') } },
        { about: 'one of two, neither of the list', values: { roof_type: oneOf('tile', 'flat') } },
        { about: 'one of two, one of the list', values: { roof_type: oneOf('slate', 'flat') } },
      ],
    },
    {
      fact: 'county',
      operators: words('harris, tx', ['48071']),
      homes: [
        { about: 'the county', values: {} },
        { about: 'another of the list', values: {}, counties: ['chambers'] },
        { about: 'a county of no list', values: {}, counties: ['travis'] },
        { about: 'the county is not known', values: {}, counties: undefined },
        { about: 'one of two, both of the list', values: {}, counties: ['harris', 'chambers'] },
        { about: 'one of two, one of the list', values: {}, counties: ['harris', 'travis'] },
      ],
    },
    {
      fact: 'policy_type',
      operators: words('ho3', ['wind only']).slice(0, 8),
      homes: [
        { about: 'the policy type of the home', values: {} },
        { about: 'another policy type', values: {}, policyType: 'ho5' },
      ],
    },
    { fact: 'state', operators: words('tx', ['fl']).slice(0, 8), homes: [{ about: 'Texas', values: {} }] },
    {
      fact: 'year_built',
      operators: [...orders, ...equalities].map((name) => [name, { fact: 'dwelling_a' }]),
      homes: [
        { about: 'a fact against a greater one', values: { year_built: 1990, dwelling_a: 300_000 } },
        { about: 'a fact against an equal one', values: { year_built: 1990, dwelling_a: 1990 } },
        { about: 'the other is not known', values: { year_built: 1990 } },
        { about: 'neither is known', values: {} },
        { about: 'bounds apart from the other', values: { year_built: 1990, dwelling_a: between(3_000, 9_000) } },
        { about: 'bounds that hold the other', values: { year_built: 1990, dwelling_a: between(1_000, 9_000) } },
      ],
    },
  ];
}
