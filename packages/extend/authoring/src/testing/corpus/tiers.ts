import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { file, type HomeOfTopic, type Topic, test } from './topic.ts';

type Json = Record<string, unknown>;

const rule = (id: string, outcome: string, tests: readonly object[], rest: object = {}): Json => ({
  id,
  outcome,
  code: 'x_tier',
  message: `Rule ${id}.`,
  when: { all: tests },
  ...rest,
});

const over = (fact: string, value: number) => test(fact, 'greaterThan', value);

const tier = (rank: number, rules: readonly object[], rest: object = {}): Json => ({
  id: `rank-${rank}`,
  policy_types: ['ho3'],
  states: ['tx'],
  tier: { of: 'home', rank },
  rules,
  ...rest,
});

const complete = { total_claims: 0, acreage: 1, dwelling_a: 200_000, protection_class: 3 };
const home = (about: string, values: object, rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({
  about,
  values: { ...complete, ...values },
  ...rest,
});

/** Without some of the fields of a complete home. */
const without = (about: string, names: readonly string[], values: object = {}, rest: Partial<HomeOfTopic> = {}) => {
  const fields = Object.entries({ ...complete, ...values }).filter(([name]) => !names.includes(name));
  return { about, values: Object.fromEntries(fields), ...rest };
};

const homes: readonly HomeOfTopic[] = [
  home('the best tier takes it', {}),
  home('the second takes it', { total_claims: 1 }),
  home('the second takes it, for another reason', { acreage: 6 }),
  home('only a referral', { total_claims: 2 }),
  home('all decline', { total_claims: 4 }),
  home('a rule at the top declines', { protection_class: 10 }),
  home('a rule at the top declines what no tier takes', { protection_class: 10, total_claims: 4 }),
  without('the tier is open, the status is not', ['acreage']),
  without('both are open', ['total_claims']),
  without('two fields are unknown', ['total_claims', 'acreage']),
  without('a rule at the top is open', ['protection_class']),
  without('everything is unknown', ['total_claims', 'acreage', 'dwelling_a', 'protection_class']),
  without('the county is unknown', [], {}, { counties: undefined }),
  without('the county and a field are unknown', ['acreage'], {}, { counties: undefined }),
  home('one of two counties', {}, { counties: ['harris', 'galveston'] }),
  home('one of two counties, with a claim', { total_claims: 1 }, { counties: ['harris', 'galveston'] }),
  home('a county with fewer tiers', { total_claims: 1 }, { counties: ['galveston'] }),
  home('a policy type without tiers', { total_claims: 1 }, { policyType: 'dp3' }),
  home('another state', {}, { state: 'fl', counties: ['broward'] }),
];

const preferred = [
  rule('preferred-claims', 'decline', [over('total_claims', 0)]),
  rule('acres', 'decline', [over('acreage', 5)]),
];
const standard = [
  rule('standard-claims', 'refer', [over('total_claims', 1)]),
  rule('standard-many', 'decline', [over('total_claims', 3)]),
];
const top = [rule('class', 'decline', [over('protection_class', 9)])];
const inland = { counties: { tx: { exclude: ['galveston'] } } };
const named = { tier: { of: 'home', rank: 1, name: 'Preferred' } };

/** Programs that are tiers of a ladder: their order, places, rules and unknown fields. */
export function tierTopics(): Topic[] {
  const topic = (name: string, programs: readonly object[], rules: readonly Json[] = top): Topic => ({
    name: `tiers/${name}`,
    files: [file(rules, { programs })],
    homes,
  });
  const need = (id: string, tests: readonly object[] = []) => rule(id, 'require', tests);
  const offer = (id: string, min: number) =>
    rule(id, 'offer', [], { terms: { wind_hail_deductible_percent: { min } } });
  return [
    topic('two', [tier(1, preferred, named), tier(2, standard)]),
    topic('in-any-order', [tier(2, standard), tier(1, preferred)]),
    topic('three', [
      tier(1, preferred),
      tier(5, [rule('middle', 'decline', [over('total_claims', 1)])]),
      tier(9, [rule('last', 'refer', [])]),
    ]),
    topic('places', [tier(1, preferred, inland), tier(2, standard)]),
    topic('places-of-the-last', [tier(1, preferred), tier(2, standard, inland)]),
    topic('places-of-both', [tier(1, preferred, inland), tier(2, standard, inland)]),
    topic('beside-a-program', [
      tier(1, preferred, inland),
      tier(2, standard, inland),
      {
        id: 'shore',
        policy_types: ['ho3'],
        states: ['tx'],
        counties: { tx: { include: ['galveston'] } },
        rules: [rule('shore', 'refer', [])],
      },
      { id: 'landlords', policy_types: ['dp3'], states: ['tx', 'fl'], rules: [] },
    ]),
    topic('two-ladders', [
      tier(1, preferred, inland),
      tier(2, standard, inland),
      tier(1, [], { id: 'shore', tier: { of: 'shore', rank: 1 }, counties: { tx: { include: ['galveston'] } } }),
    ]),
    topic('alone', [tier(3, standard)]),
    topic('referrals', [
      tier(1, [rule('look', 'refer', [over('acreage', 5)]), rule('none', 'decline', [over('total_claims', 1)])]),
      tier(2, [rule('look-too', 'refer', [over('total_claims', 0)])]),
    ]),
    topic(
      'requirements',
      [
        tier(1, [...preferred, need('photo'), need('survey', [over('acreage', 4)])]),
        tier(2, [...standard, need('inspection'), rule('hint', 'inform', [])]),
      ],
      [...top, need('form', [over('dwelling_a', 1)])],
    ),
    topic(
      'terms',
      [tier(1, [...preferred, offer('one', 1)]), tier(2, [...standard, offer('two', 2)])],
      [...top, rule('every', 'offer', [over('acreage', 2)], { terms: { roof_settlement: 'actual cash value' } })],
    ),
    topic('moratorium', [tier(1, preferred), tier(2, standard)]),
  ].map((each) =>
    each.name === 'tiers/moratorium'
      ? {
          ...each,
          files: each.files.map((one) => ({
            ...one,
            moratoria: [
              {
                id: 'storm',
                from: '2026-11-01T00:00:00Z',
                states: ['tx'],
                counties: { tx: { include: ['galveston'] } },
                message: 'Closed.',
              },
            ],
          })),
        }
      : each,
  );
}

/** Ladders of random rules, with homes that lack fields. */
export function randomTierTopics(files: number, homesOfFile: number, seed: number): Topic[] {
  const random = createRandom(seed);
  const limits: Readonly<Record<string, readonly number[]>> = {
    total_claims: [0, 1, 2, 3],
    acreage: [1, 2, 5],
    protection_class: [3, 6, 9],
  };
  const facts = Object.keys(limits);
  const randomTest = () => {
    const fact = pick(random, facts);
    return test(fact, pick(random, ['greaterThan', 'lessThan', 'equal']), pick(random, limits[fact]!));
  };
  const randomRules = (id: string, max: number) =>
    Array.from({ length: wholeNumber(random, 0, max) }, (_, index) => {
      const outcome = pick(random, ['decline', 'decline', 'decline', 'refer', 'refer', 'require', 'inform']);
      return rule(`${id}-${index}`, outcome, Array.from({ length: wholeNumber(random, 1, 2) }, randomTest));
    });
  const places = () => (random() < 0.3 ? inland : {});
  return Array.from({ length: files }, (_, index): Topic => {
    const programs = Array.from({ length: wholeNumber(random, 2, 3) }, (_, rank) =>
      tier(rank + 1, randomRules(`t${rank + 1}`, 4), places()),
    );
    return {
      name: `tiers/random-${index + 1}`,
      files: [file(randomRules('top', 2), { programs })],
      homes: Array.from({ length: homesOfFile }, (_, number): HomeOfTopic => {
        const values = facts.filter(() => random() < 0.6).map((fact) => [fact, pick(random, limits[fact]!)]);
        const counties = random() < 0.7 ? ['harris'] : random() < 0.5 ? ['galveston'] : undefined;
        return { about: `random home ${number + 1}`, values: Object.fromEntries(values), counties };
      }),
    };
  });
}
