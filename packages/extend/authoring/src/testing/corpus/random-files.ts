import { homeVocabulary } from '@leeward/engine';
import { randomHomeCondition } from '../../../../../../test/support/engine/random-home-rules.ts';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { drawnHome } from './random-rules.ts';
import { file, type Topic } from './topic.ts';

const outcomes = ['decline', 'decline', 'refer', 'require', 'inform'];
/** Fields of the first revision: later fields do not change these cases. */
const quoted = [
  'dwelling_a',
  'home_age',
  'roof_age',
  'total_claims',
  'usage',
  'county',
  'distance_to_coast_feet',
  'acreage',
];

/**
 * Random files that use most of the format: shared conditions, rules at the top and of two programs, priorities, imported rules,
 * messages with facts, a moratorium.
 */
export function randomFileTopics(count: number, homes: number, seed = 26): Topic[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, index): Topic => {
    const shared = Object.fromEntries(['first', 'second'].map((name) => [name, randomHomeCondition(random, 1)]));
    let number = 0;
    const rules = (length: number) =>
      Array.from({ length }, () => {
        const id = `r${++number}`;
        const condition = randomHomeCondition(random, 2, Object.keys(shared));
        const message = `Rule ${number}: {${pick(random, quoted)}} ${pick(random, ['years', 'feet', 'is too much', 'claims', ''])}.`;
        const priority = random() < 0.3 ? { priority: wholeNumber(random, -1, 3) } : {};
        const outcome = pick(random, outcomes);
        if (random() < 0.15)
          return { name: id, conditions: condition, event: { type: outcome, params: { message } }, ...priority };
        return { id, outcome, code: 'x_drawn', message, [random() < 0.7 ? 'when' : 'unless']: condition, ...priority };
      });
    const split = pick(random, [
      { tx: ['harris', 'travis'] },
      { fl: ['broward'] },
      { tx: ['galveston'], md: ['baltimore'] },
    ]);
    const selection = (mode: string) =>
      Object.fromEntries(Object.entries(split).map(([state, names]) => [state, { [mode]: names }]));
    const top = rules(wholeNumber(random, 1, 3));
    const types = ['ho3', 'ho5', 'dp3', 'wind only'];
    const programs = [
      {
        id: 'here',
        policy_types: types,
        states: ['tx', 'fl', 'md'],
        counties: selection('exclude'),
        rules: rules(wholeNumber(random, 0, 2)),
      },
      ...(random() < 0.5
        ? [
            {
              id: 'there',
              policy_types: types.slice(0, 2),
              states: Object.keys(split),
              counties: selection('include'),
              rules: rules(wholeNumber(random, 1, 2)),
            },
          ]
        : []),
    ];
    const storm = {
      id: 'storm',
      from: '2026-11-20T06:00:00-06:00',
      message: 'Closed: {county}.',
      counties: selection('include'),
    };
    return {
      name: `mixed/${index + 1}`,
      files: [file(top, { conditions: shared, programs, ...(random() < 0.3 ? { moratoria: [storm] } : {}) })],
      homes: Array.from({ length: homes }, () => {
        const home = drawnHome(random, fields);
        const counties = random() < 0.2 && home.state === 'tx' ? ['harris', 'galveston'] : home.counties;
        return { ...home, counties, isLocated: random() < 0.2 };
      }),
    };
  });
}

const fields = homeVocabulary.fields.slice(0, 20);
