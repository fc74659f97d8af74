import { createCatalog, createProperty, homeVocabulary } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { hostileTests } from '../../../../../test/support/engine/hostile-rule-sets.ts';
import { program, ruleFile, ruleSetFile, test } from '../../../../../test/support/engine/rule-set-file.ts';
import { imageHome } from '../testing/image-home.ts';
import { createImageReader } from '../testing/read-image.ts';
import { buildTables } from './build-tables.ts';

const day = { from: '2026-11-20', to: '2026-11-20' };
const home = createProperty({
  vocabulary: homeVocabulary,
  policyType: 'ho3',
  state: 'tx',
  counties: ['48201'],
  values: { total_claims: 3 },
  asOfMs: Date.UTC(2026, 10, 20),
  effectiveDate: '2026-11-20',
});

describe('what tables leave open', () => {
  it('is a carrier whose rules need the host, where it is offered', () => {
    const carrier = (key: string, fact: string, states: string[]) => ({
      file: ruleSetFile({
        carrier: { key, name: key },
        programs: [program({ states })],
        rules: [ruleFile({ message: '.', when: { all: [test(fact, 'greaterThan', 2)] } })],
      }),
    });
    const catalog = createCatalog(
      [
        carrier('host', 'risk_score', ['tx']),
        carrier('plain', 'total_claims', ['tx']),
        carrier('far', 'risk_score', ['fl']),
      ],
      { facts: { risk_score: () => 5 } },
    );
    const built = buildTables(catalog, day);
    expect(createImageReader(built.image)(imageHome(home, built.inputs)).statuses).toEqual([3, 4, 0]);
    const [first] = built.notCompiled;
    expect(first).toMatchObject({ carrier: 'host', version: '1', policyType: 'ho3', fact: 'risk_score' });
    expect(first!.why).toContain('risk_score');
    expect(built.inputs.find(({ name }) => name === first!.fact)?.source.kind).toBe('host');
  });

  it('is a joint outcome of rules that combine in too many ways', () => {
    const file = hostileTests(1_000, 3, { policyTypes: ['ho3'] });
    const built = buildTables(createCatalog([{ file }]), day);
    expect(built.notCompiled).toEqual([expect.objectContaining({ carrier: 'hostile', settledJointly: false })]);
    // Tables grow with the number of rules, not with its square.
    expect(built.image.length).toBeLessThan(3_000_000);
  });
});

describe('the dates of tables', () => {
  const version = (name: string, from: string, until: string | null, limit: number) => ({
    file: {
      ...ruleSetFile({
        rules: [ruleFile({ message: '.', when: { all: [test('total_claims', 'greaterThan', limit)] } })],
      }),
      version: name,
      effective: { from, until },
    },
  });
  const catalog = createCatalog([version('1', '2026-01-01', '2026-07-01', 2), version('2', '2026-07-01', null, 5)]);

  it('are split at versions of rule sets and at the end of each year', () => {
    const { intervals } = buildTables(catalog, { from: '2025-11-20', to: '2027-02-01' });
    expect(intervals.map(({ from, until, effectiveYear }) => [from, until, effectiveYear])).toEqual([
      ['2025-11-20', '2026-01-01', 2025],
      ['2026-01-01', '2026-07-01', 2026],
      ['2026-07-01', '2027-01-01', 2026],
      ['2027-01-01', '2027-02-02', 2027],
    ]);
    expect(intervals.map(({ types }) => types[0]!.reasons.map((reason) => reason.version))).toEqual([
      [],
      ['1'],
      ['2'],
      ['2'],
    ]);
  });

  it('select the version of a rule set', () => {
    const built = buildTables(catalog, { from: '2025-11-20', to: '2027-02-01' });
    const read = createImageReader(built.image);
    const statusesOn = (effectiveDate: string) => read(imageHome({ ...home, effectiveDate }, built.inputs)).statuses;
    expect(['2025-12-31', '2026-06-30', '2026-07-01', '2027-02-01'].map(statusesOn)).toEqual([[0], [4], [1], [1]]);
  });

  it.each([
    [{ from: 'soon', to: '2026-01-01' }, 'from is "soon"; give YYYY-MM-DD.'],
    [{ from: '2026-01-01', to: '2026-02-30' }, 'to is "2026-02-30"; give YYYY-MM-DD.'],
    [{ from: '2027-01-01', to: '2026-01-01' }, 'from is 2027-01-01, which is after 2026-01-01'],
  ])('are refused by name: %j', (dates, message) => {
    expect(() => buildTables(catalog, dates)).toThrow(message);
  });

  it('need a catalog that does not evaluate all rules with json-rules-engine', () => {
    const file = ruleSetFile({
      rules: [ruleFile({ message: '.', when: { all: [test('total_claims', 'greaterThan', 1)] } })],
    });
    expect(() => buildTables(createCatalog([{ file }], { evaluator: 'reference' }), day)).toThrow('json-rules-engine');
  });
});
