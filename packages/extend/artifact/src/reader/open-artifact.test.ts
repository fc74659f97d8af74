import { createCatalog } from '@leeward/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { fixtureCatalog } from '../../../../../test/support/engine/fixture-catalog.ts';
import { ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { compileArtifact } from '../compile/compile-artifact.ts';
import { type Artifact, artifactStatuses, type EvaluateOptions } from './artifact.ts';
import type { ArtifactColumns } from './artifact-columns.ts';
import { openArtifact } from './open-artifact.ts';

const asOf = new Date('2026-11-20T12:00:00Z');
let artifact: Artifact;
beforeAll(async () => {
  artifact = await openArtifact(
    (await compileArtifact(fixtureCatalog(), { from: '2026-01-01', to: '2026-12-31' })).bytes,
  );
});

const home = { state: 'TX', policy_type: 'HO-3', county: 'Harris County', roof_type: '3-tab shingle', roof_age: 22 };
const columnsOf = (...rows: readonly Record<string, unknown>[]): ArtifactColumns => {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries([...names].map((name) => [name, rows.map((row) => row[name])]));
};
const evaluate = (columns: ArtifactColumns, options: EvaluateOptions = {}) =>
  artifact.evaluate(columns, { asOf, ...options });
const codeOf = (columns: ArtifactColumns, options?: EvaluateOptions) => {
  try {
    evaluate(columns, options);
  } catch (error) {
    return error as { code: string; message: string };
  }
  throw new Error('nothing was refused');
};

describe('openArtifact', () => {
  it('answers its vectors', async () => {
    const { homes, lookups } = await artifact.check();
    expect(homes).toBeGreaterThan(1000);
    expect(lookups).toBeGreaterThan(10_000);
  });

  it('evaluates columns: a status for each carrier and row', () => {
    const { statuses, faults, rows, reasons } = evaluate(columnsOf(home, { ...home, roof_age: 2 }));
    expect([rows, faults, reasons]).toEqual([2, [], []]);
    expect(Array.from(statuses.get('bayou_mutual')!, (code) => artifactStatuses[code])).toEqual([
      'ineligible',
      'needs_information',
    ]);
  });

  it('takes typed arrays, and NaN for a missing number', () => {
    const columns = { ...columnsOf(home, home), roof_age: Float64Array.of(22, 3) };
    expect([...evaluate(columns).statuses.get('bayou_mutual')!]).toEqual([4, 3]);
  });

  it('returns reasons, and the fields that an open status needs', () => {
    const { reasons } = evaluate(columnsOf(home, { ...home, roof_age: 2 }), { reasons: true });
    const of = (row: number) => reasons.find((each) => each.row === row && each.carrier === 'bayou_mutual')!;
    expect(of(0).reasons.map(({ code }) => code)).toEqual(['roof_age']);
    expect(of(0).fields).toEqual([]);
    expect(of(1).reasons).toEqual([]);
    expect(of(1).fields).toContain('total_claims');
  });

  it('marks a faulty row invalid, names all its faults, and answers the others', () => {
    const faulty = { ...home, state: 'Texs', roof_age: 900, roof_type: 'strw' };
    const { statuses, faults } = evaluate(columnsOf(home, faulty, home));
    expect([...statuses.get('bayou_mutual')!]).toEqual([4, artifactStatuses.indexOf('invalid'), 4]);
    expect(faults.map(({ row, column, code }) => [row, column, code])).toEqual([
      [1, 'state', 'unknown_state'],
      [1, 'roof_age', 'out_of_range'],
      [1, 'roof_type', 'unknown_value'],
    ]);
    expect(faults[0]!.message).toContain('Did you mean "Texas"?');
    expect(faults[1]!.message).toContain('a year from 1600 to 2027');
  });

  it('marks a row whose date the artifact does not have', () => {
    const { faults } = evaluate(columnsOf(home, { ...home, effective_date: '2031-01-01' }));
    expect(faults).toEqual([
      {
        row: 1,
        column: 'effective_date',
        code: 'dates_not_covered',
        message: 'effective_date is "2031-01-01"; this artifact has the dates from 2026-01-01 to 2026-12-31.',
      },
    ]);
  });

  it('refuses a date of the call that it does not have, naming both ranges', () => {
    for (const options of [{ effectiveDate: '2031-01-01' }, { asOf: new Date('2031-06-01T12:00:00Z') }]) {
      const { code, message } = codeOf(columnsOf(home), options);
      expect(code).toBe('dates_not_covered');
      expect(message).toMatch(/2031-.*2026-01-01 to 2026-12-31/);
    }
    expect(() => evaluate(columnsOf(home), { effectiveDate: '1 May' })).toThrow(RangeError);
  });

  it('names a required column that is missing, with the nearest name', () => {
    const { state, ...rest } = home;
    expect(codeOf(columnsOf({ ...rest, stat: state })).message).toBe(
      'There is no column state, which is required. "stat" resembles it; map it with columns: { state: "stat" }.',
    );
  });

  it('refuses a column that resembles a field, unless it is mapped or ignored', () => {
    const { roof_age: age, ...rest } = home;
    const columns = columnsOf({ ...rest, rof_age: age, policy_number: 7 });
    const { code, message } = codeOf(columns);
    expect([code, message]).toEqual(['unknown_column', expect.stringContaining('Did you mean "roof_age"?')]);
    const mapped = evaluate(columns, { columns: { roof_age: 'rof_age' } });
    expect(mapped.statuses.get('bayou_mutual')![0]).toBe(4);
    const ignored = evaluate(columns, { ignore: ['rof_age'] });
    expect(ignored.faults[0]).toMatchObject({ column: 'roof_age', code: 'required_with' });
    expect(ignored.missingColumns).toContain('roof_age');
  });

  it.each([
    ['a field that does not exist', { columns: { rof: 'x' } }, 'unknown_column'],
    ['a column that does not exist', { columns: { roof_age: 'age_of_roof' } }, 'missing_column'],
    ['an unknown range', { ranges: { roof: { lower: Float64Array.of(1) } } }, 'unknown_column'],
    ['a range of another length', { ranges: { roof_year: { lower: new Float64Array(3) } } }, 'unequal_columns'],
  ])('refuses a map of %s', (_, options, code) => {
    expect(codeOf(columnsOf(home), options).code).toBe(code);
  });

  it('refuses columns of several lengths', () => {
    expect(codeOf({ ...columnsOf(home), roof_age: [1, 2] }).code).toBe('unequal_columns');
  });

  it('reports a distance with two names', () => {
    const { faults } = evaluate(columnsOf({ ...home, distance_to_coast_miles: 2, distance_to_coast_feet: 9 }));
    expect(faults).toMatchObject([{ column: 'distance_to_coast_feet', code: 'distance_given_twice' }]);
    expect(faults[0]!.message).toBe(
      'distance_to_coast_feet and distance_to_coast_miles are the same distance; give one of them.',
    );
  });
});

describe('a carrier that needs facts of the host', () => {
  it('is answered needs_information where it is offered, and listed', async () => {
    const rules = [ruleFile({ when: { all: [test('map_zone', 'equal', 'VE')] }, message: 'Flood.' })];
    const catalog = createCatalog([{ file: ruleSetFile({ rules }) }], { facts: { map_zone: 'X' } });
    const { bytes, notCompiled } = await compileArtifact(catalog, { from: '2026-02-01', to: '2026-12-31' });
    expect(notCompiled).toMatchObject([{ carrier: 'pine_ridge', policyType: 'ho3' }, { policyType: 'ho5' }]);
    const open = await openArtifact(bytes);
    const { statuses, reasons } = open.evaluate(columnsOf(home, { ...home, state: 'fl', county: null }), {
      asOf,
      reasons: true,
    });
    expect([...statuses.get('pine_ridge')!]).toEqual([3, 0]);
    expect(reasons).toEqual([{ row: 0, carrier: 'pine_ridge', reasons: [], fields: ['map_zone'] }]);
    await open.check();
  });
});
