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
