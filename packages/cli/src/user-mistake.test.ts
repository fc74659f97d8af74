import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWords } from './testing/run-words.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const files = {
  'table.csv': 'outcome,roof_age\ndecline,> 20\n',
  'homes.csv': 'state,county,policy_type\nfl,broward,ho3\n',
  'points.csv': 'lat,lng\n25.78,-80.13\n',
  'home.json': '{ "state": "tx" }',
};

describe('what a user names wrongly is said in a sentence', () => {
  it.each([
    ['underwrite folder', 1],
    ['underwrite home.json --carriers folder', 1],
    ['rules check nowhere', 2],
    ['rules explain folder home.json', 2],
    ['rules diff folder folder', 2],
    ['rules import folder', 2],
    ['rules import table.csv --out nowhere/x.json', 2],
    ['rules new table.csv', 2],
    ['rules new table.csv/x', 2],
    ['book run folder', 1],
    ['book run homes.csv --out folder', 1],
    ['book run homes.csv --out nowhere/x', 1],
    ['book run homes.csv --summary folder', 1],
    ['coast batch points.csv --output nowhere/x', 1],
    ['coast batch points.csv --index homes.csv', 1],
    ['coast build homes.csv --out x', 1],
    ['coast info folder', 1],
    ['places import points.csv', 1],
    ['serve --config folder', 1],
  ])('%s', async (words, code) => {
    using folder = temporaryFolder(files);
    mkdirSync(join(folder.path, 'folder'));
    mkdirSync(join(folder.path, 'folder.partial'));
    const run = await runWords(words.split(' '), { folder: folder.path });
    expect({ code: run.code, errors: run.errors }).toEqual({ code, errors: expect.stringMatching(/^leeward/m) });
    expect(run.errors).not.toMatch(/^\s+at /m);
  });
});

/** Runs the program, without some packages and with its output where it is told. */
function program(
  words: readonly string[],
  { without = [], shell = '' }: { without?: readonly string[]; shell?: string },
) {
  const hooks = `import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) {
    if (${JSON.stringify(without)}.includes(name)) throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context); } });`;
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
  const imported = `--import=data:text/javascript,${encodeURIComponent(hooks)}`;
  const line = [process.execPath, ...flags, imported, main, ...words].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  return (environment: Record<string, string>, cwd: string) =>
    spawnSync('bash', ['--norc', '-c', `${line.join(' ')} ${shell}`], {
      encoding: 'utf8',
      cwd,
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...environment },
    });
}

describe('a package that is not installed is named', () => {
  it.each([
    ['pg', { LEEWARD_DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ['organization', 'list']],
    ['pg', { LEEWARD_DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ['serve', '--demo', '--allow-demo']],
    ['ioredis', { LEEWARD_RATE_LIMIT_URL: 'redis://127.0.0.1:1' }, ['serve', '--demo']],
    ['bullmq', { LEEWARD_QUEUE_URL: 'redis://127.0.0.1:1' }, ['worker', '--demo']],
    ['pg-boss', { LEEWARD_QUEUE_URL: 'postgres://127.0.0.1:1/x' }, ['serve', '--demo', '--allow-demo']],
  ])('%s, for %j', (name, environment, words) => {
    using folder = temporaryFolder();
    const { status, stderr } = program(words, { without: [name] })(
      { ...environment, LEEWARD_DATA_DIR: folder.path },
      folder.path,
    );
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(new RegExp(`npm install .*${name}`)),
    });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

it('a closed pipe ends nothing, and a full disk is said', () => {
  using folder = temporaryFolder();
  const piped = program(['rules', 'schema'], { shell: `| head -c 10; exit \${PIPESTATUS[0]}` })({}, folder.path);
  expect(piped).toMatchObject({ status: 0, stderr: '' });
  const full = program(['rules', 'schema'], { shell: '> /dev/full' })({}, folder.path);
  expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be written (ENOSPC)') });
  expect(full.stderr.trimEnd().split('\n')).toHaveLength(1);
});
