import { createRandom, pick, wholeNumber } from '../random.ts';

type Json = Record<string, unknown>;

/** Fields of homes with limits enough that no two tests need be alike. */
const numbers: Readonly<Record<string, readonly [min: number, max: number]>> = {
  dwelling_a: [50_000, 3_000_000],
  year_built: [1650, 2020],
  total_claims: [0, 80],
  water_heater_age: [1, 60],
  hvac_age: [1, 60],
  roof_age: [1, 90],
  lapse_in_coverage: [1, 300],
  no_prior: [1, 300],
  acreage: [1, 500],
  protection_class: [1, 8],
  distance_to_coast_miles: [1, 500],
  distance_to_ocean_miles: [1, 500],
};
const words: Readonly<Record<string, readonly string[]>> = {
  roof_type: ['architectural shingle', '3-tab shingle', 'slate', 'metal', 'tile'],
  primary_plumbing: ['polybutylene', 'lead', 'cast iron', 'pex', 'galvanized', 'copper'],
  primary_wiring: ['aluminum single', 'cloth', 'copper', 'knob and tube'],
  structure_type: ['single family', 'townhouse', 'mobile home', 'manufactured', 'log cabin'],
  ownership: ['personal', 'trust', 'llc', 'estate'],
  usage: ['primary', 'secondary', 'seasonal', 'rental', 'vacant'],
};
const facts = [...Object.keys(numbers), ...Object.keys(words)];
const allTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'];

/** Header of a hostile file: its identity and where it applies. */
export interface HostileOptions {
  readonly carrierKey?: string;
  readonly seed?: number;
  readonly policyTypes?: readonly string[];
  readonly states?: readonly string[];
}

/**
 * Rule sets that are small to write and expensive to evaluate, each in a different way. Tests measure that none of them
 * blocks a service, whether it accepts or rejects them.
 */
export const hostileRuleSets = {
  /** 20 rules, each all of three shared `any` lists of 10: a thousand terms a rule, in 17 kB. */
  products: (options: HostileOptions = {}) => hostileProducts(20, 6, 10, options),
  /** 290 rules that name one shared condition of 31 × 31 terms, in 72 kB. */
  repeated: (options: HostileOptions = {}) => hostileRepeats(290, 31, options),
  /** 500 rules of six plain tests each. */
  naive: (options: HostileOptions = {}) => hostileTests(500, 6, options),
  /** 500 rules of one limit each, all on other values. */
  limits: (options: HostileOptions = {}) => hostileTests(500, 1, options),
  /** A list of so many values as fit. */
  longLists: (options: HostileOptions = {}) => hostileLists(30_000, options),
} as const;

/** Rules each all of three of some shared `any` lists, no two rules of the same three. */
export function hostileProducts(rules: number, lists: number, length: number, options: HostileOptions = {}): Json {
  const random = createRandom(options.seed ?? 1);
  const conditions: Json = {};
  for (let list = 0; list < lists; list++) conditions[`list ${list}`] = { any: differentTests(random, length) };
  const threes: Json[] = [];
  for (let a = 0; a < lists; a++)
    for (let b = a + 1; b < lists; b++)
      for (let c = b + 1; c < lists; c++)
        threes.push({ all: [a, b, c].map((list) => ({ condition: `list ${list}` })) });
  return hostileFile(
    Array.from({ length: rules }, (_, index) => threes[index % threes.length]!),
    conditions,
    options,
  );
}

/** Rules that all share one condition of `side` × `side` terms, and each add one test. */
export function hostileRepeats(rules: number, side: number, options: HostileOptions = {}): Json {
  const random = createRandom(options.seed ?? 1);
  const any = () => ({ any: Array.from({ length: side }, () => randomTest(random, pick(random, facts))) });
  const conditions = { wide: { all: [any(), any()] } };
  return hostileFile(
    Array.from({ length: rules }, () => ({ all: [{ condition: 'wide' }] })),
    conditions,
    options,
  );
}

/** Rules of so many tests each, all of which must hold. */
export function hostileTests(rules: number, tests: number, options: HostileOptions = {}): Json {
  const random = createRandom(options.seed ?? 1);
  return hostileFile(
    Array.from({ length: rules }, () => ({ all: differentTests(random, tests) })),
    {},
    options,
  );
}

/** One rule with a list of so many numbers. */
export function hostileLists(values: number, options: HostileOptions = {}): Json {
  const value = Array.from({ length: values }, (_, index) => 100_001 + 2 * index);
  return hostileFile([{ all: [{ fact: 'dwelling_a', operator: 'in', value }] }], {}, options);
}

function hostileFile(whens: readonly Json[], conditions: Json, options: HostileOptions): Json {
  const key = options.carrierKey ?? 'hostile';
  return {
    format: 1,
    carrier: { key, name: key },
    version: '1',
    effective: { from: '2020-01-01', until: null },
    conditions,
    rules: whens.map((when, index) => ({
      id: `r${index}`,
      outcome: index % 2 === 0 ? 'decline' : 'refer',
      code: `x_${index % 20}`,
      message: 'No.',
      when,
    })),
    programs: [{ id: 'all', policy_types: options.policyTypes ?? allTypes, states: options.states ?? ['tx', 'fl'] }],
  };
}

/** Tests of as many different fields, if there are as many. */
function differentTests(random: () => number, count: number): Json[] {
  const left = [...facts];
  return Array.from({ length: count }, () => {
    const fact = left.length > 0 ? left.splice(wholeNumber(random, 0, left.length - 1), 1)[0]! : pick(random, facts);
    return randomTest(random, fact);
  });
}

/** A test that rarely contains another: it names few values of a field, so that no term absorbs another. */
function randomTest(random: () => number, fact: string): Json {
  const range = numbers[fact];
  if (range) {
    const from = wholeNumber(random, ...range);
    return { fact, operator: 'in', value: [from, from + wholeNumber(random, 1, 2)] };
  }
  const value = words[fact]!.filter(() => random() < 0.5);
  return { fact, operator: 'in', value: value.length > 0 ? value : words[fact]!.slice(0, 1) };
}
