import { describe, expect, it } from 'vitest';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { whatWouldChange } from '../change/what-would-change.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { choiceField } from '../vocabulary/choice-field.ts';
import { extendVocabulary } from '../vocabulary/extend-vocabulary.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Knowledge } from './knowledge.ts';
import { createProperty, type Property, type PropertyInput } from './property.ts';

const input = {
  vocabulary: homeVocabulary,
  policyType: 'ho3',
  state: 'tx',
  counties: ['48201'],
  values: {},
  asOfMs: Date.parse('2026-11-20T12:00:00Z'),
  effectiveDate: '2026-11-20',
};
const make = (change: Record<string, unknown>) => createProperty({ ...input, ...change } as PropertyInput);
const withValues = (values: Record<string, unknown>) => make({ values });
const known = (property: Property, name: string): Knowledge =>
  property.values[homeVocabulary.fields.findIndex((field) => field.name === name)];
const between = (min: number, max: number) => ({ kind: 'between', min, max });

describe('createProperty', () => {
  it.each([
    [{ state: 'TX' }, /state is "TX".*lower case\. Did you mean "tx"\?/],
    [{ state: 'texas' }, /Did you mean "tx"\?/],
    [{ state: 'zz' }, /state is "zz"/],
    [{ counties: ['harris'] }, /counties has "harris".*FIPS codes.*Did you mean "48201"\?/],
    [{ counties: ['12086'] }, /counties has "12086".*"tx"\. That is Miami-Dade County, fl\./],
    [{ counties: ['48201', '48999'] }, /counties has "48999"/],
    [{ counties: '48201' }, /counties is "48201"; give a list/],
    [{ policyType: 'HO-3' }, /policyType is "HO-3"; give one of: ho3,/],
    [{ effectiveDate: '11/20/2026' }, /effectiveDate is "11\/20\/2026"; give a date from 1900 to 2199 as YYYY-MM-DD/],
    [{ effectiveDate: '2026-02-30' }, /effectiveDate is "2026-02-30"/],
    [{ effectiveDate: '1899-12-31' }, /effectiveDate is "1899-12-31"/],
    [{ effectiveDate: undefined }, /effectiveDate is undefined/],
    [{ asOfMs: Number.NaN }, /asOfMs is NaN/],
  ])('refuses where and when there is none: %j', (change, message) => {
    expect(() => make(change)).toThrow(RangeError);
    expect(() => make(change)).toThrow(message);
  });

  it.each([
    ['a claim too many', { total_claims: 100 }, /total_claims is 100; give a whole number from 0 to 99 \(claims\)/],
    ['half a claim', { total_claims: 0.5 }, /total_claims is 0.5/],
    ['text for a number', { total_claims: '1' }, /total_claims is "1"/],
    ['NaN', { acreage: Number.NaN }, /acreage is NaN/],
    [
      'claims below none',
      { total_claims: between(-5, 1) },
      /total_claims is between -5 and 1; give .*, or bounds within these/,
    ],
    ['claims above all', { total_claims: between(5, 200) }, /total_claims is between 5 and 200/],
    ['a distance that is none', { distance_to_ocean_meters: between(-50, -10) }, /distance_to_ocean_meters/],
    ['no whole number', { total_claims: between(1.2, 1.8) }, /total_claims is between 1.2 and 1.8/],
    ['bounds the wrong way', { acreage: between(5, 1) }, /acreage is between 5 and 1/],
    ['a bound of text', { acreage: { kind: 'between', min: '1', max: '2' } }, /acreage/],
    ['bounds of words', { usage: between(1, 2) }, /usage is .*give one of: primary,/],
    ['one of some numbers', { total_claims: { kind: 'one of', words: ['1'] } }, /total_claims/],
    ['a misspelled word', { usage: 'Primary' }, /usage is "Primary".*Did you mean "primary"\?/],
    ['one of none', { usage: { kind: 'one of', words: [] } }, /usage is \[\]/],
    ['one of which is none', { usage: { kind: 'one of', words: ['primary', 'rented'] } }, /usage is "rented"/],
    ['a list', { usage: ['primary'] }, /usage is \["primary"\]/],
    [
      'an unknown field',
      { roof_yeer: 2000 },
      /"roof_yeer" is not a field of the line home\. Did you mean "roof_year"\?/,
    ],
    ['a derived fact', { roof_age: 5 }, /"roof_age" is derived from roof_year; give that in values instead/],
    ['the place', { county: 'harris' }, /"county" is not a field; give it next to values/],
    ['a name of every object', { constructor: 5 }, /"constructor" is not a field/],
  ])('refuses %s', (_, values, message) => {
    expect(() => withValues(values)).toThrow(RangeError);
    expect(() => withValues(values)).toThrow(message);
  });

  it('names all that is wrong at once', () => {
    const wrong = () => make({ state: 'TX', values: { total_claims: 100, usage: 'let', spas: true } });
    for (const name of ['state', 'total_claims', 'usage', 'spas']) expect(wrong).toThrow(name);
  });

  it.each([
    ['distance_to_ocean_meters', between(-50, 250), between(0, 250)],
    ['distance_to_ocean_meters', between(500, Number.POSITIVE_INFINITY), between(500, 20_040_000)],
    ['acreage', between(-1, 0), 0],
    ['total_claims', between(3, Number.POSITIVE_INFINITY), between(3, 99)],
    ['total_claims', between(Number.NEGATIVE_INFINITY, 2), between(0, 2)],
    ['total_claims', between(0.5, 2.5), between(1, 2)],
    ['total_claims', between(2, 2), 2],
    ['usage', { kind: 'one of', words: ['rental', 'rental'] }, 'rental'],
    [
      'usage',
      { kind: 'one of', words: ['rental', 'vacant', 'rental'] },
      { kind: 'one of', words: ['rental', 'vacant'] },
    ],
    ['usage', null, undefined],
  ])('takes %s of %j as plainly meant', (name, given, meant) => {
    expect(known(withValues({ [name]: given }), name)).toEqual(meant);
  });
});

const claims = ruleFile();
const shore = ruleFile({
  id: 'shore',
  code: 'distance_to_coast',
  when: { all: [test('distance_to_tidal_water_meters', 'lessThan', 100)] },
});

it('clips a distance that reaches below 0', () => {
  const catalog = createCatalog([{ file: ruleSetFile({ rules: [shore, claims] }) }]);
  const judge = (min: number, max: number) => {
    const property = withValues({ total_claims: 0, distance_to_tidal_water_meters: between(min, max) });
    return catalog.decideSync(property).verdicts[0];
  };
  expect(judge(-50, 250)).toMatchObject({ status: 'needs_information', reasons: [] });
  expect(judge(-50, 99)).toMatchObject({ status: 'ineligible', reasons: [{ ruleId: 'shore' }] });
});

it('rejects a property of another vocabulary in every call', async () => {
  const pools = choiceField('spa', {
    label: 'spa',
    words: ['yes', 'no'],
    change: { kind: 'any' },
    description: 'Pool.',
  });
  const extended = extendVocabulary(homeVocabulary, { fields: [pools] });
  const catalog = createCatalog([{ file: ruleSetFile() }], { vocabulary: extended });
  const stranger = withValues({ total_claims: 0 });
  const message = /another vocabulary of the line "home"/;
  await expect(catalog.decide(stranger)).rejects.toThrow(message);
  const key = { carrierKey: catalog.carriers[0]!.key, policyType: 'ho3' };
  await expect(explainVerdict(catalog, stranger, key)).rejects.toThrow(message);
  for (const ask of [
    () => catalog.decideSync(stranger),
    () => catalog.statusCodes(stranger),
    () => catalog.declines(stranger),
    () => whatWouldChange(catalog, stranger, key),
  ]) {
    expect(ask).toThrow(RangeError);
    expect(ask).toThrow(message);
  }
});
