import { file, type HomeOfTopic, type Topic } from './topic.ts';

const program = (id: string, rest: object) => ({ id, policy_types: ['ho3'], states: ['tx'], ...rest });
const rule = (id: string, outcome: string) => ({
  id,
  outcome,
  code: 'x_place',
  message: `Rule ${id}.`,
  when: { all: [{ fact: 'dwelling_a', operator: 'greaterThan', value: 1 }] },
});
const values = { dwelling_a: 200_000 };
const home = (about: string, rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({ about, values, ...rest });

const homes: readonly HomeOfTopic[] = [
  home('within'),
  home('a county left out', { counties: ['galveston'] }),
  home('a third county', { counties: ['travis'] }),
  home('the county is not known', { counties: undefined }),
  home('one of two counties, both within', { counties: ['harris', 'travis'] }),
  home('one of two counties, one left out', { counties: ['harris', 'galveston'] }),
  home('one of two counties, both left out', { counties: ['galveston', 'chambers'] }),
  home('a policy type that is not written', { policyType: 'dp3' }),
  home('a state that is not written', { state: 'ga', counties: ['chatham'] }),
  home('a state taken whole', { state: 'fl', counties: ['broward'] }),
  home('a state taken whole, county not known', { state: 'fl', counties: undefined }),
];

/** Programs by policy type, state and county; homes outside of them; unknown counties. */
export function placeTopics(): Topic[] {
  const topic = (name: string, programs: readonly object[], rules: readonly Record<string, unknown>[] = []): Topic => ({
    name: `places/${name}`,
    files: [file(rules, { programs })],
    homes,
  });
  const leftOut = { tx: { exclude: ['galveston', 'chambers'] } };
  const included = { tx: { include: ['harris', 'travis'] } };
  return [
    topic('whole-states', [program('all', { states: ['tx', 'fl'] })]),
    topic('counties-left-out', [program('inland', { states: ['tx', 'fl'], counties: leftOut })]),
    topic('counties-taken', [program('two', { states: ['tx', 'fl'], counties: included })]),
    topic('two-programs', [
      program('inland', { counties: leftOut, rules: [rule('inland', 'refer')] }),
      program('shore', { counties: { tx: { include: ['galveston'] } }, rules: [rule('shore', 'decline')] }),
      program('florida', { states: ['fl'], rules: [rule('florida', 'require')] }),
    ]),
    topic(
      'program-and-top',
      [program('inland', { counties: leftOut, rules: [rule('inland', 'require')] })],
      [rule('everywhere', 'refer')],
    ),
    topic('other-policy-types', [
      program('owners', { policy_types: ['ho3', 'ho5'], counties: leftOut }),
      program('landlords', { policy_types: ['dp3'], states: ['tx', 'fl'], rules: [rule('landlord', 'refer')] }),
    ]),
  ];
}
