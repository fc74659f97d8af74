import { readdirSync, readFileSync } from 'node:fs';
import { analyseRuleSet, checkCases, coverageOf, readAskedAt } from '@leeward/authoring';
import { createCatalog } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { carriersOfLine, shippedLines } from './shipped-lines.ts';

const at = readAskedAt('2026-12-01')!;

describe.each([...shippedLines])('the invented carriers of %s', (name, { vocabulary }) => {
  const folder = carriersOfLine(name);
  const keys = readdirSync(folder).sort();
  const read = (key: string, file: string): unknown =>
    JSON.parse(readFileSync(new URL(`${key}/${file}.json`, folder), 'utf8'));
  const catalog = createCatalog(
    keys.map((key) => ({ name: key, file: read(key, 'rule-set') })),
    { vocabulary },
  );

  it('are six, at least four of them in Florida', () => {
    expect(catalog.carriers.map(({ key }) => key).sort()).toEqual(keys);
    const inFlorida = catalog.carriers.filter(({ versions }) =>
      versions.some(({ ruleSet }) => ruleSet.programs.some(({ places }) => places.states?.includes('fl'))),
    );
    expect([keys.length, inFlorida.length >= 4]).toEqual([6, true]);
    expect(catalog.evaluators.every(({ evaluator }) => evaluator === 'compiled')).toBe(true);
  });

  it.each(keys)('%s: its cases hold and reach every rule, and none of its rules is idle', async (key) => {
    const carrier = catalog.carriers.find((each) => each.key === key)!;
    const checked = await checkCases(carrier, read(key, 'cases'), vocabulary);
    expect(checked.findings).toEqual([]);
    const { ruleSet } = carrier.versions[0]!;
    const { rules } = await coverageOf(carrier, ruleSet, checked, at, vocabulary);
    expect(rules.reached).toBe(rules.all);
    const { findings } = analyseRuleSet(ruleSet, { vocabulary, at });
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});
