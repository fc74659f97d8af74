import { describe, expect, it } from 'vitest';
import { fixtureCatalog, fixtureEntries, fixtureHomes } from '../../../../../test/support/engine/fixture-catalog.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { createCatalog } from '../catalog/create-catalog.ts';
import { whatWouldChange } from '../change/what-would-change.ts';
import { explainVerdict } from '../explain/explain-verdict.ts';
import { parseRequest, requestSchemaOf } from '../request/parse-request.ts';
import { choiceField } from './choice-field.ts';
import { extendVocabulary } from './extend-vocabulary.ts';
import { homeVocabulary } from './home.ts';
import { decimalField, integerField } from './number-field.ts';

const vocabulary = extendVocabulary(homeVocabulary, {
  fields: [
    choiceField('spa', {
      label: 'spa',
      words: ['none', 'fenced', 'open'],
      change: { kind: 'words', words: ['fenced', 'none'] },
      spellings: { no: 'none' },
      description: 'Whether there is a spa, and a fence round it.',
    }),
    integerField('cats', { label: 'cats', unit: 'cats', min: 0, max: 20, change: { kind: 'lower' }, description: '…' }),
    decimalField('station_km', {
      label: 'distance to the fire station',
      unit: 'kilometres',
      min: 0,
      max: 500,
      change: { kind: 'never' },
      description: 'Road distance to the nearest fire station.',
    }),
  ],
  derivedFacts: [
    {
      name: 'station_miles',
      field: 'station_km',
      label: 'distance to the fire station',
      unit: 'miles',
      view: (km) => km / 1.609344,
      cuts: (miles) => [miles * 1.609344],
      range: { min: 0, max: 311, integer: false },
    },
  ],
  givenTogether: [['spa', 'cats']],
  codes: ['spa'],
});

const now = new Date('2026-11-20T12:00:00Z');
const parse = (body: unknown) => parseRequest(body, { now, vocabulary });
function propertyOf(body: Record<string, unknown>) {
  const parsed = parse({ state: 'tx', county: 'harris', policy_type: 'ho3', ...body });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.request.property;
}

const poolRules = ruleSetFile({
  rules: [
    ruleFile({ id: 'spa', code: 'spa', message: 'Pool: {spa}.', when: { all: [test('spa', 'equal', 'open')] } }),
    ruleFile({
      id: 'cats',
      outcome: 'refer',
      code: 'x_cats',
      message: '{cats} cats.',
      when: { all: [test('cats', 'greaterThan', 2)] },
    }),
    ruleFile({
      id: 'far',
      code: 'protection_class',
      message: '{station_miles} miles.',
      when: { all: [test('station_miles', 'greaterThan', 5)] },
    }),
  ],
});

describe('a vocabulary that a host extends', () => {
  const catalog = createCatalog([{ file: poolRules }, ...fixtureEntries()], { vocabulary });
  const verdictOf = (body: Record<string, unknown>) =>
    catalog.decideSync(propertyOf(body)).verdicts.find((verdict) => verdict.carrierKey === 'pine_ridge')!;

  it('has its fields in requests, spelled as people spell', () => {
    const parsed = parse({ state: 'tx', spa: 'OPEN', cats: '3', station_km: 8.5 });
    expect(parsed).toMatchObject({
      ok: true,
      request: { home: { state: 'tx', spa: 'open', cats: 3, station_km: 8.5 } },
    });
    expect(parse({ state: 'tx', spa: 'No', cats: 0 })).toMatchObject({ request: { home: { spa: 'none' } } });
    const wrong = parse({ state: 'tx', spa: 'opne', station_km: -1, pol: 'none' });
    expect(wrong.ok ? [] : wrong.faults.map((fault) => `${fault.path} ${fault.code}`).sort()).toEqual([
      '/cats required_with',
      '/pol unknown_field',
      '/spa unknown_value',
      '/station_km out_of_range',
    ]);
    expect(Object.keys(requestSchemaOf(vocabulary).shape)).toEqual(expect.arrayContaining(['spa', 'cats', 'roof_age']));
    expect(parseRequest({ state: 'tx', spa: 'open' }, { now })).toMatchObject({ ok: false });
  });

  it('is compiled and evaluated like any other line', () => {
    expect(catalog.evaluators.every((each) => each.evaluator === 'compiled')).toBe(true);
    const good = { spa: 'fenced', cats: 1, station_km: 8 };
    expect(verdictOf(good)).toMatchObject({ status: 'eligible' });
    expect(verdictOf({ ...good, cats: 3 })).toMatchObject({ status: 'referral', reasons: [{ code: 'x_cats' }] });
    expect(verdictOf({ ...good, station_km: 8.1 })).toMatchObject({
      status: 'ineligible',
      reasons: [{ message: '5.03 miles.', fields: ['station_km'] }],
    });
    expect(verdictOf({ station_km: 8 })).toMatchObject({
      status: 'needs_information',
      missingFields: ['spa', 'cats'],
      possibleStatuses: ['eligible', 'referral', 'ineligible'],
    });
    expect(catalog.statusCodes(propertyOf({ ...good, spa: 'open' }))[0]).toBe(4);
  });

  it('is explained and changed like every other', async () => {
    const property = propertyOf({ spa: 'open', cats: 4, station_km: 2 });
    const { decidedBy } = await explainVerdict(catalog, property, { carrierKey: 'pine_ridge' });
    expect(decidedBy.map((rule) => rule.tests[0]?.text)).toEqual(['Spa: open.']);
    const answer = whatWouldChange(catalog, property, { carrierKey: 'pine_ridge' });
    expect(answer.ways.map((way) => way.changes.map((change) => [change.field, change.to]))).toEqual([
      [
        ['spa', 'fenced'],
        ['cats', 2],
      ],
    ]);
  });

  it('does not change the verdicts of other carriers', () => {
    const plain = fixtureCatalog();
    for (const home of fixtureHomes()) {
      const parsed = [parseRequest(home, { now }), parse(home)].map((each) => {
        if (!each.ok) throw new Error(JSON.stringify(each.faults));
        return each.request.property;
      });
      const extended = catalog.decideSync(parsed[1]!);
      expect(extended.verdicts.filter((verdict) => verdict.carrierKey !== 'pine_ridge')).toEqual(
        plain.decideSync(parsed[0]!).verdicts,
      );
    }
  });

  it('evaluates with json-rules-engine only the rule sets that use host facts', async () => {
    const hosted = createCatalog(
      [
        { file: poolRules },
        {
          file: ruleSetFile({
            carrier: { key: 'hosted', name: 'Hosted' },
            rules: [
              ruleFile({
                id: 'zone',
                message: '.',
                when: { all: [test('zone', 'startsWith', 'V'), test('spa', 'equal', 'open')] },
              }),
            ],
          }),
        },
      ],
      {
        vocabulary,
        facts: { zone: async () => 'VE' },
        operators: { startsWith: (fact, value) => String(fact).startsWith(String(value)) },
      },
    );
    expect(hosted.evaluators.map((each) => [each.carrierKey, each.evaluator])).toEqual([
      ['pine_ridge', 'compiled'],
      ['hosted', 'reference'],
    ]);
    expect(hosted.evaluators[1]?.reason).toContain('zone');
    const { verdicts } = await hosted.decide(propertyOf({ spa: 'open', cats: 0, station_km: 1 }));
    expect(verdicts.map((verdict) => [verdict.carrierKey, verdict.status])).toEqual([
      ['hosted', 'ineligible'],
      ['pine_ridge', 'ineligible'],
    ]);
    const answer = whatWouldChange(hosted, propertyOf({ spa: 'open', cats: 0 }), { carrierKey: 'hosted' });
    expect(answer).toMatchObject({ outcome: 'not_known', note: expect.stringContaining('json-rules-engine') });
  });

  it('rejects duplicate names and references to missing fields', () => {
    const options = { label: 'x', words: ['a', 'b'], change: { kind: 'any' }, description: 'x' } as const;
    const extend = (extension: Parameters<typeof extendVocabulary>[1]) => () =>
      extendVocabulary(homeVocabulary, extension);
    expect(extend({ fields: [choiceField('roof_type', options)] })).toThrow(
      '"roof_type" is already the name of a fact',
    );
    expect(extend({ fields: [choiceField('county', options)] })).toThrow(RangeError);
    expect(extend({ fields: [choiceField('as_of', options)] })).toThrow(
      '"as_of" is already the name of a request field',
    );
    expect(extend({ fields: [choiceField('twice', options), choiceField('twice', options)] })).toThrow('"twice"');
    expect(extend({ fields: [choiceField('Two Words', options)] })).toThrow('is not a valid name');
    expect(extend({ relations: [{ lower: 'year_built', higher: 'nothing' }] })).toThrow(
      '"nothing", which is not a field',
    );
    expect(extend({ givenTogether: [['spa', 'roof_age']] })).toThrow('"spa"');
    expect(
      extend({
        derivedFacts: [
          {
            name: 'd',
            field: 'none',
            label: 'd',
            view: (x) => x,
            cuts: (x) => [x],
            range: { min: 0, max: 1, integer: true },
          },
        ],
      }),
    ).toThrow('The derived fact "d" names "none"');
  });
});
