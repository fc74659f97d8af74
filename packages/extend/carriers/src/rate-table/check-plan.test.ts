import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type FormType, formTypes } from '@leeward/terms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examplePlan } from '../testing/example-plan.ts';
import { checkRatingPlan } from './check-plan.ts';
import { ratingPlanJsonSchema } from './schema.ts';

function changed(path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(examplePlan) as unknown;
  let at = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

const program = ['programs', 0] as const;
const factor = [...program, 'factors'] as const;

describe('a rating plan', () => {
  it('has no faults if valid', () => {
    expect(checkRatingPlan(examplePlan)).toMatchObject({
      faults: [],
      warnings: [],
      plan: { carrierKey: 'example_mutual' },
    });
  });

  it.each([
    [['format'], 2, '/format', 'invalid_value'],
    [['programs'], undefined, '', 'missing_key'],
    [['carrier', 'key'], 'Example Mutual', '/carrier/key', 'invalid_value'],
    [['effective', 'from'], '2026-02-30', '/effective/from', 'invalid_date'],
    [['effective', 'until'], '2025-01-01', '/effective/until', 'empty_window'],
    [['efective'], {}, '/efective', 'unknown_key'],
    [[...program, 'form_types', 0], 'ho-3', '/programs/0/form_types/0', 'unknown_policy_type'],
    [[...program, 'states', 0], 'FL', '/programs/0/states/0', 'unknown_state'],
    [[...program, 'base', 'field'], 'dweling_a', '/programs/0/base/field', 'unknown_field'],
    [[...program, 'base', 'per'], '0', '/programs/0/base/per', 'zero'],
    [[...program, 'base', 'per'], '-1000', '/programs/0/base/per', 'invalid_value'],
    [[...program, 'base', 'per'], 1000, '/programs/0/base/per', 'invalid_type'],
    [[...program, 'territories', 0, 'rate'], '1e3', '/programs/0/territories/0/rate', 'invalid_value'],
    [
      [...program, 'territories', 0, 'counties'],
      { ga: ['fulton'] },
      '/programs/0/territories/0/counties/ga',
      'state_not_in_program',
    ],
    [[...program, 'territories', 1, 'zip_prefixes'], undefined, '/programs/0/territories/1', 'unreachable_territory'],
    [
      [...program, 'territories', 1, 'counties'],
      { fl: ['Miami Dade'] },
      '/programs/0/territories/1/counties/fl/0',
      'territory_overlap',
    ],
    [[...program, 'territories', 1, 'id'], 'rest', '/programs/0/territories/2/id', 'duplicate_id'],
    [[...factor, 0, 'values'], { ho3: '1.00' }, '/programs/0/factors/0', 'incomplete_values'],
    [
      [...factor, 0, 'values'],
      { ho3: '1.00', ho5: '1.00', ho8: '1.00' },
      '/programs/0/factors/0/values/ho8',
      'unknown_value',
    ],
    [[...factor, 1, 'values'], { mansonry: '0.90' }, '/programs/0/factors/1/values/mansonry', 'unknown_value'],
    [[...factor, 1, 'otherwise'], undefined, '/programs/0/factors/1', 'incomplete_values'],
    [
      [...factor, 1, 'points'],
      [
        [0, '1.0'],
        [1, '1.0'],
      ],
      '/programs/0/factors/1',
      'one_table',
    ],
    [[...factor, 1, 'otherwise'], '0.00', '/programs/0/factors/1', 'zero'],
    [[...factor, 2, 'field'], 'roof_option', '/programs/0/factors/2', 'wrong_table'],
    [[...factor, 1, 'field'], 'roof_age', '/programs/0/factors/1/values', 'wrong_table'],
    [
      [...factor, 2, 'points'],
      [
        [10, '1.0'],
        [10, '1.1'],
      ],
      '/programs/0/factors/2/points/1/0',
      'not_rising',
    ],
    [[...factor, 2, 'points'], [[10, '1.0']], '/programs/0/factors/2/points', 'invalid_value'],
    [[...factor, 3, 'missing'], undefined, '/programs/0/factors/3/field', 'unknown_field'],
    [[...program, 'minimum_premium'], '900', '/programs/0/minimum_premium', 'invalid_value'],
    [[...program, 'rounding', 'to'], '0.00', '/programs/0/rounding/to', 'zero'],
    [[...program, 'fees', 0, 'percent'], '1', '/programs/0/fees/0', 'amount_or_percent'],
    [[...program, 'fees', 1, 'code'], 'policy_fee', '/programs/0/fees/1/code', 'duplicate_code'],
    [[...program, 'quote_url'], 'javascript:alert(1)', '/programs/0/quote_url', 'invalid_url'],
  ] as const)('%s as %j is a fault at %s: %s', (path, value, at, code) => {
    const { plan, faults } = checkRatingPlan(changed(path, value));
    expect(plan).toBeUndefined();
    expect(faults.map((fault) => `${fault.path} ${fault.code}`)).toContain(`${at} ${code}`);
  });

  it('reports all faults at once', () => {
    const copy = structuredClone(examplePlan);
    copy.programs[0]!.base.field = 'nothing';
    copy.programs[0]!.rounding.to = '0.00';
    copy.effective.until = '2020-01-01';
    expect(checkRatingPlan(copy).faults).toHaveLength(3);
  });

  it('suggests the intended name of a misspelt key, without a second fault', () => {
    const { faults } = checkRatingPlan({ ...examplePlan, programs: undefined, progams: examplePlan.programs });
    expect(faults).toEqual([
      { path: '/progams', code: 'unknown_key', message: expect.stringContaining('Did you mean "programs"?') },
    ]);
  });

  it('rejects programs that overlap in form type and state', () => {
    const copy = structuredClone(examplePlan);
    copy.programs.push({ ...copy.programs[0]!, id: 'again', form_types: ['ho5', 'ho8'] });
    const [fault] = checkRatingPlan(copy).faults.filter((each) => each.code === 'program_overlap');
    expect(fault).toMatchObject({ path: '/programs/1', message: expect.stringContaining('ho5 in fl') });
  });

  it('warns about a custom field that resembles another', () => {
    const file = changed([...factor, 3, 'field'], 'rof_age');
    expect(checkRatingPlan(file)).toMatchObject({
      faults: [],
      warnings: [{ code: 'extra_field', path: '/programs/0/factors/3/field' }],
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(examplePlan)), (value, key) => {
        expect(checkRatingPlan(value).plan).toBeUndefined();
        checkRatingPlan({ ...examplePlan, [key]: value });
        checkRatingPlan({ ...examplePlan, programs: [{ ...examplePlan.programs[0], factors: [value] }] });
      }),
      { numRuns: 300 },
    );
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(checkRatingPlan({ ...examplePlan, programs: deep }).faults).toMatchObject([{ code: 'too_deep' }]);
  });

  it('has a JSON Schema', () => {
    expect(ratingPlanJsonSchema()).toMatchObject({ type: 'object', required: expect.arrayContaining(['programs']) });
  });
});

describe('the fixtures', () => {
  const folder = new URL('../../../../../fixtures/carriers/', import.meta.url);
  const files = readdirSync(folder)
    .map((key) => ({ key, file: new URL(`${key}/rating-plan.json`, folder) }))
    .filter(({ file }) => existsSync(file))
    .map(({ key, file }) => ({ key, json: JSON.parse(readFileSync(file, 'utf8')) as unknown }));

  it.each(files)('$key has a rating plan without faults or warnings', ({ key, json }) => {
    expect(checkRatingPlan(json)).toMatchObject({ faults: [], warnings: [], plan: { carrierKey: key } });
  });

  it('rate every form type, homeowners in Florida at least three times', () => {
    const programs = files.flatMap(({ json }) => checkRatingPlan(json).plan!.programs);
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const formType of formTypes) expect(programs.some((each) => each.formTypes.includes(formType))).toBe(true);
    const floridaHomes = files.filter(({ json }) =>
      checkRatingPlan(json).plan!.programs.some(
        (each) => each.states.includes('fl') && each.formTypes.some((formType: FormType) => formType.startsWith('ho')),
      ),
    );
    expect(floridaHomes.length).toBeGreaterThanOrEqual(3);
  });
});
