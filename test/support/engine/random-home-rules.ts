import { pick, wholeNumber } from '../random.ts';

type Random = () => number;
type Json = Record<string, unknown>;

const numbers: Readonly<Record<string, readonly number[]>> = {
  dwelling_a: [75_000, 100_000, 150_000, 400_000, 1_000_000, 2_000_000],
  year_built: [1900, 1940, 1950, 1978, 1996, 2010],
  home_age: [10, 20, 30, 40, 50, 100],
  roof_age: [5, 10, 15, 20, 25, 30],
  total_claims: [0, 1, 2, 3],
  water_heater_age: [10, 15],
  hvac_age: [15, 20],
  lapse_in_coverage: [0, 30],
  no_prior: [0, 30],
  acreage: [1, 5, 25],
  protection_class: [6, 7, 8, 9],
  distance_to_coast_miles: [0.5, 1, 2.5, 5, 15, 25],
  distance_to_tidal_water_feet: [1500, 2000, 2500],
  distance_to_ocean_miles: [1, 5, 30],
  distance_to_ocean_feet: [2000, 5280],
};
const words: Readonly<Record<string, readonly string[]>> = {
  roof_type: ['architectural shingle', '3-tab shingle', 'slate', 'metal', 'tile', 'flat'],
  primary_plumbing: ['polybutylene', 'lead', 'cast iron', 'pex', 'galvanized', 'copper'],
  primary_wiring: ['aluminum single', 'cloth', 'copper', 'knob and tube'],
  structure_type: ['single family', 'townhouse', 'mobile home', 'manufactured', 'log cabin'],
  ownership: ['personal', 'trust', 'llc', 'estate'],
  usage: ['primary', 'secondary', 'seasonal', 'rental', 'vacant'],
  foundation_type: ['open', 'closed'],
  policy_type: ['ho3', 'ho5', 'dp3', 'wind only'],
  state: ['tx', 'fl', 'md'],
};
const counties = ['harris, tx', '48071', 'galveston, tx', 'miami-dade, fl', 'baltimore, md', '24510'];
const orders = ['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'notEqual'];

/** A test of a home as rule authors write them, in every unit, under decorators now and then. */
export function randomHomeTest(random: Random): Json {
  const roll = random();
  const not = random() < 0.1 ? 'not:' : '';
  if (roll < 0.1) {
    if (random() < 0.2)
      return { fact: 'county', operator: 'swap:contains', value: counties.filter(() => random() < 0.5) };
    if (random() < 0.3) return { fact: 'county', operator: `${not}notEqual`, value: pick(random, counties) };
    return {
      fact: 'county',
      operator: `${not}${pick(random, ['in', 'notIn'])}`,
      value: counties.filter(() => random() < 0.5),
    };
  }
  if (roll < 0.4) {
    const fact = pick(random, Object.keys(words));
    const list = words[fact]!;
    if (random() < 0.5)
      return { fact, operator: `${not}${pick(random, ['equal', 'notEqual'])}`, value: pick(random, list) };
    return { fact, operator: `${not}${pick(random, ['in', 'notIn'])}`, value: list.filter(() => random() < 0.5) };
  }
  const fact = pick(random, Object.keys(numbers));
  const limits = numbers[fact]!;
  if (random() < 0.08) {
    const others = Object.keys(numbers).filter((name) => name.startsWith('distance') === fact.startsWith('distance'));
    return { fact, operator: `${not}${pick(random, orders)}`, value: { fact: pick(random, others) } };
  }
  if (random() < 0.08) return { fact, operator: `${not}in`, value: limits.filter(() => random() < 0.5) };
  if (random() < 0.08)
    return { fact, operator: `${pick(random, ['someValue', 'everyValue'])}:${pick(random, orders)}`, value: limits };
  return { fact, operator: `${not}${pick(random, orders)}`, value: pick(random, limits) };
}

/** A condition whose root is a group; `shared` are the names it may call on. */
export function randomHomeCondition(random: Random, depth: number, shared: readonly string[] = []): Json {
  const node = (left: number): Json => {
    const roll = random();
    if (roll < 0.1 && shared.length > 0) return { condition: pick(random, shared) };
    if (left === 0 || roll < 0.45) return randomHomeTest(random);
    if (roll < 0.55) return { not: node(left - 1) };
    return { [pick(random, ['all', 'any'])]: Array.from({ length: wholeNumber(random, 0, 3) }, () => node(left - 1)) };
  };
  const condition = node(depth);
  return 'fact' in condition ? { [pick(random, ['all', 'any'])]: [condition, node(0)] } : condition;
}
