import { countiesOf } from '@leeward/places/counties';
import { createRandom, pick, wholeNumber } from '../../test/support/random.ts';

/** A condition of json-rules-engine, which is translated for every peer. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { fact: string; operator: string; value: unknown };

export interface BenchmarkRule {
  readonly id: string;
  readonly outcome: 'decline' | 'refer';
  readonly code: string;
  readonly message: string;
  readonly when: Condition;
}

export interface BenchmarkProgram {
  readonly policyType: string;
  /** FIPS codes of counties not written. */
  readonly excluded: readonly string[];
  readonly rules: readonly BenchmarkRule[];
}

export interface BenchmarkCarrier {
  readonly key: string;
  readonly programs: readonly BenchmarkProgram[];
}

export const states = ['fl', 'tx', 'la', 'ms', 'al', 'ga', 'sc', 'nc', 'va', 'md', 'de', 'ny', 'nj', 'ma', 'ca'];
export const policyTypes = ['ho3', 'ho5', 'ho8', 'dp1', 'dp3', 'wind only', 'x-wind'];
export const words: Readonly<Record<string, readonly string[]>> = {
  roof_type: [
    'architectural shingle',
    '3-tab shingle',
    'slate',
    'metal',
    'tile',
    'flat',
    'wood shake',
    'built up',
    'membrane',
    'other',
  ],
  ownership: ['personal', 'trust', 'llc', 'estate', 'other'],
  usage: ['primary', 'secondary', 'seasonal', 'rental', 'vacant', 'other'],
  primary_plumbing: ['polybutylene', 'lead', 'cast iron', 'pex', 'galvanized', 'copper', 'cpvc', 'pvc', 'other'],
  primary_wiring: [
    'aluminum multi strand',
    'aluminum with alumiconn',
    'aluminum single',
    'aluminum with copalum',
    'cloth',
    'copper',
    'knob and tube',
    'other',
  ],
  structure_type: [
    'single family',
    'townhouse',
    'duplex',
    'triplex',
    'fourplex',
    'mobile home',
    'manufactured',
    'log cabin',
    'modular',
    'condo',
    'rowhouse',
    'other',
  ],
  foundation_type: ['open', 'closed', 'other'],
};

const over = (fact: string, value: number): Condition => ({ fact, operator: 'greaterThan', value });
const under = (fact: string, value: number): Condition => ({ fact, operator: 'lessThan', value });
const is = (fact: string, value: string): Condition => ({ fact, operator: 'equal', value });
const among = (fact: string, value: readonly string[]): Condition => ({ fact, operator: 'in', value });

/** 50 carriers × 7 policy types × 25 rules, each with separate limits. */
export function createCarriers(seed: number, count = 50): BenchmarkCarrier[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, carrier) => ({
    key: `carrier_${carrier}`,
    programs: policyTypes.map((policyType, type) => ({
      policyType,
      excluded: random() < 0.5 ? excludedCounties(random) : [],
      rules: createRules(random, `c${carrier}-t${type}`),
    })),
  }));
}

function excludedCounties(random: () => number): string[] {
  return some(random, states, 0.15).flatMap((state) =>
    some(random, countiesOf(state), 0.06).map((county) => county.fips),
  );
}

function createRules(random: () => number, prefix: string): BenchmarkRule[] {
  const roof = (type: string, age: number): Condition => ({ all: [is('roof_type', type), over('roof_age', age)] });
  const candidates: (readonly [BenchmarkRule['outcome'], string, Condition])[] = [
    ['decline', 'coverage_a', under('dwelling_a', wholeNumber(random, 4, 30) * 5_000)],
    ['decline', 'coverage_a', over('dwelling_a', wholeNumber(random, 14, 100) * 50_000)],
    ['decline', 'roof_age', roof('3-tab shingle', wholeNumber(random, 10, 20))],
    ['decline', 'roof_age', roof('architectural shingle', wholeNumber(random, 15, 25))],
    ['decline', 'roof_age', roof('metal', wholeNumber(random, 20, 50))],
    ['decline', 'roof_age', roof('tile', wholeNumber(random, 20, 50))],
    [
      'decline',
      'roof_type',
      among('roof_type', some(random, ['wood shake', 'flat', 'built up', 'membrane', 'slate'], 0.4)),
    ],
    ['decline', 'claims', over('total_claims', wholeNumber(random, 1, 4))],
    ['refer', 'claims', over('total_claims', wholeNumber(random, 0, 2))],
    [
      'decline',
      'wiring',
      among('primary_wiring', some(random, ['cloth', 'knob and tube', 'aluminum single', 'other'], 0.6)),
    ],
    [
      'refer',
      'wiring',
      {
        all: [
          among('primary_wiring', ['aluminum with alumiconn', 'aluminum with copalum']),
          under('year_built', wholeNumber(random, 1960, 1980)),
        ],
      },
    ],
    ['decline', 'plumbing', among('primary_plumbing', some(random, ['polybutylene', 'lead', 'galvanized'], 0.6))],
    [
      'refer',
      'plumbing',
      { all: [is('primary_plumbing', 'cast iron'), over('home_age', wholeNumber(random, 30, 60))] },
    ],
    ['decline', 'home_age', over('home_age', wholeNumber(random, 60, 120))],
    [
      'refer',
      'home_age',
      { all: [over('home_age', wholeNumber(random, 30, 50)), over('hvac_age', wholeNumber(random, 10, 20))] },
    ],
    ['decline', 'lapse', over('lapse_in_coverage', wholeNumber(random, 1, 9) * 10)],
    ['refer', 'no_prior_insurance', over('no_prior', wholeNumber(random, 1, 12) * 30)],
    ['decline', 'protection_class', over('protection_class', wholeNumber(random, 6, 9))],
    ['refer', 'acreage', over('acreage', wholeNumber(random, 1, 10))],
    ['decline', 'ownership', among('ownership', some(random, ['llc', 'estate', 'other'], 0.5))],
    ['decline', 'usage', among('usage', some(random, ['vacant', 'seasonal', 'rental', 'other'], 0.4))],
    [
      'decline',
      'structure_type',
      among('structure_type', some(random, ['mobile home', 'manufactured', 'log cabin', 'fourplex', 'other'], 0.6)),
    ],
    [
      'decline',
      'foundation',
      { all: [is('foundation_type', 'open'), under('year_built', wholeNumber(random, 1950, 2000))] },
    ],
    [
      'decline',
      'water_heater_age',
      { all: [over('water_heater_age', wholeNumber(random, 10, 25)), over('home_age', wholeNumber(random, 15, 40))] },
    ],
    [
      'decline',
      'coverage_a',
      {
        all: [
          among('state', some(random, states, 0.3)),
          under('year_built', wholeNumber(random, 1950, 1996)),
          { any: [under('dwelling_a', wholeNumber(random, 20, 50) * 5_000), among('usage', ['rental', 'vacant'])] },
        ],
      },
    ],
  ];
  return candidates.map(([outcome, code, when], index) => ({
    id: `${prefix}-${index}`,
    outcome,
    code,
    message: `Outside the guide: ${code.replaceAll('_', ' ')}.`,
    when: 'all' in when || 'any' in when ? when : { all: [when] },
  }));
}

export function toRuleSets(carriers: readonly BenchmarkCarrier[]): unknown[] {
  return carriers.map((carrier) => ({
    format: 1,
    carrier: { key: carrier.key, name: carrier.key },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    programs: carrier.programs.map((program) => {
      const byState = new Map<string, string[]>();
      for (const fips of program.excluded) {
        const state = states.find((each) => countiesOf(each).some((county) => county.fips === fips))!;
        byState.set(state, [...(byState.get(state) ?? []), fips]);
      }
      return {
        id: program.policyType,
        policy_types: [program.policyType],
        states,
        ...(byState.size > 0
          ? { counties: Object.fromEntries([...byState].map(([state, exclude]) => [state, { exclude }])) }
          : {}),
        rules: program.rules.map(({ id, outcome, code, message, when }) => ({ id, outcome, code, message, when })),
      };
    }),
  }));
}

function some<T>(random: () => number, list: readonly T[], share: number): T[] {
  const chosen = list.filter(() => random() < share);
  return chosen.length > 0 ? chosen : [pick(random, list)];
}
