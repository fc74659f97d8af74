import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { carriersOfLine, shippedLines } from '@leeward/lines';
import { writeWord } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

interface Case {
  readonly as_of: string;
  readonly policy_type: string;
  readonly home: Record<string, unknown>;
  readonly expect: { readonly status: string };
}

describe.each([...shippedLines.keys()])('the line %s on the command line', (line) => {
  const carriers = fileURLToPath(carriersOfLine(line));
  const file = `${carriers}${line === 'condo' ? 'prairie_loft' : 'levee_lock'}/rule-set.json`;
  const [first] = JSON.parse(readFileSync(file.replace('rule-set', 'cases'), 'utf8')) as [Case];
  const { home, policy_type: policyType, as_of: asOf } = first;
  const input = JSON.stringify({ ...home, policy_type: policyType, as_of: asOf });

  it('has rule sets that are checked with their cases, analysed and compared in their own words', async () => {
    const check = await runWords(['rules', 'check', carriers]);
    expect([check.code, check.output]).toEqual([0, expect.stringMatching(/6 rule sets, \d+ cases: no faults/)]);
    const analysis = await runWords(['rules', 'analyse', carriers]);
    expect(analysis.code).toBe(0);
    expect((await runWords(['rules', 'diff', file, file])).code).toBe(0);
    expect((await runWords(['rules', 'coverage', file])).output).toContain('rule');
  });

  it('is described for people and for editors', async () => {
    const schema = JSON.parse((await runWords(['rules', 'schema', '--line', line])).output);
    expect(JSON.stringify(schema)).toContain(`"enum":["${line}"]`);
    const reference = await runWords(['rules', 'reference', '--line', line]);
    expect(reference.output).toContain(line === 'condo' ? 'master_policy' : 'first_floor_above_base_flood_feet');
    const wrong = await runWords(['rules', 'schema', '--line', 'condoo']);
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('Did you mean "condo"?')]);
  });

  it('is underwritten and explained', async () => {
    const { key } = (JSON.parse(readFileSync(file, 'utf8')) as { carrier: { key: string } }).carrier;
    for (const words of [
      ['--line', line],
      ['--carriers', carriers],
    ]) {
      const asked = await runWords(['underwrite', '-', '--json', ...words], { input });
      const { carriers: taken, declined } = JSON.parse(asked.output);
      const verdict = [...taken, ...declined].find(({ carrier_key: each }) => each === key);
      expect(verdict.status).toBe(first.expect.status);
    }
    const explained = await runWords(['rules', 'explain', file, '-'], { input });
    expect([explained.code, explained.errors]).toEqual([0, '']);
    expect(explained.output).toContain(writeWord(policyType));
  });

  it('has books that are run and compared', async () => {
    using folder = temporaryFolder({ 'book.ndjson': `${input}\n`.repeat(40) });
    const options = { folder: folder.path };
    // Thread messages are tested once only.
    const threads = line === 'condo' ? '2' : '1';
    const [asHomes, run] = await Promise.all([
      runWords(['book', 'run', 'book.ndjson'], options),
      runWords(['book', 'run', 'book.ndjson', '--line', line, '--json', '--threads', threads, '--parts', '2'], options),
    ]);
    expect([asHomes.code, asHomes.errors]).toEqual([
      1,
      expect.stringContaining('No row of book.ndjson was evaluated.'),
    ]);
    const report = JSON.parse(run.output);
    expect([report.rows, report.rejected, report.carriers.length]).toEqual([40, 0, 6]);
    expect(report.by_policy_type[policyType][first.expect.status]).toBeGreaterThan(0);
    const diff = await runWords(['book', 'diff', 'book.ndjson', '--old', file, '--new', file, '--json'], options);
    expect([diff.code, JSON.parse(diff.output)]).toEqual([0, expect.objectContaining({ rows: 40, rejected: 0 })]);
  });

  it('has rule sets begun, and imported from a table', async () => {
    using folder = temporaryFolder({ 'rules.csv': 'outcome,code,message,state\ndecline,x_fl,Not in Florida.,fl\n' });
    const options = { folder: folder.path };
    expect((await runWords(['rules', 'new', 'mine', '--line', line], options)).code).toBe(0);
    const check = await runWords(['rules', 'check', 'mine'], options);
    expect([check.code, check.output]).toEqual([0, expect.stringContaining('no faults')]);
    const imported = await runWords(['rules', 'import', 'rules.csv', '--line', line], options);
    expect([imported.code, JSON.parse(imported.output)]).toEqual([
      0,
      expect.objectContaining({ line, programs: [expect.objectContaining({ policy_types: [expect.any(String)] })] }),
    ]);
    const wrong = await runWords(['rules', 'new', 'other', '--line', line, '--policy-type', 'ho5'], options);
    expect(wrong.code).toBe(2);
  });
});

describe('a line of one’s own on the command line', () => {
  const engine = join(import.meta.dirname, '../../../../core/engine/src');
  const renters = `import { defineLine } from ${JSON.stringify(`${engine}/index.ts`)};
import { integerField } from ${JSON.stringify(`${engine}/vocabulary/index.ts`)};
export const renters = defineLine({
  line: 'renters', title: 'Renters', noun: 'rented home', policyTypes: ['ho4'], codes: ['contents'],
  fields: [integerField('contents', { label: 'contents', unit: 'dollars', min: 1, max: 900000, typical: 30000,
    change: { kind: 'any' }, description: 'Coverage of contents.' })],
});`;

  it('is a module: its rules are created, checked, explained and applied to a book', async () => {
    using folder = temporaryFolder({ 'renters.ts': renters, 'none.ts': 'export const line = 1;', 'book.csv': '' });
    const options = { folder: folder.path };
    const line = ['--line', './renters.ts'];
    const begun = await runWords(['rules', 'new', 'carriers/mine', ...line], options);
    expect(begun.output).toContain('leeward rules check carriers/mine --line ./renters.ts');
    expect((await runWords(['rules', 'check', 'carriers', ...line], options)).output).toContain('no faults');
    const strange = await runWords(['rules', 'check', 'carriers'], options);
    expect([strange.code, strange.output]).toEqual([1, expect.stringContaining('renters')]);
    const input = JSON.stringify({ state: 'tx', policy_type: 'ho4', contents: 30_000 });
    const asked = await runWords(['underwrite', '-', '--carriers', 'carriers', '--json', ...line], {
      ...options,
      input,
    });
    expect(JSON.parse(asked.output).home).toMatchObject({ contents: 30_000 });
    writeFileSync(join(folder.path, 'book.csv'), 'state,policy_type,contents\ntx,ho4,30000\ntx,ho4,2000000\n');
    const run = await runWords(['book', 'run', 'book.csv', '--carriers', 'carriers', '--json', ...line], options);
    expect(JSON.parse(run.output)).toMatchObject({ rows: 2, rejected: 1 });
    const none = await runWords(['rules', 'new', 'x', '--line', './none.ts'], options);
    expect([none.code, none.errors]).toEqual([2, expect.stringContaining('none.ts exports no line')]);
    expect((await runWords(['underwrite', '-', ...line], { ...options, input })).errors).toContain('--carriers');
  });
});
