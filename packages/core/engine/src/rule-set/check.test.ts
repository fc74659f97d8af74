import { describe, expect, it } from 'vitest';
import {
  imported,
  moratorium,
  program,
  ruleFile,
  ruleSetFile,
  test,
  when,
  withMoratorium,
  without,
} from '../../../../../test/support/engine/rule-set-file.ts';
import { type CheckOptions, checkRuleSet } from './check.ts';

const places = (file: unknown, options?: CheckOptions) =>
  checkRuleSet(file, options).faults.map((fault) => `${fault.path} ${fault.code}`);
const warned = (file: unknown) => checkRuleSet(file).warnings.map((warning) => `${warning.path} ${warning.code}`);

it('accepts a file that is as it should be', () => {
  const { ruleSet, faults, warnings } = checkRuleSet(ruleSetFile());
  expect([faults, warnings]).toEqual([[], []]);
  expect(ruleSet).toMatchObject({
    carrierKey: 'pine_ridge',
    carrierName: 'Pine Ridge',
    line: 'home',
    effectiveFrom: '2026-01-01',
    effectiveUntil: undefined,
    rules: [{ id: 'claims', outcome: 'decline', priority: 1, path: '/rules/0' }],
    programs: [{ id: 'texas', policyTypes: ['ho3', 'ho5'] }],
  });
});

it('warns of a former county and names the one that replaced it', () => {
  for (const operator of ['equal', 'in']) {
    const leaf = test('county', operator, operator === 'in' ? ['12025'] : '12025');
    const { faults, warnings } = checkRuleSet(ruleSetFile({ rules: [ruleFile({ when: { all: [leaf] } })] }));
    expect(faults).toEqual([]);
    expect(warnings.map((warning) => `${warning.code}: ${warning.message}`)).toEqual([
      'former_county: "12025" is a former FIPS code, which no home has now; write "12086".',
    ]);
  }
});

it.each([
  ['02261', '"02261" is a former FIPS code, which no home has now; write "02063" and "02066".'],
  ['12999', '"12999" is not a county; write its name with its state ("jefferson, tx") or its FIPS code.'],
])('refuses a county that no home can have: %s', (value, message) => {
  const { faults } = checkRuleSet(
    ruleSetFile({ rules: [ruleFile({ when: { all: [test('county', 'equal', value)] } })] }),
  );
  expect(faults.map((fault) => fault.message)).toEqual([message]);
});

it('accepts all that the format has', () => {
  const file = ruleSetFile({
    $schema: 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json',
    $comment: 'For people.',
    line: 'home',
    effective: { from: '2026-01-01', until: '2027-01-01' },
    conditions: { old: { any: [test('home_age', 'greaterThan', 50), { condition: 'older' }] }, older: { all: [] } },
    outcomes: { deny: 'decline', accept: { otherwise: 'refer' } },
    rules: [
      ruleFile({ when: { condition: 'old' }, priority: -2.5, $comment: ['note'] }),
      ruleFile({ id: 'own', code: 'x_own_code', outcome: 'inform' }),
      without(
        ruleFile({ id: 'coverage', code: 'coverage_a', unless: { not: test('dwelling_a', 'lessThan', 1) } }),
        'when',
      ),
      imported(),
      imported({
        name: 7,
        event: { type: 'deny', params: { code: 'claims', message: 'No.', more: [1] } },
        priority: 5,
      }),
      without(imported({ event: { type: 'accept' } }), 'name'),
    ],
    programs: [
      program({ counties: { tx: { exclude: ['galveston', 'Chambers County'] } }, rules: [ruleFile({ id: 'more' })] }),
      program({
        id: 'gulf',
        policy_types: ['wind only'],
        states: ['tx', 'la'],
        counties: { la: { include: ['Orleans'] } },
      }),
    ],
    moratoria: [
      moratorium({ states: ['tx'], counties: { tx: { include: ['galveston'] } } }),
      moratorium({ id: 'open', until: null }),
    ],
  });
  const { ruleSet, faults, warnings } = checkRuleSet(file);
  expect([faults, warnings]).toEqual([[], []]);
  expect(ruleSet?.rules.map((rule) => rule.id)).toEqual(['claims', 'own', 'coverage', 'theirs', '7', 'rule-6']);
});

it('tells five faults of one file at once', () => {
  const file = ruleSetFile({
    version: 5,
    effective: { from: '2026-13-01' },
    rules: [ruleFile({ outcome: 'deny' }), ruleFile({ id: 'usage', when: { all: [test('usage', 'equal', 'rentl')] } })],
    programs: [program({ counties: { tx: { include: ['haris'] } } })],
  });
  expect(places(file).sort()).toEqual([
    '/effective/from invalid_date',
    '/programs/0/counties/tx/include/0 unknown_county',
    '/rules/0/outcome unknown_outcome',
    '/rules/1/when/all/0/value unknown_value',
    '/version invalid_type',
  ]);
});

describe('what is odd but not wrong', () => {
  it.each([
    [
      'a number outside its domain',
      when(test('protection_class', 'greaterThan', 40)),
      '/rules/0/when/all/0/value value_out_of_domain',
    ],
    [
      'miles against feet',
      when(test('distance_to_coast_miles', 'lessThan', { fact: 'distance_to_ocean_feet' })),
      '/rules/0/when/all/0/value/fact different_units',
    ],
    ['a negative age', when(test('home_age', 'lessThan', -1)), '/rules/0/when/all/0/value value_out_of_domain'],
    [
      'a moratorium where nothing is written',
      withMoratorium({ states: ['tx', 'fl'] }),
      '/moratoria/0/states not_written',
    ],
    [
      'a moratorium on what is not written',
      withMoratorium({ policy_types: ['ho3', 'dp1'] }),
      '/moratoria/0/policy_types not_written',
    ],
    [
      'counties of a moratorium without states',
      withMoratorium({ counties: { tx: { include: ['harris'] } } }),
      '/moratoria/0/counties counties_without_states',
    ],
    [
      'an imported message that quotes no fact',
      ruleSetFile({ rules: [imported({ event: { type: 'decline', params: { message: '{x}' } } })] }),
      '/rules/0/event/params/message unknown_message_fact',
    ],
    [
      'an imported condition of two kinds',
      ruleSetFile({ rules: [imported({ conditions: { all: [], any: [] } })] }),
      '/rules/0/conditions ambiguous_condition',
    ],
  ])('%s is a warning', (_, file, warning) => {
    expect(warned(file)).toEqual([warning]);
    expect(places(file)).toEqual([]);
  });

  it('years may lie on both sides of the effective date, which is not yet known', () => {
    expect(warned(when(test('year_built', 'lessThan', 2100)))).toEqual([]);
    expect(warned(when(test('year_built', 'lessThan', 1500)))).toHaveLength(1);
  });
});

describe('what a host adds', () => {
  const host = { facts: new Set(['map_zone']), operators: new Set(['isNear', 'geo:within']) };

  it('may be tested, under decorators too', () => {
    const file = when(
      test('map_zone', 'equal', { any: 'thing' }),
      test('total_claims', 'isNear', 3),
      test('total_claims', 'not:isNear', 3),
      test('map_zone', 'geo:within', 3),
      test('map_zone', 'swap:geo:within', { fact: 'total_claims' }),
      { ...test('map_zone', 'equal', 'AE'), path: '$.zone.code', params: { year: 2026 } },
    );
    expect(places(file, { host })).toEqual([]);
    expect(places(file)).toHaveLength(8);
    expect(places(when(test('total_claims', 'nto:isNear', 3)), { host })).toEqual([
      '/rules/0/when/all/0/operator unknown_operator',
    ]);
  });

  it('does not concern an untrusted author', () => {
    const file = when({ ...test('map_zone', 'isNear', { fact: 'total_claims', path: 'a' }), path: 'b' });
    expect(places(file, { host, fromStranger: true }).sort()).toEqual([
      '/rules/0/when/all/0/fact unknown_fact',
      '/rules/0/when/all/0/operator unknown_operator',
      '/rules/0/when/all/0/path path_not_allowed',
      '/rules/0/when/all/0/value/path path_not_allowed',
    ]);
  });
});

describe('identity', () => {
  it('is SHA-256 over the canonical form: order of keys and blanks do not matter, a value does', () => {
    const sha = (file: unknown) => checkRuleSet(file).ruleSet?.sha256;
    const file = ruleSetFile();
    const reversed = Object.fromEntries(Object.entries(file).reverse());
    expect(sha(file)).toMatch(/^[0-9a-f]{64}$/);
    expect(sha(reversed)).toBe(sha(file));
    expect(sha(JSON.parse(JSON.stringify(file, null, 4)))).toBe(sha(file));
    expect(sha({ ...file, version: '2' })).not.toBe(sha(file));
  });
});
