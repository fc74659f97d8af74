/**
 * `npm run mutate -- [--base REV | --lines N --seed S] [--max-lines N] [--json FILE] [PATH…]`
 *
 * Mutation testing (StrykerJS): plants small faults into source lines and runs the near tests; a fault that no test
 * notices survives. The lines are those changed since `--base` (default `HEAD~1`, uncommitted ones included), or `--lines N`
 * drawn at random with `--seed`; below the paths, where some are given. `--max-lines` limits the lines per file (default 60).
 * Near tests are the tests next to the file and those of its package that import it; without any, all tests of the package. Faults are planted
 * into copies, never into this tree.
 *
 * Ends with 1 if the tests fail without a fault. Survivors are printed and do not fail: some faults change nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../test/support/random.ts';

const here = import.meta.dirname;
const root = join(here, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string', default: 'HEAD~1' },
    lines: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'max-lines': { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});

/** Lines of a file, both ends included, counted from 1. */
interface Lines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** A planted fault, as Stryker reports it. */
interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly replacement: string;
  readonly status: string;
}

const isSource = (file: string) =>
  /^packages\/.*\/src\/.*\.ts$/.test(file) &&
  !/\.test\.ts$|\.d\.ts$|\.generated\.ts$|\/testing\/|test-programs\//.test(file);

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Lines that were added or edited since a revision. */
function changedLines(base: string): Lines[] {
  const lines: Lines[] = [];
  let file = '';
  for (const line of git('diff', '-U0', base, '--', 'packages').split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from === undefined || count === '0' || !isSource(file)) continue;
    lines.push({ file, from: Number(from), to: Number(from) + Number(count) - 1 });
  }
  return lines;
}

/** Lines drawn from all of the source, the same for the same seed. */
function randomLines(count: number, seed: number): Lines[] {
  const random = createRandom(seed);
  const all = git('ls-files', 'packages')
    .split('\n')
    .filter(isSource)
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((text, index) =>
          /^\s*(\/\/|\*|\/\*|import |\}|$)/.test(text) ? [] : [{ file, from: index + 1, to: index + 1 }],
        ),
    );
  return Array.from({ length: count }, () => all[Math.floor(random() * all.length)]!);
}

/** Tests that would notice a fault in a file soonest, relative to the root. */
function nearTests(file: string): string[] {
  const source = join(root, file);
  const packageFolder = file.split('/src/')[0]!;
  const tests = git('ls-files', packageFolder)
    .split('\n')
    .filter((each) => each.endsWith('.test.ts'));
  const near = tests.filter((test) => {
    if (dirname(test) === dirname(file)) return true;
    const path = relative(dirname(join(root, test)), source).replaceAll('\\', '/');
    const specifier = path.startsWith('.') ? path : `./${path}`;
    return readFileSync(join(root, test), 'utf8').includes(`'${specifier}'`);
  });
  return near.length > 0 ? near : tests;
}

/** The first ranges that together have no more than `--max-lines` lines. */
function withinLimit(lines: readonly Lines[]): Lines[] {
  let left = Number(values['max-lines']);
  return lines.flatMap((each) => {
    const taken = Math.min(left, each.to - each.from + 1);
    left -= taken;
    return taken > 0 ? [{ ...each, to: each.from + taken - 1 }] : [];
  });
}

/** Runs Stryker over some lines of one file. */
function mutate(file: string, lines: readonly Lines[]): Mutant[] {
  const tests = nearTests(file);
  if (tests.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), 'leeward-mutation-'));
  const report = join(folder, 'report.json');
  const options = {
    testRunner: 'command',
    commandRunner: { command: `npx vitest run ${tests.join(' ')} --bail 1` },
    mutate: withinLimit(lines).map(({ from, to }) => `${file}:${from}-${to}`),
    mutator: { excludedMutations: ['StringLiteral'] },
    reporters: ['json'],
    jsonReporter: { fileName: report },
    concurrency: 1,
    timeoutMS: 120_000,
    disableTypeChecks: false,
    ignorePatterns: ['.stryker-tmp', 'mutation', 'site/dist'],
    logLevel: 'error',
  };
  try {
    writeFileSync(join(folder, 'options.json'), JSON.stringify(options));
    const stryker = join(here, 'node_modules/@stryker-mutator/core/bin/stryker.js');
    const run = spawnSync(process.execPath, [stryker, 'run', join(folder, 'options.json')], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (run.status !== 0 || !existsSync(report)) throw new Error(`The tests near ${file} fail without a fault.`);
    return readReport(file, report);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string, report: string): Mutant[] {
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
    files: Record<
      string,
      {
        mutants: { mutatorName: string; replacement?: string; status: string; location: { start: { line: number } } }[];
      }
    >;
  };
  return Object.values(files).flatMap(({ mutants }) =>
    mutants.map(({ mutatorName, replacement = '', status, location }) => ({
      file,
      line: location.start.line,
      mutator: mutatorName,
      replacement: replacement.replaceAll(/\s+/g, ' ').slice(0, 80),
      status,
    })),
  );
}

if (!readdirSync(here).includes('node_modules')) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
const lines =
  values.lines === undefined ? changedLines(values.base) : randomLines(Number(values.lines), Number(values.seed));
const asked = lines.filter(({ file }) => positionals.length === 0 || positionals.some((path) => file.startsWith(path)));
const mutants: Mutant[] = [];
const failed: string[] = [];
for (const [file, ofFile] of Map.groupBy(asked, (each) => each.file)) {
  try {
    const found = mutate(file, ofFile);
    mutants.push(...found);
    const survivors = found.filter(({ status }) => status === 'Survived');
    console.log(`${file}: ${found.length} faults, ${survivors.length} survived`);
    for (const { line, mutator, replacement } of survivors)
      console.log(`  ${basename(file)}:${line} ${mutator}: ${replacement}`);
  } catch (error) {
    failed.push((error as Error).message);
    console.error((error as Error).message);
  }
}
const survived = mutants.filter(({ status }) => status === 'Survived').length;
console.log(`${mutants.length} faults in ${new Set(asked.map(({ file }) => file)).size} files: ${survived} survived.`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ mutants }, null, 2)}\n`);
process.exit(failed.length > 0 ? 1 : 0);
