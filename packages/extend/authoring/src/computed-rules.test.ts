import { checkRuleSet, createCatalog, homeVocabulary, parseRequest, type RuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { analyseRuleSet } from './analysis/analyse.ts';
import { diffRuleSets } from './diff/diff.ts';
import { readAskedAt } from './finding/asked-at.ts';
import { propertyOfRecord, recordHome } from './replay/recorded-home.ts';
import { readWorkbook } from './workbook/read-workbook.ts';
import { writeWorkbook } from './workbook/write-workbook.ts';

const at = readAskedAt('2026-11-20')!;

function waterLosses(value: number) {
  const where = {
    all: [
      { fact: 'kind', operator: 'equal', value: 'water' },
      { fact: 'age_years', operator: 'lessThan', value: 3 },
    ],
  };
  return { count: 'losses', where, operator: 'greaterThanInclusive', value };
}

const eachAcre = { fact: 'dwelling_a', operator: 'lessThan', value: { multiply: [20_000, { fact: 'acreage' }] } };

function fileOf(tests: Readonly<Record<string, object>>) {
  const rules = Object.entries(tests).map(([id, test]) => ({
    id,
    outcome: 'decline',
    code: 'x_test',
    message: 'Not accepted.',
    when: { all: [test] },
  }));
  return {
    format: 1,
    carrier: { key: 'bayou', name: 'Bayou' },
    version: '1',
    effective: { from: '2026-01-01' },
    programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'], rules }],
  };
}

function ruleSetOf(tests: Readonly<Record<string, object>>): RuleSet {
  const { ruleSet, faults } = checkRuleSet(fileOf(tests));
  if (!ruleSet) throw new Error(JSON.stringify(faults));
  return ruleSet;
}

/** The status of an example home of a finding or a difference. */
function statusOf(tests: Readonly<Record<string, object>>, home: object): string | undefined {
  const parsed = parseRequest({ ...home, as_of: at.asOf, effective_date: at.effectiveDate }, { now: new Date(0) });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return createCatalog([{ file: fileOf(tests) }]).decideSync(parsed.request.property).verdicts[0]?.status;
}

const recent = (value: number) => ({ fact: 'roof_year.evidence_age_years', operator: 'lessThan', value });
const approved = (...value: string[]) => ({ fact: 'primary_wiring.source', operator: 'in', value });

describe('rules that test evidence', () => {
  it('are found covered, with a home that has the evidence', () => {
    const { findings } = analyseRuleSet(ruleSetOf({ five: recent(5), three: recent(3) }), { at });
    const covered = findings.find(({ code }) => code === 'rule_covered_by_one');
    expect(covered).toMatchObject({ ruleId: 'three', otherRuleIds: ['five'] });
    const [one, two] = [approved('permit', 'invoice'), approved('permit')];
    const ofSources = analyseRuleSet(ruleSetOf({ one, two }), { at }).findings;
    expect(ofSources).toContainEqual(expect.objectContaining({ code: 'rule_covered_by_one', ruleId: 'two' }));
  });

  it('are described in words, sources by name', () => {
    const both = { all: [approved('permit', 'x_own'), recent(3)] };
    const text = (older: object, newer: object) =>
      JSON.stringify(diffRuleSets(ruleSetOf({ rule: older }), ruleSetOf({ rule: newer }), { at }).findings);
    const toBoth = text(approved('photo'), both);
    expect(toBoth).toContain('source of primary wiring is permit or own');
    expect(toBoth).toContain('age of the evidence for year of the roof up to 2');
    expect(text(approved('photo'), approved('photo', 'permit'))).toContain('source of primary wiring permit');
  });

  it.each([
    ['an age', recent(3), recent(5)],
    ['a list of sources', approved('permit'), approved('permit', 'electrician')],
    ['a custom source', approved('permit'), approved('permit', 'x_own')],
  ])('show a home that a change of %s moves', (_, older, newer) => {
    const diff = diffRuleSets(ruleSetOf({ rule: older }), ruleSetOf({ rule: newer }), { at });
    const examples = diff.findings.flatMap(({ example }) => (example ? [example] : []));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect([statusOf({ rule: older }, example), statusOf({ rule: newer }, example)]).toEqual([
        'eligible',
        'ineligible',
      ]);
    }
  });

  it('survive a workbook', () => {
    const file = fileOf({ recent: recent(3), approved: approved('permit', 'x_own') });
    expect(readWorkbook(writeWorkbook(file))).toMatchObject({ file });
  });
});

describe('rules that compute numbers', () => {
  it('are found covered by a rule with a lower count', () => {
    const { findings } = analyseRuleSet(ruleSetOf({ two: waterLosses(2), four: waterLosses(4) }), { at });
    const covered = findings.find(({ code }) => code === 'rule_covered_by_one');
    expect(covered).toMatchObject({ ruleId: 'four', otherRuleIds: ['two'] });
    expect(covered!.example!['losses']).toHaveLength(4);
  });

  it.each([
    ['a count', waterLosses(3), waterLosses(2)],
    ['arithmetic', { ...eachAcre, value: { multiply: [10_000, { fact: 'acreage' }] } }, eachAcre],
  ])('show a home that a change of %s moves', (_, older, newer) => {
    const diff = diffRuleSets(ruleSetOf({ rule: older }), ruleSetOf({ rule: newer }), { at });
    const examples = diff.findings.flatMap(({ example }) => (example ? [example] : []));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      expect([statusOf({ rule: older }, example), statusOf({ rule: newer }, example)]).toEqual([
        'eligible',
        'ineligible',
      ]);
    }
  });

  it('survive a workbook', () => {
    const file = fileOf({ water: waterLosses(2), acre: eachAcre });
    const read = readWorkbook(writeWorkbook(file));
    expect(read).toMatchObject({ file });
  });

  it('have the same lists after a record', () => {
    const home = { state: 'tx', policy_type: 'ho3', losses: [{ kind: 'water', date: '2025-03' }, {}] };
    const parsed = parseRequest(home, { now: new Date('2026-11-20T12:00:00Z') });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    const { property } = parsed.request;
    expect(propertyOfRecord(recordHome(property), homeVocabulary).lists).toEqual(property.lists);
  });
});
