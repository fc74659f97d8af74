import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leewardForScripts } from '../../testing/leeward-for-scripts.ts';
import { runWords } from '../../testing/run-words.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { LocatedFinding } from '../located-finding.ts';
import { junitOf } from './junit.ts';
import { markdownOf } from './markdown.ts';
import type { Report } from './report.ts';
import { sarifOf } from './sarif.ts';

const root = fileURLToPath(new URL('../../../../../../', import.meta.url));
const bayou = readFileSync(join(root, 'fixtures/carriers/bayou_mutual/rule-set.json'), 'utf8');
const bayouCases = readFileSync(join(root, 'fixtures/carriers/bayou_mutual/cases.json'), 'utf8');

const finding = (overrides: Partial<LocatedFinding> = {}): LocatedFinding => ({
  code: 'rule_never_holds',
  path: '/rules/0',
  message: 'No home can meet it.',
  severity: 'warning',
  file: 'bayou/rule-set.json',
  line: 3,
  column: 5,
  ...overrides,
});
const report = (...findings: LocatedFinding[]): Report => ({
  command: 'check',
  findings,
  files: ['bayou/rule-set.json', 'clean/rule-set.json'],
  summary: 'something.',
  fails: ({ severity }) => severity === 'fault',
});
const hostile = '</failure><script>alert(1)</script> ]]> "&quot;\' \u0000\uD800 `x` [a](javascript:b) **c** @team\n# d';

describe('reports of hostile rule sets', () => {
  it('JUnit: every tag is ours, and text is text', () => {
    const text = junitOf(
      report(finding({ severity: 'fault', message: hostile, path: `/${hostile}`, file: `${hostile}.json` })),
    );
    const tags = new Set([...text.matchAll(/<\/?([\w-]+)/g)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(['failure', 'testcase', 'testsuite', 'testsuites']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot carry them.
    expect(text).not.toMatch(/[\u0000-\u0008\uD800-\uDFFF]/);
    expect(text.match(/&(?!(amp|lt|gt|quot);)/)).toBeNull();
  });

  it('Markdown: no tag and no mention comes of a message', () => {
    const text = markdownOf(report(finding({ message: hostile, code: 'x_`y`' })));
    expect(text).not.toMatch(/(?<!\\)<(?!details|summary|\/details|\/summary)/);
    expect(text).not.toMatch(/@\w/);
    expect(text).not.toMatch(/^# d/m);
    expect(text).toContain('``');
  });

  it('SARIF: JSON, every result with a place and a rule of the list', () => {
    const log = JSON.parse(
      sarifOf(report(finding({ message: hostile, file: 'a b/ü.json' }), finding({ severity: 'note' }))),
    ) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Json[] }[];
    };
    expect(log.version).toBe('2.1.0');
    const { results, tool } = log.runs[0]!;
    expect(results.map(({ level }) => level)).toEqual(['warning', 'note']);
    for (const result of results) expect(tool.driver.rules[result.ruleIndex as number]!.id).toBe(result.ruleId);
    expect(JSON.stringify(results[0])).toContain('a%20b/%C3%BC.json');
  });
});
type Json = Record<string, unknown>;

describe('leeward rules … --format', () => {
  const words = (format: string) => ['rules', 'check', '.', '--format', format];

  it('JUnit counts what fails, and a file without findings passes', async () => {
    using folder = temporaryFolder({
      'good/rule-set.json': bayou,
      'bad/rule-set.json': bayou.replace('"greaterThan"', '"greterThan"'),
    });
    const { code, output } = await runWords(words('junit'), { folder: folder.path });
    expect(code).toBe(1);
    expect(output).toMatch(/<testsuites name="leeward rules check" tests="2" failures="1"/);
    expect(output).toMatch(/<testcase name="nothing found" classname="good\/rule-set.json"\/>/);
    expect(output).toMatch(/<failure message="[^"]*greterThan/);
  });

  it('analyse fails in JUnit what --fail-on names', async () => {
    using folder = temporaryFolder({ 'rule-set.json': bayou });
    const analyse = [
      'rules',
      'analyse',
      '.',
      '--as-of',
      '2026-11-20',
      '--format',
      'junit',
      '--fail-on',
      'moratorium_over',
    ];
    const { code, output } = await runWords(analyse, { folder: folder.path });
    expect(code).toBe(1);
    expect(output.match(/<failure /g)).toHaveLength(1);
  });

  it('refuses a format that a command does not have', async () => {
    expect((await runWords(['rules', 'schema', '--format', 'sarif'])).code).toBe(2);
  });
});

describe('the recipe for pull requests', () => {
  it('describes a change in words, with a home and the policies that move', async () => {
    using folder = temporaryFolder({ 'home.json': '' });
    using leeward = await leewardForScripts();
    const inFolder = (name: string) => join(folder.path, name);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder.path });
    mkdirSync(inFolder('carriers/bayou'), { recursive: true });
    writeFileSync(inFolder('carriers/bayou/rule-set.json'), bayou);
    writeFileSync(inFolder('carriers/bayou/cases.json'), bayouCases);
    writeFileSync(inFolder('book.csv'), 'state,county,policy_type,total_claims\ntx,harris,ho3,2\ntx,travis,ho3,0\n');
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'before');
    writeFileSync(
      inFolder('carriers/bayou/rule-set.json'),
      bayou.replace('"greaterThan", "value": 2', '"greaterThan", "value": 1'),
    );
    const review = spawn(join(root, 'examples/pull-request/review.sh'), ['HEAD', 'book.csv'], {
      cwd: folder.path,
      env: { ...process.env, LEEWARD: leeward.command },
    });
    const [stdout, stderr, [status]] = await Promise.all([
      text(review.stdout),
      text(review.stderr),
      once(review, 'close'),
    ]);
    expect({ status, stderr, errors: leeward.errors() }).toEqual({ status: 1, stderr: '', errors: '' });
    expect(stdout).toMatch(/### Rules check: 1 rule set, \d+ cases: \d+ faults?/);
    expect(stdout).toContain('**fault** `case_fails`');
    expect(stdout).toMatch(/Newly declined by "claims"/);
    expect(stdout).toMatch(
      /The message of "claims" names two, but the rule tests whether claims in five years is more than 1\./,
    );
    expect(stdout).toMatch(/2 policies in the book: \d (is|are) answered differently/);
  });
});
