import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const bayou = join(fixtures, 'carriers/bayou_mutual/rule-set.json');
const bayouText = readFileSync(bayou, 'utf8');
const asOf = ['--as-of', '2026-11-20'];

async function json(words: readonly string[], folder: string) {
  const { code, output, errors } = await runWords(['rules', ...words, '--format', 'json'], { folder });
  return {
    code,
    errors,
    ...(JSON.parse(output) as { findings: Record<string, unknown>[]; book?: unknown }),
  };
}

describe('leeward rules analyse', () => {
  it('prints the date, and findings with their place and a home', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayouText.replace('"value": 15 }', '"value": 900 }') });
    const found = await json(['analyse', '.', ...asOf], folder.path);
    expect(found.code).toBe(0);
    expect(found).toMatchObject({ as_of: '2026-11-20T12:00:00.000000Z' });
    const dead = found.findings.find(({ code }) => code === 'rule_never_holds')!;
    expect(dead).toMatchObject({ rule_id: 'tx-roof-3-tab', file: 'rule-set.json', path: '/programs/0/rules/1' });
    const line = readFileSync(join(folder.path, 'rule-set.json'), 'utf8').split('\n')[(dead['line'] as number) - 1];
    expect(line?.trim()).toBe('{');
    const { output } = await runWords(['rules', 'analyse', '.', ...asOf], { folder: folder.path });
    expect(output).toContain('As of 2026-11-20 12:00 UTC.');
    expect(output).toContain('rule_never_holds');
  });

  it('fails only for the codes of --fail-on', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayouText });
    const run = (...words: string[]) => runWords(['rules', 'analyse', '.', ...asOf, ...words], { folder: folder.path });
    expect((await run()).code).toBe(0);
    expect((await run('--fail-on', 'rule_never_holds')).code).toBe(0);
    expect((await run('--fail-on', 'gap_rules')).code).toBe(1);
    expect((await run('--fail-on', 'any')).code).toBe(1);
    expect(await run('--fail-on', 'gaps')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('knows no "gaps"'),
    });
    expect((await runWords(['rules', 'analyse', '.', '--as-of', 'soon'], { folder: folder.path })).code).toBe(2);
  });
});

it.each(['analyse', 'coverage'])('leeward rules %s does not pass what it could not read', async (command) => {
  using folder = temporaryFolder({ 'rule-set.json': bayouText.replace('"polybutylene"', '"polybutilene"') });
  const { code, output } = await runWords(['rules', command, '.', ...asOf], { folder: folder.path });
  expect(code).toBe(1);
  expect(output).toContain('Did you mean "polybutylene"?');
  expect(output).toMatch(/rule-set\.json: not (analysed|looked at); mend its faults first\./);
});

describe('leeward rules diff', () => {
  it('names regions, edits, and the policies of a book that move', async () => {
    const book = [14, 15, 16, 20, 21]
      .map((roof_age) => ({ state: 'tx', county: 'harris', policy_type: 'ho3', roof_type: '3-tab shingle', roof_age }))
      .map((home) => JSON.stringify(home));
    using folder = temporaryFolder({
      'new.json': bayouText.replace('"value": 15 }', '"value": 20 }'),
      'book.ndjson': `${book.join('\n')}\n{"state":\n`,
    });
    const found = await json(['diff', bayou, 'new.json', '--book', 'book.ndjson', ...asOf], folder.path);
    expect(found.code).toBe(0);
    expect(found.findings.map(({ code, rule_id }) => [code, rule_id])).toEqual([
      ['newly_accepted', 'tx-roof-3-tab'],
      ['rule_edited', 'tx-roof-3-tab'],
    ]);
    expect(found.findings[0]).toMatchObject({
      file: 'new.json',
      message: expect.stringContaining('age of the roof 16 to 20'),
      witness: { roof_type: '3-tab shingle' },
    });
    expect(found['book']).toMatchObject({
      policies: 6,
      moved: 2,
      by_state: { tx: 2 },
      by_code: { roof_age: 2 },
      unread: [{ line: 6 }],
      which: [{ line: 3, before: 'ineligible', after: 'needs_information' }, { line: 4 }],
    });
    const { output } = await runWords(['rules', 'diff', bayou, 'new.json', '--book', 'book.ndjson'], {
      folder: folder.path,
    });
    expect(output).toContain('6 policies in the book: 2 are answered differently, and 1 could not be read.');
  });

  it('names a rule that has only another name, what moved a territory, and where', async () => {
    const newer = bayouText.replace('"id": "acreage"', '"id": "acreage-over-five"').replace('"galveston", ', '');
    using folder = temporaryFolder({ 'new.json': newer });
    const found = await json(['diff', bayou, 'new.json', ...asOf], folder.path);
    expect(found.findings.map(({ code, path, rule_id }) => [code, path, rule_id])).toEqual([
      ['newly_accepted', '/programs/0', undefined],
      ['rule_renamed', '/rules/10', 'acreage-over-five'],
      ['program_edited', '/programs/0', undefined],
    ]);
    expect(found.findings[0]?.['message']).toMatch(
      /^HO3, HO5: Newly accepted \(declined before by the territory\): in TX \(Galveston County\), /,
    );
  });

  it('refuses a file with faults, or none', async () => {
    using folder = temporaryFolder({ 'new.json': '{}' });
    expect((await runWords(['rules', 'diff', bayou, 'new.json'], { folder: folder.path })).code).toBe(2);
    expect((await runWords(['rules', 'diff', bayou, 'gone.json'], { folder: folder.path })).code).toBe(2);
    expect((await runWords(['rules', 'diff', bayou, bayou, '--book', 'gone'], { folder: folder.path })).code).toBe(2);
  });
});

describe('leeward rules coverage', () => {
  it('reaches every rule and limit with the cases that it suggests', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayouText });
    const before = await json(['coverage', '.', ...asOf], folder.path);
    expect(before.findings.filter(({ code }) => code === 'rule_not_reached').length).toBeGreaterThan(30);
    await runWords(['rules', 'coverage', '.', ...asOf, '--suggest', 'cases.json'], { folder: folder.path });
    const after = await json(['coverage', '.', ...asOf], folder.path);
    expect(after.findings).toEqual([]);
    expect((await runWords(['rules', 'check', '.'], { folder: folder.path })).code).toBe(0);
    const failing = ['rules', 'coverage', '.', ...asOf, '--fail-on', 'rule_not_reached'];
    expect((await runWords(failing, { folder: folder.path })).code).toBe(0);
    using empty = temporaryFolder({ 'rule-set.json': bayouText });
    expect((await runWords(failing, { folder: empty.path })).code).toBe(1);
  });

  it('names cases that it cannot read', async () => {
    using folder = temporaryFolder({
      'a/rule-set.json': bayouText,
      'a/cases.json': '[',
      'b/rule-set.json': bayouText,
      'b/cases.json': '[{ "note": "no home" }]',
    });
    for (const name of ['a', 'b']) {
      const found = await json(['coverage', name, ...asOf], folder.path);
      expect(found.code).toBe(1);
      expect(found.findings[0]).toMatchObject({ file: `${name}/cases.json`, severity: 'fault' });
    }
  });

  it('needs both sides of a limit, if only the limit decides', async () => {
    using folder = temporaryFolder({ 'a/x': '' });
    await runWords(['rules', 'new', 'a', '--from', '2026-12-01'], { folder: folder.path });
    const found = await json(['coverage', 'a', '--as-of', '2026-12-01', '--suggest'], folder.path);
    const borders = found.findings.filter(
      ({ code, rule_id }) => code === 'border_not_reached' && rule_id === 'coverage-a',
    );
    expect(borders.map(({ witness }) => (witness as { dwelling_a: number }).dwelling_a)).toEqual([
      150_000, 149_999, 1_000_000, 1_000_001,
    ]);
  });
});

describe('leeward rules new', () => {
  it('writes a set that passes the check, and nothing over another', async () => {
    using folder = temporaryFolder({});
    const words = ['rules', 'new', 'mine', '--key', 'pine_ridge', '--state', 'fl', '--from', '2026-12-01'];
    expect((await runWords(words, { folder: folder.path })).code).toBe(0);
    const checked = await runWords(['rules', 'check', 'mine'], { folder: folder.path });
    expect(checked).toMatchObject({ code: 0, output: '1 rule set, 4 cases: no faults.\n' });
    expect(readFileSync(join(folder.path, 'mine/rule-set.json'), 'utf8')).toContain('"$comment"');
    const several = ['rules', 'new', 'more', '--state', 'fl,Texas,tx', '--from', '2026-12-01'];
    expect((await runWords(several, { folder: folder.path })).code).toBe(0);
    expect(readFileSync(join(folder.path, 'more/rule-set.json'), 'utf8')).toContain('"states": ["fl", "tx"]');
    expect((await runWords(['rules', 'check', 'more'], { folder: folder.path })).code).toBe(0);
    const again = await runWords(words, { folder: folder.path });
    expect(again).toMatchObject({ code: 2, errors: expect.stringContaining('exists already') });
    expect((await runWords(['rules', 'new', 'x', '--key', 'Pine'], { folder: folder.path })).code).toBe(2);
    expect((await runWords(['rules', 'new', 'x', '--state', 'atlantis'], { folder: folder.path })).code).toBe(2);
    expect(existsSync(join(folder.path, 'x'))).toBe(false);
  });
});

it.each([
  ['new', ['new', 'deep/new', '--state', 'fl'], 'deep/new/rule-set.json'],
  ['export', ['export', 'rule-set.json', '--out', 'deep/rules.xlsx'], 'deep/rules.xlsx'],
  ['sign-off', ['sign-off', 'rule-set.json', '--out', 'deep/report.html'], 'deep/report.html'],
  ['coverage', ['coverage', '.', ...asOf, '--suggest', 'deep/cases.json'], 'deep/cases.json'],
])('creates the missing folder of the output of `rules %s`', async (_, words, file) => {
  using folder = temporaryFolder({ 'rule-set.json': bayouText });
  const answer = await runWords(['rules', ...words], { folder: folder.path });
  expect(answer.errors).toBe('');
  expect(existsSync(join(folder.path, file))).toBe(true);
});

it('prints the JSON Schema', async () => {
  const { output } = await runWords(['rules', 'schema']);
  expect(JSON.parse(output)).toMatchObject({ $id: 'https://unpkg.com/@leeward/engine/schema/rule-set-1.json' });
});
