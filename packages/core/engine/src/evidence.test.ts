import { describe, expect, it } from 'vitest';
import {
  createCatalog,
  createProperty,
  evidenceSources,
  explainVerdict,
  homeVocabulary,
  type Property,
  parseRequest,
  type RuleSetFile,
} from './index.ts';

const now = new Date('2026-06-10T12:00:00Z');
const request = { state: 'fl', county: 'marion', policy_type: 'ho3', effective_date: '2026-07-01' };

function ruleSetOf(when: unknown, outcome = 'decline'): RuleSetFile {
  return {
    format: 1,
    carrier: { key: 'palm', name: 'Palm' },
    version: '1',
    effective: { from: '2020-01-01' },
    programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'] }],
    rules: [{ id: 'rule', outcome, code: 'x_evidence', message: 'Evidence.', when: { all: [when] } }],
  } as unknown as RuleSetFile;
}

function propertyOf(fields: object): Property {
  const parsed = parseRequest({ ...request, ...fields }, { now });
  if (!parsed.ok) throw new Error(parsed.faults.map(({ message }) => message).join(' '));
  return parsed.request.property;
}

function verdictOf(when: unknown, fields: object, outcome?: string) {
  return createCatalog([{ file: ruleSetOf(when, outcome) }]).decideSync(propertyOf(fields)).verdicts[0]!;
}

function faultsOf(fields: object) {
  const parsed = parseRequest({ ...request, ...fields }, { now });
  return parsed.ok ? [] : parsed.faults;
}

const roof = { roof_type: 'tile' };
const young = { fact: 'roof_year.evidence_age_years', operator: 'lessThan', value: 5 };

describe('evidence in requests', () => {
  it('reads a value with its date and source, and echoes both', () => {
    const parsed = parseRequest(
      { ...request, ...roof, roof_age: { value: 12, as_of: '2026-05-01', source: 'Public record' } },
      { now },
    );
    if (!parsed.ok) throw new Error('faults');
    expect(parsed.request.property.evidence).toEqual({
      roof_year: { asOf: '2026-05-01', source: 'public_record' },
    });
    const { home } = parsed.request;
    expect(home['roof_age']).toEqual({ value: 12, as_of: '2026-05-01', source: 'public_record' });
    const again = parseRequest({ ...home, effective_date: '2026-07-01' }, { now });
    expect(again.ok && again.request.home).toEqual(home);
  });

  it('takes sets, lists, flags and distances with evidence', () => {
    const { evidence, lists } = propertyOf({
      dogs: { value: ['akita'], source: 'applicant' },
      losses: { value: [], as_of: '2026', source: 'loss_report' },
      pool: { value: 'in ground', source: 'aerial image' },
      distance_to_coast_miles: { value: 2, source: 'x_survey' },
    });
    expect(evidence).toEqual({
      dogs: { source: 'applicant' },
      losses: { asOf: '2026', source: 'loss_report' },
      pool: { source: 'aerial_image' },
      distance_to_tidal_water_meters: { source: 'x_survey' },
    });
    expect(lists).toEqual({ losses: [] });
  });

  it('gives the same property as a plain value if evidence is left out', () => {
    const plain = propertyOf({ ...roof, roof_age: 12 });
    expect(propertyOf({ ...roof, roof_age: { value: 12 } })).toEqual({ ...plain, evidence: undefined });
    expect(plain.evidence).toBeUndefined();
  });

  it.each([
    [{ value: 12, as_of: '2026-02-30' }, '/roof_age/as_of', 'invalid_date', /"2026-02-30"; give the date/],
    [{ value: 12, as_of: '2026-06-12' }, '/roof_age/as_of', 'date_in_future', /which is in the future/],
    [{ value: 12, as_of: '2027' }, '/roof_age/as_of', 'date_in_future', /which is in the future/],
    [{ value: 12, as_of: 20260501 }, '/roof_age/as_of', 'invalid_type', /20260501/],
    [{ value: 12, source: 'permitt' }, '/roof_age/source', 'unknown_value', /Did you mean "permit"\?/],
    [{ value: 12, sorce: 'permit' }, '/roof_age/sorce', 'unknown_field', /sorce/],
    [{ value: 'twelve' }, '/roof_age/value', 'invalid_number', /"twelve"/],
    [{ source: 'permit' }, '/roof_age/value', 'required', /has source but no value/],
  ])('reports the fault of %j', (value, path, code, message) => {
    expect(faultsOf({ ...roof, roof_age: value })).toContainEqual({
      path,
      code,
      message: expect.stringMatching(message as RegExp),
    });
  });

  it('accepts the date of tomorrow, which is today elsewhere', () => {
    expect(faultsOf({ ...roof, roof_age: { value: 1, as_of: '2026-06-11' } })).toEqual([]);
  });

  it('warns that an age is the age at the effective date, not at the date of the evidence', () => {
    const parsed = parseRequest({ ...request, ...roof, roof_age: { value: 12, as_of: '2024-05-01' } }, { now });
    expect(parsed.ok && parsed.request.warnings).toEqual([
      {
        path: '/roof_age/value',
        code: 'age_with_earlier_date',
        message: expect.stringContaining('the year 2014. If it was the age in 2024, give the year 2012'),
      },
    ]);
  });

  it('checks evidence of a property', () => {
    const input = { vocabulary: homeVocabulary, state: 'fl', effectiveDate: '2026-07-01', asOfMs: +now, values: {} };
    expect(() => createProperty({ ...input, evidence: { roof: { source: 'permit' } } })).toThrow(
      /"roof" is not a field/,
    );
    expect(() => createProperty({ ...input, evidence: { roof_year: { asOf: '2030-01-01' } } })).toThrow(/future/);
    expect(createProperty({ ...input, evidence: { roof_age: { asOf: '2024' } } }).evidence).toEqual({
      roof_year: { asOf: '2024' },
    });
  });
});

describe('facts of evidence', () => {
  it.each([
    ['2021-07-02', 'ineligible'],
    ['2021-07-01', 'eligible'],
    ['2021-06', 'eligible'],
    ['2021-07', 'needs_information'],
    ['2021', 'needs_information'],
    ['2022', 'ineligible'],
  ])('counts complete years at the effective date: %s', (asOf, status) => {
    expect(verdictOf(young, { ...roof, roof_age: { value: 3, as_of: asOf } }).status).toBe(status);
  });

  it('names the request field, in either spelling of the rule', () => {
    for (const name of ['roof_year', 'roof_age']) {
      const verdict = verdictOf({ ...young, fact: `${name}.evidence_age_years` }, { ...roof, roof_age: 3 });
      expect(verdict).toMatchObject({
        status: 'needs_information',
        missingFields: ['roof_age.as_of'],
        possibleStatuses: ['eligible', 'ineligible'],
      });
    }
    const bySource = { fact: 'primary_wiring.source', operator: 'in', value: ['electrician', 'inspection'] };
    expect(verdictOf(bySource, { primary_wiring: 'copper' }).missingFields).toEqual(['primary_wiring.source']);
  });

  it.each([
    ['equal', 'permit', { permit: true, invoice: false, x_drone: false }],
    ['notEqual', 'permit', { permit: false, invoice: true, x_drone: true }],
    ['in', ['permit', 'invoice'], { permit: true, invoice: true, photo: false, x_drone: false }],
    ['notIn', ['permit', 'x_drone'], { permit: false, x_drone: false, x_other: true, photo: true }],
    ['not:equal', 'x_drone', { permit: true, x_drone: false, x_other: true }],
    ['not:notIn', ['x_drone', 'photo'], { permit: false, x_drone: true, photo: true }],
  ])('tests a source: %s %j', (operator, value, expected) => {
    const test = { fact: 'roof_year.source', operator, value };
    for (const [source, holds] of Object.entries(expected)) {
      const { status } = verdictOf(test, { ...roof, roof_age: { value: 3, source } });
      expect([source, status]).toEqual([source, holds ? 'ineligible' : 'eligible']);
    }
    expect(verdictOf(test, { ...roof, roof_age: { value: 3, as_of: '2024' } }).status).toBe('needs_information');
  });

  it('knows that one of all sources applies', () => {
    const any = {
      any: [
        { fact: 'roof_year.source', operator: 'in', value: [...evidenceSources].slice(0, 4) },
        { fact: 'roof_year.source', operator: 'notIn', value: [...evidenceSources].slice(0, 4) },
      ],
    };
    expect(verdictOf(any, {})).toMatchObject({ status: 'ineligible' });
  });

  it('marks an answer as conservative if tests of two kinds of sources depend on one unknown source', () => {
    const any = {
      any: [
        { fact: 'roof_year.source', operator: 'equal', value: 'x_drone' },
        { fact: 'roof_year.source', operator: 'notEqual', value: 'x_drone' },
        { fact: 'roof_year.source', operator: 'equal', value: 'permit' },
      ],
    };
    expect(verdictOf(any, {})).toMatchObject({ status: 'ineligible' });
    const mixed = {
      all: [
        { fact: 'roof_year.source', operator: 'equal', value: 'x_drone' },
        { fact: 'roof_year.source', operator: 'equal', value: 'permit' },
      ],
    };
    expect(verdictOf(mixed, {})).toMatchObject({ status: 'needs_information', conservative: true });
  });

  it('computes with ages of evidence', () => {
    const older = { fact: 'roof_age', operator: 'greaterThan', value: { fact: 'roof_age.evidence_age_years' } };
    expect(verdictOf(older, { ...roof, roof_age: { value: 3, as_of: '2024-06-01' } }).status).toBe('ineligible');
    expect(verdictOf(older, { ...roof, roof_age: { value: 2, as_of: '2024-06-01' } }).status).toBe('eligible');
    const sum = {
      add: [{ fact: 'roof_year.evidence_age_years' }, { fact: 'pool.evidence_age_years' }],
      operator: 'greaterThan',
      value: 5,
    };
    expect(verdictOf(sum, { ...roof, roof_age: { value: 3, as_of: '2024-06-01' } }).missingFields).toEqual([
      'pool.as_of',
    ]);
  });

  it('lists missing evidence after missing fields', () => {
    const both = { all: [young, { fact: 'roof_year.source', operator: 'equal', value: 'permit' }] };
    const catalog = createCatalog([
      { file: ruleSetOf({ any: [both, { fact: 'acreage', operator: 'greaterThan', value: 5 }] }) },
    ]);
    const { verdicts, nextQuestions } = catalog.decideSync(propertyOf({}));
    expect(verdicts[0]!.missingFields).toEqual(['acreage', 'roof_age.as_of', 'roof_age.source']);
    expect(nextQuestions.map(({ field }) => field).sort()).toEqual(['acreage', 'roof_age.as_of', 'roof_age.source']);
    expect(catalog.testedFields()).toEqual(['acreage', 'roof_age.as_of', 'roof_age.source']);
  });

  it('explains tests of evidence', async () => {
    const both = { all: [young, { fact: 'roof_age.source', operator: 'in', value: ['permit', 'invoice'] }] };
    const catalog = createCatalog([{ file: ruleSetOf(both) }]);
    const property = propertyOf({ ...roof, roof_age: { value: 3, as_of: '2024-06-01', source: 'photo' } });
    const explanation = await explainVerdict(catalog, property, { carrierKey: 'palm', policyType: 'ho3', tree: true });
    expect(JSON.stringify(explanation)).toContain(
      'Source of year of the roof: photo, which is not one of permit or invoice.',
    );
    expect(JSON.stringify(explanation)).toContain(
      'Age of the evidence for year of the roof: 2 years, which is less than 5 years.',
    );
  });
});
