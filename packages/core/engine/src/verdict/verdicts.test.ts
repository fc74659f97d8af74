import { describe, expect, it } from 'vitest';
import { createCatalog } from '../catalog/create-catalog.ts';
import type { Decision } from '../catalog/decision.ts';
import { createProperty } from '../request/property.ts';
import { propertyOf } from '../testing/complete-homes.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Verdict } from './verdict.ts';
import { fillMessage } from './verdict-of.ts';

type Json = Record<string, unknown>;
const test = (fact: string, operator: string, value: unknown): Json => ({ fact, operator, value });
const rule = (id: string, outcome: string, code: string, when: unknown, more: Json = {}): Json => ({
  id,
  outcome,
  code,
  message: `${id}.`,
  when,
  ...more,
});
const over = (fact: string, value: number) => ({ all: [test(fact, 'greaterThan', value)] });

const claims = rule('claims', 'decline', 'claims', over('total_claims', 2));
const acreage = rule('acreage', 'refer', 'acreage', over('acreage', 5));
const fourPoint = rule('four-point', 'require', 'four_point_inspection', over('home_age', 30));
const note = rule('note', 'inform', 'photos', { all: [test('usage', 'equal', 'seasonal')] });

const texas: Json = { id: 'texas', policy_types: ['ho3', 'ho5'], states: ['tx'] };
const fileOf = (overrides: Json): Json => ({
  format: 1,
  carrier: { key: 'pine_ridge', name: 'Pine Ridge' },
  version: '1',
  effective: { from: '2026-01-01' },
  programs: [texas],
  ...overrides,
});
const complete = {
  state: 'tx',
  county: 'harris',
  policy_type: 'ho3',
  total_claims: 0,
  acreage: 1,
  year_built: 2015,
  usage: 'primary',
};

describe.each(['compiled', 'reference'] as const)('by the %s evaluator', (evaluator) => {
  const decide = (body: Json, ...files: Json[]): Promise<Decision> =>
    createCatalog(
      files.map((file) => ({ file })),
      { evaluator },
    ).decide(propertyOf(body));
  const judge = async (overrides: Json, body: Json): Promise<Verdict> => {
    const { verdicts } = await decide(body, fileOf(overrides));
    expect(verdicts).toHaveLength(1);
    return verdicts[0]!;
  };
  const rulesFor = (...rules: Json[]) => ({ programs: [{ ...texas, rules }] });

  describe('the status', () => {
    it('is the worst outcome of the rules that hold, with its reasons', async () => {
      const rules = rulesFor(acreage, claims, fourPoint, note);
      const ids = (verdict: Verdict) => verdict.reasons.map((reason) => reason.ruleId);
      const eligible = await judge(rules, complete);
      expect([eligible.status, eligible.possibleStatuses, ids(eligible)]).toEqual(['eligible', ['eligible'], []]);
      const referred = await judge(rules, { ...complete, acreage: 5.1 });
      expect([referred.status, referred.possibleStatuses, ids(referred)]).toEqual([
        'referral',
        ['referral'],
        ['acreage'],
      ]);
      const declined = await judge(rules, { ...complete, acreage: 5.1, total_claims: 3 });
      expect([declined.status, declined.possibleStatuses, ids(declined)]).toEqual([
        'ineligible',
        ['ineligible'],
        ['claims'],
      ]);
      for (const verdict of [eligible, referred, declined]) expect(verdict.missingFields).toEqual([]);
    });

    it('comes with requirements and notes in every status', async () => {
      const rules = rulesFor(claims, fourPoint, note);
      const old = { ...complete, year_built: 1990, usage: 'seasonal' };
      for (const total_claims of [0, 3]) {
        const verdict = await judge(rules, { ...old, total_claims });
        expect(verdict.requirements).toEqual([
          { code: 'four_point_inspection', message: 'four-point.', ruleId: 'four-point' },
        ]);
        expect(verdict.notes).toEqual([{ code: 'photos', message: 'note.', ruleId: 'note' }]);
        expect(verdict.possibleRequirements).toEqual([]);
      }
      expect(await judge(rules, complete)).toMatchObject({ requirements: [], notes: [] });
    });

    it('takes `unless` for the opposite of `when`', async () => {
      const { when: _, ...unless } = rule('coverage', 'decline', 'coverage_a', undefined);
      const rules = rulesFor({
        ...unless,
        unless: {
          all: [
            test('dwelling_a', 'greaterThanInclusive', 150_000),
            test('dwelling_a', 'lessThanInclusive', 1_000_000),
          ],
        },
      });
      const status = async (dwelling_a: number | null) => (await judge(rules, { ...complete, dwelling_a })).status;
      expect(await Promise.all([149_999, 150_000, 1_000_000, 1_000_001, null].map(status))).toEqual([
        'ineligible',
        'eligible',
        'eligible',
        'ineligible',
        'needs_information',
      ]);
    });

    it('orders reasons by priority, highest first, else as the file does', async () => {
      const always = { all: [] };
      const rules = [
        rule('a', 'decline', 'claims', always),
        rule('b', 'decline', 'claims', always, { priority: -1 }),
        rule('c', 'decline', 'claims', always, { priority: 10 }),
        rule('d', 'decline', 'claims', always, { priority: 1 }),
      ];
      const verdict = await judge(
        { rules, programs: [{ ...texas, rules: [rule('e', 'decline', 'claims', always, { priority: 10 })] }] },
        complete,
      );
      expect(verdict.reasons.map((reason) => reason.ruleId)).toEqual(['c', 'e', 'a', 'd', 'b']);
    });

    it('knows whose it is', async () => {
      expect(await judge({}, complete)).toMatchObject({
        carrierKey: 'pine_ridge',
        carrierName: 'Pine Ridge',
        policyType: 'ho3',
        source: 'catalog',
        ruleSet: { version: '1', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
    });
  });

  describe('a missing field', () => {
    const without = (...names: string[]) =>
      Object.fromEntries(Object.entries(complete).filter(([name]) => !names.includes(name)));

    it('never decides: the status depends on it, and possible statuses are listed', async () => {
      const rules = rulesFor(acreage, claims);
      expect(await judge(rules, without('total_claims'))).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['total_claims'],
        reasons: [],
      });
      expect(await judge(rules, without('acreage'))).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'referral'],
        missingFields: ['acreage'],
      });
      expect(await judge(rules, without('acreage', 'total_claims'))).toMatchObject({
        possibleStatuses: ['eligible', 'referral', 'ineligible'],
        missingFields: ['total_claims', 'acreage'],
      });
    });

    it('keeps reasons that hold already', async () => {
      const rules = rulesFor(acreage, claims);
      expect(await judge(rules, { ...without('total_claims'), acreage: 9 })).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['referral', 'ineligible'],
        missingFields: ['total_claims'],
        reasons: [{ ruleId: 'acreage' }],
      });
      expect(await judge(rules, { ...without('acreage'), total_claims: 3 })).toMatchObject({
        status: 'ineligible',
        missingFields: [],
        reasons: [{ ruleId: 'claims' }],
      });
    });

    it('is not missing if no rule depends on it', async () => {
      expect(await judge(rulesFor(acreage, claims), without('usage', 'year_built'))).toMatchObject({
        status: 'eligible',
        missingFields: [],
      });
      const both = rule('both', 'decline', 'usage', {
        all: [test('usage', 'equal', 'rental'), test('total_claims', 'greaterThan', 0)],
      });
      expect(await judge(rulesFor(both), { ...without('total_claims'), usage: 'primary' })).toMatchObject({
        status: 'eligible',
      });
    });

    it.each(['notEqual', 'notIn', 'not'])('does not make %s true', async (operator) => {
      const when =
        operator === 'not'
          ? { not: test('usage', 'equal', 'primary') }
          : { all: [test('usage', operator, operator === 'notIn' ? ['primary'] : 'primary')] };
      expect(await judge(rulesFor(rule('usage', 'decline', 'usage', when)), without('usage'))).toMatchObject({
        status: 'needs_information',
        missingFields: ['usage'],
      });
    });

    it('of a requirement leaves the status alone', async () => {
      expect(await judge(rulesFor(fourPoint, note), without('year_built', 'usage'))).toMatchObject({
        status: 'eligible',
        requirements: [],
        possibleRequirements: [{ code: 'four_point_inspection', ruleId: 'four-point' }],
        notes: [],
        missingFields: [],
      });
    });

    it('is reported by its request name', async () => {
      const rules = rulesFor(
        rule('age', 'decline', 'home_age', over('home_age', 30)),
        rule('shore', 'decline', 'distance_to_coast', { all: [test('distance_to_coast_feet', 'lessThan', 2500)] }),
        rule('ocean', 'refer', 'distance_to_coast', { all: [test('distance_to_ocean_miles', 'lessThan', 1)] }),
      );
      expect((await judge(rules, without('year_built'))).missingFields).toEqual(['year_built', 'address']);
      const declined = await judge(rules, { ...complete, year_built: 1950, distance_to_coast_miles: 0.1 });
      expect(declined.reasons.map((reason) => [reason.ruleId, reason.fields])).toEqual([
        ['age', ['year_built']],
        ['shore', ['address']],
      ]);
    });

    it('is reported together with its partner field', async () => {
      const roof = rule('roof', 'decline', 'roof_age', {
        all: [test('roof_type', 'equal', '3-tab shingle'), test('roof_age', 'greaterThan', 15)],
      });
      expect(await judge(rulesFor(roof), { ...complete, year_built: 1990 })).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['roof_age', 'roof_type'],
      });
    });

    it('is bounded by relations: a roof is not older than its house, an ocean not nearer than tidal water', async () => {
      const roof = rule('roof', 'decline', 'roof_age', over('roof_age', 30));
      expect((await judge(rulesFor(roof), { ...complete, year_built: 1996 })).status).toBe('eligible');
      expect((await judge(rulesFor(roof), { ...complete, year_built: 1995 })).status).toBe('needs_information');
      const ocean = rule('ocean', 'decline', 'distance_to_coast', {
        all: [test('distance_to_ocean_miles', 'lessThan', 1)],
      });
      expect((await judge(rulesFor(ocean), { ...complete, distance_to_coast_miles: 1 })).status).toBe('eligible');
      expect((await judge(rulesFor(ocean), { ...complete, distance_to_coast_miles: 0.9 })).status).toBe(
        'needs_information',
      );
    });

    it('known within bounds is as good as known where the bounds do not matter', async () => {
      const file = fileOf(
        rulesFor(
          rule(
            'shore',
            'decline',
            'distance_to_coast',
            { all: [test('distance_to_coast_feet', 'lessThan', 2500)] },
            { message: 'Only {distance_to_coast_feet} feet.' },
          ),
        ),
      );
      const status = async (min: number, max: number) => {
        const property = createProperty({
          vocabulary: homeVocabulary,
          policyType: 'ho3',
          state: 'tx',
          counties: ['48201'],
          values: { distance_to_tidal_water_meters: { kind: 'between', min, max } },
          asOfMs: Date.parse('2026-11-20T12:00:00Z'),
          effectiveDate: '2026-11-20',
        });
        const [verdict] = (await createCatalog([{ file }], { evaluator }).decide(property)).verdicts;
        return [verdict?.status, verdict?.reasons[0]?.message];
      };
      expect(await status(762, 900)).toEqual(['eligible', undefined]);
      expect(await status(304.8, 761.9)).toEqual(['ineligible', 'Only 1,000 to 2,500 feet.']);
      expect(await status(700, 900)).toEqual(['needs_information', undefined]);
    });
  });

  describe('where', () => {
    const inland = { programs: [{ ...texas, counties: { tx: { exclude: ['galveston', 'chambers'] } } }] };
    const { county: _, ...nowhere } = complete;

    it('a carrier writes the type in the state but not in the county, it is ineligible for the territory', async () => {
      const verdict = await judge(inland, { ...complete, county: 'Galveston County' });
      expect(verdict).toMatchObject({ status: 'ineligible', possibleStatuses: ['ineligible'], requirements: [] });
      expect(verdict.reasons).toEqual([
        {
          code: 'territory',
          message: 'Pine Ridge does not write HO3 in Galveston County, TX.',
          fields: ['county'],
          ruleId: 'texas',
        },
      ]);
      expect((await judge(inland, complete)).status).toBe('eligible');
    });

    it('the county is unknown, it depends on the county, unless all counties agree', async () => {
      expect(await judge(inland, nowhere)).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['county'],
        reasons: [],
      });
      expect(await judge({}, nowhere)).toMatchObject({ status: 'eligible', missingFields: [] });
      const declined = await judge({ ...inland, rules: [claims] }, { ...nowhere, total_claims: 3 });
      expect(declined.status).toBe('ineligible');
      expect(declined.reasons.map((reason) => reason.code)).toContain('claims');
    });

    it('counties have separate programs, the one of the county applies', async () => {
      const programs = [
        {
          ...texas,
          counties: { tx: { include: ['harris'] } },
          rules: [rule('strict', 'decline', 'claims', over('total_claims', 0))],
        },
        {
          ...texas,
          id: 'rest',
          counties: { tx: { exclude: ['harris'] } },
          rules: [rule('lax', 'decline', 'claims', over('total_claims', 2))],
        },
      ];
      const status = async (county: string | null, total_claims: number) =>
        (await judge({ programs }, { ...complete, county, total_claims })).status;
      expect(await Promise.all([status('harris', 1), status('travis', 1), status('travis', 3)])).toEqual([
        'ineligible',
        'eligible',
        'ineligible',
      ]);
      expect(await Promise.all([status(null, 0), status(null, 1), status(null, 3)])).toEqual([
        'eligible',
        'needs_information',
        'ineligible',
      ]);
    });

    it('a test names a county, by name and state or by FIPS code', async () => {
      for (const value of ['harris, tx', 'Harris County, Texas', '48201']) {
        const rules = rulesFor(
          rule(
            'harris',
            'refer',
            'territory',
            { all: [test('county', 'equal', value)] },
            { message: 'In {county}, {state}.' },
          ),
        );
        expect(await judge(rules, complete)).toMatchObject({
          status: 'referral',
          reasons: [{ message: 'In harris, tx.', fields: ['county'] }],
        });
        expect(await judge(rules, { ...complete, county: 'travis' })).toMatchObject({ status: 'eligible' });
        expect(await judge(rules, nowhere)).toMatchObject({
          status: 'needs_information',
          possibleStatuses: ['eligible', 'referral'],
          missingFields: ['county'],
        });
      }
    });

    it('a county name is ambiguous, both are considered', async () => {
      const maryland = { ...texas, states: ['md'] };
      const home = { ...complete, state: 'md', county: 'baltimore' };
      expect((await judge({ programs: [maryland] }, home)).status).toBe('eligible');
      const county = { ...maryland, counties: { md: { include: ['baltimore county'] } } };
      expect(await judge({ programs: [county] }, home)).toMatchObject({
        status: 'needs_information',
        missingFields: ['county'],
      });
      expect((await judge({ programs: [county] }, { ...home, county: 'baltimore city' })).status).toBe('ineligible');
      expect(
        (await judge({ programs: [{ ...maryland, counties: { md: { include: ['baltimore'] } } }] }, home)).status,
      ).toBe('eligible');
      // An ambiguous name in a test means both counties.
      const rules = {
        programs: [
          {
            ...maryland,
            rules: [rule('b', 'refer', 'territory', { all: [test('county', 'equal', 'baltimore, md')] })],
          },
        ],
      };
      for (const each of ['baltimore', 'baltimore city', 'baltimore county']) {
        expect((await judge(rules, { ...home, county: each })).status).toBe('referral');
      }
      expect((await judge(rules, { ...home, county: 'howard' })).status).toBe('eligible');
    });

    it('the county is of another state, nothing is answered and nothing counted', async () => {
      expect(await decide({ ...complete, county: 'broward' }, fileOf({}))).toEqual({
        counts: { eligible: 0, referral: 0, needs_information: 0, ineligible: 0, not_offered: 0 },
        verdicts: [],
        nextQuestions: [],
      });
    });

    it('the type and state have no program, it is not offered, even if a top rule declines', async () => {
      const file = fileOf({
        rules: [rule('all', 'decline', 'claims', { all: [] })],
        moratoria: [{ id: 'm', from: '2020-01-01T00:00:00Z', message: 'Stop.' }],
      });
      for (const body of [
        { ...complete, policy_type: 'dp1' },
        { ...complete, state: 'la', county: 'orleans' },
        { state: 'la', policy_type: 'ho3' },
      ]) {
        expect(await decide(body, file)).toMatchObject({ counts: { not_offered: 1, ineligible: 0 }, verdicts: [] });
      }
      const other = fileOf({
        carrier: { key: 'other', name: 'Other' },
        programs: [{ ...texas, policy_types: ['dp1'] }],
      });
      const { counts } = await decide({ state: 'tx', county: 'harris' }, file, other);
      expect(counts).toEqual({ eligible: 1, referral: 0, needs_information: 0, ineligible: 2, not_offered: 11 });
    });
  });

  describe('a moratorium', () => {
    const storm = {
      id: 'storm',
      from: '2026-09-24T17:00:00-05:00',
      until: '2026-09-29T00:01:00-05:00',
      message: 'Suspended in {state}.',
    };
    const at = async (as_of: string, moratorium: Json = {}, body: Json = {}) =>
      judge({ moratoria: [{ ...storm, ...moratorium }] }, { ...complete, as_of, ...body });

    it('includes its first instant and excludes its last, by the time of the request', async () => {
      for (const [as_of, status] of [
        ['2026-09-24T21:59:59.999Z', 'eligible'],
        ['2026-09-24T22:00:00Z', 'ineligible'],
        ['2026-09-24T17:00:00-05:00', 'ineligible'],
        ['2026-09-29T05:00:59.999999Z', 'ineligible'],
        ['2026-09-29T05:01:00Z', 'eligible'],
      ] as const) {
        for (const effective_date of ['2026-09-01', '2026-09-26', '2026-12-01']) {
          expect((await at(as_of, {}, { effective_date })).status).toBe(status);
        }
      }
    });

    it('is a temporary reason with its end', async () => {
      const verdict = await at('2026-09-25T00:00:00Z');
      expect(verdict).toMatchObject({ status: 'ineligible', possibleStatuses: ['ineligible'] });
      expect(verdict.reasons).toEqual([
        {
          code: 'moratorium',
          message: 'Suspended in tx.',
          fields: [],
          ruleId: 'storm',
          temporary: true,
          endsAt: '2026-09-29T05:01:00.000000Z',
        },
      ]);
      for (const open of [{ until: null }, { until: undefined }]) {
        const moratorium = JSON.parse(JSON.stringify({ ...storm, ...open }));
        const [reason] = (await judge({ moratoria: [moratorium] }, { ...complete, as_of: '2031-01-01T00:00:00Z' }))
          .reasons;
        expect(reason?.endsAt).toBeNull();
      }
    });

    it('comes before the rules that also decline', async () => {
      const verdict = await judge(
        { rules: [{ ...claims, priority: 99 }], moratoria: [storm] },
        { ...complete, total_claims: 3, as_of: '2026-09-25T00:00:00Z' },
      );
      expect(verdict.reasons.map((reason) => reason.ruleId)).toEqual(['storm', 'claims']);
    });

    it('may have the id of a rule, or of the program, and is still one of two reasons', async () => {
      const moratoria = [
        { ...storm, id: 'claims' },
        { ...storm, id: 'texas' },
      ];
      const programs = [{ ...texas, counties: { tx: { include: ['travis'] } } }];
      const body = { ...complete, total_claims: 3, as_of: '2026-09-25T00:00:00Z' };
      const codes = async (overrides: Json) =>
        (await judge({ rules: [claims], moratoria, ...overrides }, body)).reasons.map((reason) => reason.code);
      expect(await codes({})).toEqual(['moratorium', 'moratorium', 'claims']);
      expect((await codes({ programs })).filter((code) => code !== 'claims')).toEqual([
        'territory',
        'moratorium',
        'moratorium',
      ]);
    });

    it('is narrowed by states, counties and policy types', async () => {
      const during = '2026-09-25T00:00:00Z';
      const status = async (moratorium: Json, body: Json = {}) => (await at(during, moratorium, body)).status;
      expect(await status({ states: ['tx', 'la'] })).toBe('ineligible');
      expect(await status({ states: ['la'] })).toBe('eligible');
      expect(await status({ policy_types: ['ho3'] })).toBe('ineligible');
      expect(await status({ policy_types: ['ho5'] })).toBe('eligible');
      const coast = { states: ['tx'], counties: { tx: { include: ['galveston', 'chambers'] } } };
      expect(await status(coast)).toBe('eligible');
      expect(await status(coast, { county: 'galveston' })).toBe('ineligible');
      expect(await status({ states: ['tx'], counties: { tx: { exclude: ['harris'] } } })).toBe('eligible');
      expect(await at(during, coast, { county: null })).toMatchObject({
        status: 'needs_information',
        possibleStatuses: ['eligible', 'ineligible'],
        missingFields: ['county'],
        reasons: [],
      });
    });
  });

  describe('a message', () => {
    const says = async (message: string, body: Json = {}) =>
      (
        await judge(rulesFor(rule('r', 'decline', 'claims', over('total_claims', 2), { message })), {
          ...complete,
          total_claims: 3,
          ...body,
        })
      ).reasons[0]?.message;

    it('quotes facts as people write them', async () => {
      expect(await says('{total_claims} claims; {dwelling_a} dollars.', { dwelling_a: 1_250_000 })).toBe(
        '3 claims; 1,250,000 dollars.',
      );
      expect(await says('{year_built}: {home_age} years.', { year_built: 1987 })).toBe('1987: 39 years.');
      expect(await says('{roof_type}, {roof_age} years, of {roof_year}.', { roof_type: 'tile', roof_age: 12 })).toBe(
        'tile, 12 years, of 2014.',
      );
      expect(await says('{acreage} acres in {county}, {state}; {policy_type}.', { acreage: 2.755 })).toBe(
        '2.76 acres in harris, tx; ho3.',
      );
      expect(
        await says('{distance_to_coast_miles} miles, {distance_to_coast_feet} feet.', { distance_to_coast_miles: 2.5 }),
      ).toBe('2.5 miles, 13,200 feet.');
    });

    it.each([
      ['Roof of {roof_age} years: photos.', 'Roof of unknown age: photos.'],
      ['Photos of the {roof_age}-year-old roof.', 'Photos of the roof of unknown age.'],
      ['This roof is {roof_age} years old.', 'This roof is of unknown age.'],
      ['Replace it (now {water_heater_age} years).', 'Replace it (now of unknown age).'],
      ['This one is {roof_age}.', 'This one is of unknown age.'],
      ['Roof ({roof_type}, {roof_age} years).', 'Roof (unknown, of unknown age).'],
      ['Roof age: {roof_age}; of {roof_year}.', 'Roof age: unknown; of an unknown year.'],
      ['{acreage} acres: horses?', 'An unknown number of acres: horses?'],
      ['Call. {lapse_in_coverage} days without cover.', 'Call. An unknown number of days without cover.'],
      ['Claims {total_claims}, or {no_prior}.', 'Claims unknown, or an unknown number.'],
      ['There are claims {total_claims}.', 'There are claims unknown.'],
      ['This home has {dwelling_a}.', 'This home has an unknown amount.'],
      ['For {dwelling_a} dollars.', 'For an unknown amount.'],
      ['Within {distance_to_coast_feet} feet of it.', 'Within an unknown distance of it.'],
      ['Usage is {usage}: DP3.', 'Usage is unknown: DP3.'],
      ['Protection class {protection_class} is too high.', 'Protection class unknown is too high.'],
      ['In {county}.', 'In an unknown county.'],
    ])('words %j without the value of an unknown fact', (message, words) => {
      expect(fillMessage(message, new Map(), homeVocabulary)).toBe(words);
    });

    it('words a value that only a relation bounds as unknown', async () => {
      expect(
        await says('{distance_to_ocean_miles} miles from {distance_to_coast_miles}.', { distance_to_coast_miles: 3 }),
      ).toBe('An unknown distance from 3.');
    });
  });
});
