import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { carriersOf, checkCases } from '@leeward/authoring';
import { checkRuleSet, homeVocabulary } from '@leeward/engine';
import { describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../fixtures/real-guides');
const guides = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));

interface Case {
  readonly note: string;
}

describe('rules of real guides', () => {
  it.each(guides.map(({ name }) => name))('%s answers its cases', async (guide) => {
    const { ruleSet, faults } = checkRuleSet(read(guide, 'rule-set.json'));
    expect(faults).toEqual([]);
    const [carrier] = carriersOf([{ ruleSet: ruleSet!, source: 'catalog' }]);
    const { cases, findings } = await checkCases(carrier!, read(guide, 'cases.json'), homeVocabulary);
    expect(findings).toEqual([]);
    expect(cases.length).toBeGreaterThan(1);
  });

  it('has a rule or moratorium, and two cases, for each line of its table', () => {
    const table = readFileSync(join(folder, 'README.md'), 'utf8');
    const lines = [...table.matchAll(/^\| ([AB]-\d+) \| [^|]+ \| \[([a-z-]+)\]/gm)];
    const unwritten = [...table.matchAll(/^\| ([AB]-\d+) \| [^|]+ \|$/gm)];
    expect(lines.length + unwritten.length).toBe(85);
    for (const [, rule, guide] of lines) {
      const cases = read(guide!, 'cases.json') as Case[];
      expect(cases.filter(({ note }) => note.split(' ').includes(rule!)).length, rule).toBeGreaterThanOrEqual(2);
      // A-4 lifts is the program of, and B-55 is the exception of B-52.
      if (rule === 'A-4' || rule === 'A-9' || rule === 'B-55') continue;
      expect(JSON.stringify(read(guide!, 'rule-set.json')), rule).toContain(`"id":"${rule}"`);
    }
  });
});
