import { readFileSync } from 'node:fs';
import { ruleReference } from '@leeward/authoring';
import { checkRuleSet } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';

const run = (...words: string[]) => runWords(['rules', 'reference', ...words]);
const page = new URL('../../../../../docs/rule-reference.md', import.meta.url);

describe('leeward rules reference', () => {
  it('equals the page in docs', async () => {
    expect((await run('--format', 'markdown')).output).toBe(readFileSync(page, 'utf8'));
  });

  it('gives an example of every fact that a rule set takes, and operators that the fact takes', () => {
    for (const { name, example, operators } of ruleReference().facts) {
      const when = { all: [example] };
      const { faults, warnings } = checkRuleSet({
        format: 1,
        carrier: { key: 'a', name: 'A' },
        version: '1',
        effective: { from: '2026-01-01' },
        rules: [{ id: 'a', outcome: 'decline', code: 'x_a', message: 'No.', when }],
        programs: [{ id: 'p', policy_types: ['ho3'], states: ['tx'] }],
      });
      expect({ name, faults, warnings }).toEqual({ name, faults: [], warnings: [] });
      expect(operators).toContain(example.operator);
    }
  });

  it('prints one fact, and suggests one for a misspelling', async () => {
    const { output } = await run('roof_age');
    expect(output).toMatch(/^roof_age\n {2}Age of the roof, in years/);
    expect(output).toContain('"operator":"greaterThan"');
    const { code, errors } = await run('rof_age');
    expect(code).toBe(2);
    expect(errors).toContain('Did you mean "roof_age"?');
    expect(JSON.parse((await run('acreage', '--format', 'json')).output)).toMatchObject({
      unit: 'acres',
      kind: 'number',
    });
  });
});
