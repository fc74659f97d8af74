import { checkRuleSet, createCatalog, type Vocabulary } from '@leeward/engine';
import { expect, it } from 'vitest';
import { studioLine } from '../../../../../test/support/engine/studio-line.ts';
import { tinyLine } from '../../../../../test/support/engine/tiny-line.ts';
import { analyseRuleSet } from '../analysis/analyse.ts';
import { checkCases } from '../cases/check-cases.ts';
import { coverageOf } from '../cases/coverage.ts';
import { diffRuleSets } from '../diff/diff.ts';
import { readAskedAt } from '../finding/asked-at.ts';
import { importDecisionTable } from './import-decision-table.ts';
import { importJsonRulesEngine } from './import-json-rules-engine.ts';
import { startingRuleSet } from './starting-rule-set.ts';

const options = { carrierKey: 'keel', carrierName: 'Keel & Co', states: ['de'], from: '2024-01-01' };
const at = readAskedAt('2024-03-01')!;
const carrierOf = (file: unknown, vocabulary: Vocabulary) => createCatalog([{ file }], { vocabulary }).carriers[0]!;

it.each([
  ['boats', tinyLine],
  ['studios', studioLine],
])('starts a rule set of %s that passes its cases', async (_, vocabulary) => {
  const { ruleSet: file, cases } = startingRuleSet({ ...options, vocabulary });
  expect(checkRuleSet(file, { vocabulary })).toMatchObject({ faults: [], ruleSet: { carrierKey: 'keel' } });
  expect(file['line']).toBe(vocabulary.line);
  const { findings, answers } = await checkCases(carrierOf(file, vocabulary), cases, vocabulary);
  expect(findings).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual(['eligible', 'ineligible', 'referral']);
});

it('measures the coverage of another line and suggests cases of it', async () => {
  const { ruleSet: file, cases } = startingRuleSet({ ...options, vocabulary: studioLine });
  const carrier = carrierOf(file, studioLine);
  const checked = await checkCases(carrier, cases.slice(0, 1), studioLine);
  const { rules, suggested } = await coverageOf(carrier, carrier.versions[0]!.ruleSet, checked, at, studioLine);
  expect(rules).toEqual({ reached: 0, all: 2 });
  const again = await checkCases(carrier, [...cases.slice(0, 1), ...suggested], studioLine);
  expect(again.findings).toEqual([]);
  const now = await coverageOf(carrier, carrier.versions[0]!.ruleSet, again, at, studioLine);
  expect(now.rules).toEqual({ reached: 2, all: 2 });
});

it('imports tables and json-rules-engine rules with facts of another line', () => {
  const all = { ...options, policyTypes: ['basic'], vocabulary: studioLine };
  const rows = [
    ['id', 'outcome', 'code', 'floor', 'wall'],
    ['high', 'decline', 'rot', '> 0', 'wood'],
  ];
  const table = importDecisionTable(rows, all);
  expect(table).toMatchObject({ accepted: 1, findings: [] });
  expect(checkRuleSet(table.ruleSet, { vocabulary: studioLine }).faults).toEqual([]);
  const rule = { conditions: { all: [{ fact: 'wall', operator: 'equal', value: 'brick' }] }, event: { type: 'deny' } };
  expect(importJsonRulesEngine([rule], all)).toMatchObject({ accepted: 1 });
  const [, fault] = importDecisionTable(
    [
      ['id', 'outcome', 'roof_age'],
      ['r', 'decline', '> 20'],
    ],
    all,
  ).findings;
  expect(fault).toMatchObject({ code: 'unknown_column', path: '/0/2' });
});

it('finds gaps and changes of another line, each with an example', () => {
  const read = (...tests: Record<string, unknown>[]) =>
    checkRuleSet(
      {
        format: 1,
        carrier: { key: 'studios', name: 'Studios' },
        line: 'studio',
        version: '1',
        effective: { from: '2026-01-01' },
        rules: [
          { id: 'r', outcome: 'decline', code: 'rot', message: '{tools}; {alarm}; {opened}', when: { all: tests } },
        ],
        programs: [{ id: 'all', policy_types: ['basic'], states: ['de'], counties: { de: { exclude: ['sussex'] } } }],
      },
      { vocabulary: studioLine },
    ).ruleSet!;
  const later = readAskedAt('2026-11-20')!;
  const forge = { fact: 'tools', operator: 'contains', value: 'gas forge' };
  const old = { fact: 'inspected', operator: 'lessThan', value: '2024-03-01' };
  const { findings } = analyseRuleSet(read(forge, old), { vocabulary: studioLine, at: later });
  expect(findings.find(({ code }) => code === 'gap_rules')?.example).toMatchObject({ state: 'de', tools: [] });
  const { findings: changed } = diffRuleSets(read(forge, old), read(old), { vocabulary: studioLine, at: later });
  expect(changed.find(({ code }) => code === 'newly_declined')).toMatchObject({
    message: expect.stringContaining('last inspection up to 2024-02-29'),
    example: { tools: [], inspected: '2024-02-28' },
  });
});
