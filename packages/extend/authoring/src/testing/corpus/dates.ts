import { file, type HomeOfTopic, type Topic } from './topic.ts';

const values = { dwelling_a: 200_000 };
const on = (effectiveDate: string, about: string): HomeOfTopic => ({ about, values, effectiveDate });
const at = (asOf: string, about: string, rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({
  about,
  values,
  asOf,
  ...rest,
});
const noteOf = (version: string) => ({
  id: `version-${version}`,
  outcome: 'inform',
  code: 'x_version',
  message: `Version ${version}.`,
  when: { all: [] },
});
const version = (name: string, from: string, until: string | null) =>
  file([noteOf(name)], { version: name, effective: { from, until } });

/** Versions by effective date, moratoria by `as_of`, ages by the year of the effective date. */
export function dateTopics(): Topic[] {
  const days = [
    on('2025-12-31', 'the day before the first version'),
    on('2026-01-01', 'the first day'),
    on('2026-05-31', 'the day before the second version'),
    on('2026-06-01', 'the first day of the second version'),
    on('2026-08-31', 'the last day of the second version'),
    on('2026-09-01', 'the day on which the second version is over'),
  ];
  const storm = {
    id: 'storm',
    from: '2026-09-24T17:00:00-05:00',
    until: '2026-09-29T00:01:00-05:00',
    message: 'Binding is suspended.',
  };
  const moments = [
    at('2026-09-24T21:59:59Z', 'the second before it begins'),
    at('2026-09-24T22:00:00Z', 'as it begins'),
    at('2026-09-26T00:00:00Z', 'while it lasts'),
    at('2026-09-26T00:00:00Z', 'while it lasts, in another county', { counties: ['travis'] }),
    at('2026-09-26T00:00:00Z', 'while it lasts, the county not known', { counties: undefined }),
    at('2026-09-26T00:00:00Z', 'while it lasts, another policy type', { policyType: 'ho5' }),
    at('2026-09-26T00:00:00Z', 'while it lasts, for a later date', { effectiveDate: '2027-03-01' }),
    at('2026-09-29T05:00:59Z', 'the second before it is over'),
    at('2026-09-29T05:01:00Z', 'as it is over'),
  ];
  const moratorium = (name: string, rest: object): Topic => ({
    name: `dates/moratorium-${name}`,
    files: [file([], { moratoria: [{ ...storm, ...rest }] })],
    homes: moments,
  });
  const ages = ['2026-12-31', '2027-01-01'].flatMap((date) =>
    [1996, 1997, 2027, undefined].map(
      (year_built): HomeOfTopic => ({
        about: `built ${year_built ?? 'in a year not known'}, effective ${date}`,
        values: { year_built },
        effectiveDate: date,
      }),
    ),
  );
  const age = { fact: 'home_age', operator: 'greaterThan', value: 30 };
  return [
    { name: 'dates/one-version', files: [version('1', '2026-01-01', '2026-09-01')], homes: days },
    {
      name: 'dates/two-versions',
      files: [version('1', '2026-01-01', null), version('2', '2026-06-01', '2026-09-01')],
      homes: days,
    },
    moratorium('everywhere', {}),
    moratorium('open-end', { until: null }),
    moratorium('by-county', { counties: { tx: { include: ['harris'] } }, states: ['tx'] }),
    moratorium('by-policy-type', { policy_types: ['ho3'] }),
    {
      name: 'dates/ages',
      files: [
        file([
          { id: 'age', outcome: 'decline', code: 'home_age', message: 'Built {year_built}.', when: { all: [age] } },
        ]),
      ],
      homes: ages,
    },
  ];
}

/** Moratoria with a condition, an exception or both: decline rules for a place and time. */
export function conditionalMoratoria(): Topic {
  const over = (fact: string, value: number) => ({ all: [{ fact, operator: 'greaterThan', value }] });
  const closed = { states: ['tx'], message: 'Closed with {total_claims} claims.' };
  const complete = { total_claims: 0, acreage: 1, protection_class: 3 };
  const home = (about: string, values: object, rest: Partial<HomeOfTopic> = {}): HomeOfTopic => ({
    about,
    values: { ...complete, ...values },
    ...rest,
  });
  return {
    name: 'moratoria/with-conditions',
    files: [
      file([{ id: 'acres', outcome: 'decline', code: 'x_rule', message: 'Rule acres.', when: over('acreage', 5) }], {
        moratoria: [
          { ...closed, id: 'claims', when: over('total_claims', 0) },
          { ...closed, id: 'galveston', counties: { tx: { include: ['galveston'] } }, unless: over('acreage', 2) },
          { ...closed, id: 'both', when: over('protection_class', 5), unless: over('acreage', 2) },
          { ...closed, id: 'all', from: '2026-11-25T00:00:00Z', until: '2026-11-26T00:00:00Z' },
        ],
      }),
    ],
    homes: [
      home('no condition holds', {}),
      home('a condition holds', { total_claims: 2 }),
      home('a rule holds too', { total_claims: 2, acreage: 9 }),
      home('a condition holds, the exception does not', { protection_class: 8 }),
      home('a condition and its exception hold', { protection_class: 8, acreage: 3 }),
      home('in the county, without its exception', {}, { counties: ['galveston'] }),
      home('in the county, with its exception', { acreage: 3 }, { counties: ['galveston'] }),
      home('in one of two counties', {}, { counties: ['harris', 'galveston'] }),
      home('one without a condition is in force too', { total_claims: 2 }, { asOf: '2026-11-25T12:00:00Z' }),
      { about: 'a condition is open', values: { acreage: 1, protection_class: 3 } },
      { about: 'an exception is open', values: { total_claims: 0, protection_class: 8 } },
      { about: 'everything is open, and the county', values: {}, counties: undefined },
    ],
  };
}
