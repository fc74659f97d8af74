import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { LocatedFinding } from './located-finding.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const invalid = join(fixtures, 'invalid-rule-sets');
const expected = readFileSync(join(invalid, 'expected.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { file: string; code: string; path: string; line: number });
const bayou = readFileSync(join(fixtures, 'carriers/bayou_mutual/rule-set.json'), 'utf8');
const bayouCases = readFileSync(join(fixtures, 'carriers/bayou_mutual/cases.json'), 'utf8');

async function checkJson(words: readonly string[], folder: string) {
  const { code, output, errors } = await runWords(['rules', 'check', ...words, '--format', 'json'], { folder });
  return { code, errors, findings: (JSON.parse(output) as { findings: LocatedFinding[] }).findings };
}

describe('leeward rules check', () => {
  it.each(expected)('$file: $code at $path, line $line', async ({ file, code, path, line }) => {
    const checked = await checkJson([file], invalid);
    expect(checked.code).toBe(1);
    expect(checked.findings).toMatchObject([{ file, code, path, line, column: expect.any(Number) }]);
  });

  it('leaves the rating plan of a carrier to other commands', async () => {
    const { code, output } = await runWords(['rules', 'check', join(fixtures, 'carriers/bayou_mutual')]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('1 rule set, ') });
  });

  it('reports five faults of one file at once, each at its line', async () => {
    const broken = bayou
      .replace('"greaterThan"', '"greterThan"')
      .replace('"outcome": "decline"', '"outcome": "declin"')
      .replace('"aluminum single"', '"aluminium single"')
      .replace('"states": ["tx"', '"states": ["txs"')
      .replace('"version"', '"verzion"');
    using folder = temporaryFolder({ 'rule-set.json': broken });
    const { code, findings } = await checkJson(['.'], folder.path);
    expect(code).toBe(1);
    const lines = broken.split('\n');
    const lineOf = (text: string) => lines.findIndex((line) => line.includes(text)) + 1;
    const at = (text: string) => {
      const line = lineOf(text);
      return { line, column: lines[line - 1]!.indexOf(text) + 1 };
    };
    const found = Object.fromEntries(findings.map((finding) => [finding.code, finding]));
    expect(found['unknown_operator']).toMatchObject({
      ...at('"greterThan"'),
      message: expect.stringContaining('Did you mean "greaterThan"?'),
    });
    expect(found['unknown_outcome']).toMatchObject(at('"declin"'));
    expect(found['unknown_value']).toMatchObject(at('"aluminium single"'));
    expect(found['unknown_state']).toMatchObject(at('"txs"'));
    expect(found['unknown_key']).toMatchObject(at('"verzion"'));
    expect(new Set(findings.map((finding) => finding.code)).size).toBeGreaterThanOrEqual(5);
  });

  it('runs the cases, and names the one that fails', async () => {
    using folder = temporaryFolder({
      'bayou/rule-set.json': bayou,
      'bayou/cases.json': bayouCases.replace('"status": "eligible"', '"status": "referral"'),
    });
    const { code, findings } = await checkJson(['.'], folder.path);
    expect(code).toBe(1);
    const line = bayouCases.split('\n').findIndex((each) => each.includes('"status": "eligible"')) + 1;
    expect(findings).toMatchObject([
      { file: 'bayou/cases.json', code: 'case_fails', path: expect.stringMatching(/^\/\d+\/expect\/status$/), line },
    ]);
    expect(findings[0]?.message).toContain('expects status referral; the rules return eligible');
  });

  it('finds what is wrong with cases themselves', async () => {
    const cases = [
      {
        note: 'a',
        as_of: '2026-11-20T12:00:00Z',
        effective_date: '2026-12-01',
        home: { state: 'tx', rof_type: 'tile' },
        policy_type: 'ho3',
        expect: { status: 'elligible' },
      },
      {
        note: 'b',
        as_of: 'now',
        effective_date: '2026-12-01',
        home: { state: 'tx' },
        policy_type: 'ho3',
        expect: { status: 'eligible' },
      },
      { home: {}, expect: {} },
      7,
    ];
    using folder = temporaryFolder({ 'rule-set.json': bayou, 'cases.json': JSON.stringify(cases) });
    const { findings } = await checkJson(['rule-set.json'], folder.path);
    expect(findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'unknown_field /0/home/rof_type',
      'unknown_status /0/expect/status',
      'invalid_date /1/as_of',
      'missing_key /2',
      'missing_key /2',
      'missing_key /2',
      'required /2/home/state',
      'unknown_status /2/expect',
      'invalid_type /3',
    ]);
  });

  it('reports no fault in rules next to a broken version', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayou, 'rule-set.old.json': '{', 'cases.json': bayouCases });
    const { code, findings } = await checkJson(['rule-set.json'], folder.path);
    expect(code).toBe(0);
    expect(findings).toMatchObject([{ code: 'cases_not_run', severity: 'warning', file: 'cases.json' }]);
  });

  it('refuses two versions of one date, and keys given twice', async () => {
    using folder = temporaryFolder({
      'rule-set.json': bayou,
      'rule-set.copy.json': bayou,
      'other/rule-set.json': bayou.replace('"line": "home",', '"line": "home",\n  "line": "home",'),
    });
    const { findings } = await checkJson(['.'], folder.path);
    expect(findings.map(({ code, file, path }) => `${code} ${file} ${path}`)).toEqual([
      'duplicate_key other/rule-set.json /line',
      'same_effective_date rule-set.json /effective/from',
    ]);
  });

  it('refuses a file that no service would read by its name', async () => {
    using folder = temporaryFolder({
      'bayou/rule-set.json': bayou,
      'bayou/rule-set-2.json': bayou.replace('"from": "2025', '"from": "2026'),
    });
    for (const path of ['.', 'bayou/rule-set-2.json']) {
      const { code, findings } = await checkJson([path], folder.path);
      expect(code).toBe(1);
      expect(findings).toMatchObject([
        { code: 'file_name', file: 'bayou/rule-set-2.json', message: expect.stringContaining('rule-set.2.json') },
      ]);
    }
  });

  it('checks what a service reads: also rule sets in the folder of carriers itself', async () => {
    const broken = bayou.replace('"greaterThan"', '"greterThan"');
    using folder = temporaryFolder({ 'bayou.json': broken, 'cases.json': '[]', 'package.json': '{}' });
    const { code, findings } = await checkJson(['.'], folder.path);
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ code: 'unknown_operator', file: 'bayou.json' }]);
  });

  it('prints findings in words and color', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayou.replace('"greaterThan"', '"greterThan"') });
    const { output } = await runWords(['rules', 'check', '.'], { folder: folder.path, inColor: true });
    expect(output).toContain('\u001b[31munknown_operator');
    const plain = await runWords(['rules', 'check', '.'], { folder: folder.path });
    expect(plain.output).toMatch(/^rule-set\.json:\d+:\d+ {2}unknown_operator {2}\/\S+operator\n/);
    expect(plain.output).toContain('1 rule set, 0 cases: 1 fault, 0 warnings.');
  });

  it.each([
    [['rules', 'check', 'nowhere'], 'There is no file or folder nowhere.'],
    [['rules', 'check', '.'], '. has no rule-set.json.'],
    [['rules', 'check'], "missing required argument 'path'"],
    [['rules', 'check', '.', '--format', 'xml'], 'Allowed choices are text, json'],
    [['rules', 'chek', '.'], 'there is no command chek; there are: check'],
    [['rules'], 'Usage: leeward rules'],
  ])('%j is wrong use', async (words, message) => {
    using folder = temporaryFolder({ 'readme.md': '' });
    const { code, errors } = await runWords(words, { folder: folder.path });
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(message) });
  });

  it('checks every rule set against laws, and fails on a breach or a law with faults', async () => {
    const law = { format: 1, law: 'roof', title: 'No age of a roof declines', may_not_decide: ['roof_age'] };
    using folder = temporaryFolder({
      'rule-set.json': bayou,
      'law.json': JSON.stringify(law),
      'wrong.json': JSON.stringify({ ...law, may_not_decide: ['rof_age'] }),
    });
    const checked = await checkJson(['rule-set.json', '--law', 'law.json'], folder.path);
    expect(checked.code).toBe(1);
    expect(checked.findings.length).toBeGreaterThan(0);
    for (const finding of checked.findings) {
      expect(finding).toMatchObject({ code: 'law_broken', file: 'rule-set.json', severity: 'fault' });
      expect(finding.witness!['roof_age']).not.toEqual(finding.counterexample!['roof_age']);
    }
    const words = ['rules', 'check', 'rule-set.json', '--law', 'wrong.json', 'missing.json'];
    expect(await runWords(words, { folder: folder.path })).toMatchObject({
      code: 2,
      errors: 'leeward rules: --law: there is no file missing.json.\n',
    });
    const wrong = await runWords(words.slice(0, -1), { folder: folder.path });
    expect(wrong.code).toBe(1);
    expect(wrong.output).toContain('Did you mean "roof_age"?');
    expect(wrong.output).toContain('1 law: 1 fault, 0 warnings.');
  });

  it('reads text that nests as deep as a file can', async () => {
    using folder = temporaryFolder({ 'rule-set.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}` });
    const { code, findings } = await checkJson(['.'], folder.path);
    expect(code).toBe(1);
    expect(findings).toHaveLength(1);
  });
});
