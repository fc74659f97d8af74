import { evidenceSources } from '@leeward/engine';
import { createRandom, pick, wholeNumber } from '../../../../../../test/support/random.ts';
import { file, type HomeOfTopic, type Topic, test } from './topic.ts';

type Evidence = NonNullable<HomeOfTopic['evidence']>;

const rule = (id: string, outcome: string, condition: object, side = 'when') => ({
  id,
  outcome,
  code: 'x_rule',
  message: `Rule ${id}.`,
  [side]: condition,
});
const homeWith = (about: string, evidence: Evidence, values: HomeOfTopic['values'] = {}): HomeOfTopic => ({
  about,
  values,
  evidence,
});

const age = (name: string, operator: string, value: unknown) => test(`${name}.evidence_age_years`, operator, value);
const source = (name: string, operator: string, value: unknown) => test(`${name}.source`, operator, value);

/** Dates around the anniversaries before 20 November 2026, and shorter ones. */
const dates = [
  '2026-11-20',
  '2026',
  '2025-11-21',
  '2025-11-20',
  '2024-02-29',
  '2023-11-21',
  '2023-11-20',
  '2023-11',
  '2023-10',
  '2023',
  '2022',
  '2021-12',
  '1999',
  '1900-01-01',
];

/** Tests of the date and the source of a value. */
export function evidenceTopics(): Topic[] {
  const one = (name: string, condition: object, homes: readonly HomeOfTopic[]): Topic => ({
    name: `evidence/${name}`,
    files: [file([rule('rule', 'decline', { all: [condition] })])],
    homes,
  });
  const dated = dates.map((asOf) => homeWith(`roof as of ${asOf}`, { roof_year: { asOf } }));
  const roofs = [...dated, homeWith('no date', { roof_year: { source: 'permit' } }), homeWith('no evidence', {})];
  const sourced = [...evidenceSources.slice(0, 8), 'x_drone', 'x_other'].map((each) =>
    homeWith(`from ${each}`, { primary_wiring: { source: each } }),
  );
  const wirings = [...sourced, homeWith('no source', { primary_wiring: { asOf: '2025' } }), homeWith('nothing', {})];
  const approval = {
    all: [source('primary_wiring', 'in', ['electrician', 'inspection']), age('primary_wiring', 'lessThan', 5)],
  };
  const oldWiring = { all: [test('primary_wiring', 'in', ['knob and tube', 'aluminum single'])] };
  const knob = { primary_wiring: 'knob and tube' };
  return [
    ...['lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive', 'equal', 'not:lessThan'].map(
      (operator) => one(`age-${operator}`, age('roof_year', operator, 3), roofs),
    ),
    one('age-in', age('roof_age', 'in', [0, 3]), roofs),
    one('age-added', { add: [{ fact: 'roof_age.evidence_age_years' }, 2], operator: 'greaterThan', value: 4 }, roofs),
    one(
      'age-against-age',
      test('roof_age', 'greaterThanInclusive', { fact: 'roof_year.evidence_age_years' }),
      [...dated, homeWith('no date', {})].map((each) => ({ ...each, values: { roof_year: 2023, roof_type: 'tile' } })),
    ),
    one(
      'age-always',
      { any: [age('roof_year', 'lessThan', 40), age('roof_year', 'greaterThan', 30)] },
      roofs.slice(-3),
    ),
    ...(
      [
        ['equal', 'inspection'],
        ['notEqual', 'inspection'],
        ['not:equal', 'x_drone'],
        ['in', ['electrician', 'inspection']],
        ['notIn', ['applicant', 'x_drone']],
        ['not:in', ['x_drone']],
        ['in', []],
      ] as const
    ).map(([operator, value]) =>
      one(`source-${operator}-${[value].flat().join('-')}`, source('primary_wiring', operator, value), wirings),
    ),
    one(
      'source-always',
      { any: [source('primary_wiring', 'equal', 'permit'), source('primary_wiring', 'notEqual', 'permit')] },
      [homeWith('nothing', {})],
    ),
    one('set', source('dogs', 'equal', 'applicant'), [
      homeWith('given', { dogs: { source: 'applicant' } }, { dogs: [] }),
      homeWith('missing', {}, { dogs: [] }),
    ]),
    one('list', age('losses', 'greaterThan', 0), [
      homeWith('given', { losses: { asOf: '2024-01-01' } }, { losses: [] }),
      homeWith('missing', {}, { losses: [] }),
    ]),
    one('distance', source('distance_to_coast_miles', 'notEqual', 'x_survey'), [
      homeWith('given', { distance_to_coast_feet: { source: 'x_survey' } }),
      homeWith('missing', {}),
      { ...homeWith('missing, located', {}), isLocated: true },
    ]),
    {
      name: 'evidence/approval',
      files: [
        file([
          rule('wiring', 'decline', { all: [oldWiring, { not: approval }] }),
          rule('inform', 'inform', approval),
          rule('require', 'require', approval, 'unless'),
        ]),
      ],
      homes: [
        homeWith('approved', { primary_wiring: { asOf: '2023-05-02', source: 'electrician' } }, knob),
        homeWith('approved too long ago', { primary_wiring: { asOf: '2021-11-20', source: 'inspection' } }, knob),
        homeWith('approved in a year on the limit', { primary_wiring: { asOf: '2021', source: 'inspection' } }, knob),
        homeWith('said by the applicant', { primary_wiring: { asOf: '2026', source: 'applicant' } }, knob),
        homeWith('source missing', { primary_wiring: { asOf: '2026-01' } }, knob),
        homeWith('date missing', { primary_wiring: { source: 'electrician' } }, knob),
        homeWith('no evidence', {}, knob),
        homeWith('other wiring', {}, { primary_wiring: 'copper' }),
        homeWith('nothing', {}),
      ],
    },
    {
      name: 'evidence/order-of-missing',
      files: [
        file([
          rule('all', 'refer', {
            all: [
              source('year_built', 'equal', 'permit'),
              age('year_built', 'lessThan', 2),
              test('acreage', 'lessThan', 3),
              source('acreage', 'equal', 'permit'),
            ],
          }),
        ]),
      ],
      homes: [homeWith('nothing', {}), homeWith('some', { year_built: { source: 'permit' } }, { acreage: 2 })],
    },
    ...randomEvidenceTopics(25, 6),
  ];
}

/** Random tests of evidence, and homes with parts of it. */
export function randomEvidenceTopics(files: number, homes: number, seed = 44): Topic[] {
  const random = createRandom(seed);
  const names = ['roof_year', 'primary_wiring'] as const;
  const words = ['permit', 'invoice', 'x_own'];
  const leaf = (): object => {
    const name = pick(random, names);
    switch (pick(random, ['age', 'age', 'source', 'sources', 'field'])) {
      case 'age':
        return age(
          name,
          pick(random, ['lessThan', 'lessThanInclusive', 'greaterThan', 'equal']),
          wholeNumber(random, 0, 4),
        );
      case 'source':
        return source(name, pick(random, ['equal', 'notEqual']), pick(random, words.slice(0, 2)));
      case 'sources':
        return source(name, pick(random, ['in', 'notIn']), words.slice(0, wholeNumber(random, 1, 2)));
      default:
        return test('acreage', 'greaterThan', wholeNumber(random, 1, 3));
    }
  };
  const group = (): object => {
    const parts = Array.from({ length: wholeNumber(random, 1, 3) }, leaf);
    return pick(random, [{ all: parts }, { any: parts }, { not: { any: parts } }]);
  };
  const evidenceOf = () => ({
    ...(pick(random, [true, true, false]) ? { asOf: pick(random, dates) } : {}),
    ...(pick(random, [true, false]) ? { source: pick(random, [...words, 'photo', 'x_other']) } : {}),
  });
  return Array.from({ length: files }, (_, each) => ({
    name: `evidence/random-${seed}-${each + 1}`,
    files: [
      file(
        ['decline', 'refer', 'require', 'inform'].map((outcome) =>
          rule(outcome, outcome, { all: [group(), group()] }, pick(random, ['when', 'when', 'unless'])),
        ),
      ),
    ],
    homes: Array.from({ length: homes }, (__, index) =>
      homeWith(
        `random home ${index + 1}`,
        { roof_year: evidenceOf(), primary_wiring: evidenceOf() },
        pick(random, [true, false]) ? { acreage: wholeNumber(random, 1, 4) } : {},
      ),
    ),
  }));
}
