import { fileURLToPath } from 'node:url';
import { carriersOfLine, shippedLines } from '@leeward/lines';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';

describe.each([...shippedLines.keys()])('rule sets of %s', (line) => {
  const folder = fileURLToPath(carriersOfLine(line));

  it('are checked with their cases, analysed and compared in their own words', async () => {
    const check = await runWords(['rules', 'check', folder]);
    expect([check.code, check.output]).toEqual([0, expect.stringMatching(/6 rule sets, \d+ cases: no faults/)]);
    const analysis = await runWords(['rules', 'analyse', folder]);
    expect(analysis.code).toBe(0);
    const file = `${folder}${line === 'condo' ? 'prairie_loft' : 'levee_lock'}/rule-set.json`;
    expect((await runWords(['rules', 'diff', file, file])).code).toBe(0);
    expect((await runWords(['rules', 'coverage', file])).output).toContain('rule');
  });

  it('are described for people and for editors', async () => {
    const schema = JSON.parse((await runWords(['rules', 'schema', '--line', line])).output);
    expect(JSON.stringify(schema)).toContain(`"enum":["${line}"]`);
    const reference = await runWords(['rules', 'reference', '--line', line]);
    expect(reference.output).toContain(line === 'condo' ? 'master_policy' : 'first_floor_above_base_flood_feet');
    const wrong = await runWords(['rules', 'schema', '--line', 'condoo']);
    expect([wrong.code === 0, wrong.errors]).toEqual([false, expect.stringContaining('Did you mean "condo"?')]);
  });
});
