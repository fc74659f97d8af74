import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCatalog, parseRequest } from '@leeward/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomRow, withDates } from '../packages/extend/books/src/testing/random-rows.ts';
import { fixtureEntries, fixtureHomes } from './support/engine/fixture-catalog.ts';
import { hasJavaCompiler, hasPythonModules, python } from './support/engines.ts';
import { sourceFlags } from './support/node-flags.ts';
import { createRandom } from './support/random.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'leeward-java-'));
const artifact = join(folder, 'home.leeward');
const classes = join(folder, 'classes');
const program = join(workspace, 'packages/apps/cli/src/main.ts');
const java = join(workspace, 'packages/extend/java');
const keys = ['bayou_mutual', 'heron_shore', 'split_oak'];
const catalog = createCatalog(fixtureEntries().filter(({ name }) => keys.includes(name!.split('/')[0]!)));
const [from, to] = ['2026-10-01', '2027-03-31'];
const now = new Date('2026-11-20T12:00:00Z');
const digits = { not_offered: 0, eligible: 1, referral: 2, needs_information: 3, ineligible: 4 } as const;
const INVALID = 5;

const sourcesIn = (pattern: string) => globSync(pattern, { cwd: java }).map((path) => join(java, path));
const compileJava = (sources: readonly string[], ...options: string[]) =>
  run('javac', [
    '--release',
    '17',
    '-Xlint:all',
    '-Werror',
    '-encoding',
    'UTF-8',
    '-d',
    classes,
    ...options,
    ...sources,
  ]);

async function runTest(...words: string[]): Promise<string> {
  const { stdout } = await run('java', ['-cp', classes, 'leeward.ArtifactTest', artifact, ...words], {
    maxBuffer: 2 ** 28,
  });
  return stdout;
}

/** The answer of HTTP: a digit for each carrier, and the faults. */
function answerOf(home: Record<string, unknown>): { readonly statuses: string; readonly faults: readonly string[] } {
  const parsed = parseRequest(home, { now });
  const all = (digit: number) => String(digit).repeat(catalog.carriers.length);
  if (!parsed.ok) {
    const faults = parsed.faults.map(({ path, code, message }) => `${path.split('/')[1]} ${code} ${message}`);
    return { statuses: all(INVALID), faults };
  }
  const { property, effectiveDate } = parsed.request;
  if (property.policyType === undefined || effectiveDate < from || effectiveDate > to)
    return { statuses: all(INVALID), faults: [] };
  const byCarrier = new Map(
    catalog.decideSync(property).verdicts.map(({ carrierKey, status }) => [carrierKey, digits[status]]),
  );
  return { statuses: catalog.carriers.map(({ key }) => byCarrier.get(key) ?? 0).join(''), faults: [] };
}

describe.skipIf(!hasJavaCompiler())('the Java reader', () => {
  beforeAll(async () => {
    const carriers = join(folder, 'carriers');
    for (const key of keys) cpSync(join(workspace, 'fixtures/carriers', key), join(carriers, key), { recursive: true });
    const words = ['compile', '--carriers', carriers, '--from', from, '--to', to, '--out', artifact];
    await run(process.execPath, [...sourceFlags, program, ...words], { cwd: folder });
    await compileJava(sourcesIn('src/**/*.java'), '-Xdoclint:all/public');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('answers its vectors, and refuses or survives damaged files', async () => {
    const files = testVolume(30);
    const output = await runTest(String(files));
    console.log(output);
    expect(output).toMatch(/vectors: rows \d{4,}, compared \d{5,}, different 0\n/);
    expect(output).toMatch(/homes as maps: equal in \d{5,}\n/);
    expect(output).toMatch(/threads and serialization: equal in \d{6,}\n/);
    expect(output).toMatch(/refused: .*altered_artifact=\d/);
    expect(output).toMatch(new RegExp(`damaged tables: refused \\d+ of ${files}\n`));
    expect(output).toContain(
      'state unknown_state: "Texs" is not a state; give a state name or its abbreviation. Did you mean "Texas"?',
    );
    expect(output).toContain('"policy_typ" is not a column of the artifact. Did you mean "policy_type"?');
  });

  it('answers random homes, and reports their faults, as HTTP does', async () => {
    const random = createRandom(20261126);
    const asked = ['state', 'county', 'policy_type', 'as_of', 'effective_date', 'distance_to_coast_miles'];
    const tested = new Set([...catalog.testedFields(), ...asked]);
    const homes = Array.from({ length: testVolume(300) }, (_, row) => {
      const badness = row % 2 === 0 ? 0 : 3;
      const { lat: _lat, lng: _lng, ...home } = withDates(randomRow(random, badness), random, badness);
      // An artifact does not check fields that no rule tests.
      const read = Object.entries(home).filter(([name]) => tested.has(name));
      return { as_of: now.toISOString(), ...Object.fromEntries(read) };
    });
    const file = join(folder, 'homes.json');
    writeFileSync(file, JSON.stringify(homes));
    const lines = (await runTest(file)).trimEnd().split('\n');
    expect(lines.length).toBe(homes.length);
    let compared = 0;
    let faults = 0;
    lines.forEach((line, row) => {
      const [statuses, ...own] = line.split('\t');
      const expected = answerOf(homes[row]!);
      expect(statuses, JSON.stringify(homes[row])).toBe(expected.statuses);
      expect(own).toEqual(expect.arrayContaining([...expected.faults]));
      compared += expected.statuses.length;
      faults += expected.faults.length;
    });
    console.log(`compared ${compared} statuses and ${faults} messages: 0 different`);
    expect(faults).toBeGreaterThan(lines.length / 20);
  });

  it.skipIf(!hasPythonModules('pyspark'))('is a function of Spark SQL', async () => {
    const { stdout } = await run(python, ['-c', 'import pyspark; print(pyspark.__path__[0])']);
    const path = [classes, join(stdout.trim(), 'jars/*')].join(':');
    await compileJava(
      [join(java, 'examples/spark/EvaluateHomes.java')],
      '-cp',
      path,
      '-Xlint:-classfile,-path,-processing',
    );
    const homes = fixtureHomes().map((home, id) => ({
      x_id: id,
      as_of: now.toISOString(),
      policy_type: 'ho3',
      ...home,
    }));
    writeFileSync(join(folder, 'homes.jsonl'), homes.map((home) => `${JSON.stringify(home)}\n`).join(''));
    const query = 'SELECT x_id, evaluate(struct(*)) AS statuses FROM homes ORDER BY x_id';
    const options = ['--add-exports=java.base/sun.nio.ch=ALL-UNNAMED', '-XX:+IgnoreUnrecognizedVMOptions'];
    const opens = [
      'java.lang',
      'java.lang.invoke',
      'java.net',
      'java.nio',
      'java.util',
      'java.util.concurrent',
      'sun.nio.ch',
      'sun.security.action',
    ].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
    const words = ['EvaluateHomes', artifact, join(folder, 'homes.jsonl'), query];
    const answers = (await run('java', [...options, ...opens, '-cp', path, ...words])).stdout.trimEnd().split('\n');
    const codes = answers.map((line) => {
      const { statuses } = JSON.parse(line) as { statuses: Record<string, keyof typeof digits | 'invalid'> };
      const digitOf = (status: keyof typeof digits | 'invalid') => (status === 'invalid' ? INVALID : digits[status]);
      return catalog.carriers.map(({ key }) => digitOf(statuses[key]!)).join('');
    });
    expect(codes).toEqual(homes.map(({ x_id: _id, ...home }) => answerOf(home).statuses));
    expect(new Set(codes.join('')).size).toBeGreaterThan(2);
  });

  it('runs its guide', async () => {
    const own = join(folder, 'guide');
    mkdirSync(join(own, 'bin'), { recursive: true });
    symlinkSync(workspace, join(own, 'leeward'));
    const command = [process.execPath, ...sourceFlags, program].join(' ');
    writeFileSync(join(own, 'bin/leeward'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
    const guide = readFileSync(join(workspace, 'docs/guides/java.md'), 'utf8');
    const blocks = [...guide.matchAll(/^```(sh|java|text)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
      kind,
      text: text!,
    }));
    expect(blocks.map(({ kind }) => kind)).toEqual(['sh', 'java', 'sh', 'text']);
    let output = '';
    for (const { kind, text } of blocks) {
      if (kind === 'java') writeFileSync(join(own, 'Home.java'), text);
      if (kind === 'text') expect(output).toBe(text);
      const env = { ...process.env, PATH: `${join(own, 'bin')}:${process.env['PATH']}` };
      if (kind === 'sh') output = (await run('sh', ['-ec', text], { cwd: own, env })).stdout;
    }
  });
});
