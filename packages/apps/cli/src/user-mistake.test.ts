import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nodeFlags } from '../../../../test/support/node-flags.ts';
import { smallCoastline } from '../../../../test/support/small-coastline.ts';
import { unreachableStore } from './store/open-store.ts';
import { oneCarrier } from './testing/one-carrier.ts';
import { runWords } from './testing/run-words.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import type { WithoutPackage } from './testing/without-package.ts';

const { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
const env = { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS };

const files = {
  'table.csv': 'outcome,roof_age\ndecline,> 20\n',
  'homes.csv': 'state,county,policy_type\nfl,broward,ho3\n',
  'points.csv': 'lat,lng\n25.78,-80.13\n',
  'home.json': '{ "state": "tx" }',
};

describe('what a user names wrongly is said in a sentence', () => {
  it.each([
    ['underwrite folder', 2],
    ['underwrite home.json --carriers folder', 2],
    ['rules check nowhere', 2],
    ['rules explain folder home.json', 2],
    ['rules diff folder folder', 2],
    ['rules import folder', 2],
    ['rules import table.csv --out homes.csv/x.json', 2],
    ['rules new table.csv', 2],
    ['rules new table.csv/x', 2],
    ['book run folder', 2],
    ['book run homes.csv --out folder', 2],
    ['book run homes.csv --out nowhere/x', 2],
    ['book run homes.csv --summary folder', 2],
    ['coast batch points.csv --index small.coast --output nowhere/x', 2],
    ['coast batch points.csv --index homes.csv', 1],
    ['coast build homes.csv --out x', 1],
    ['coast info folder', 2],
    ['places import points.csv', 1],
    ['serve --config folder', 2],
  ])('%s', async (words, code) => {
    using folder = temporaryFolder(files);
    mkdirSync(join(folder.path, 'folder'));
    mkdirSync(join(folder.path, 'folder.partial'));
    copyFileSync(smallCoastline.LEEWARD_COASTLINES, join(folder.path, 'small.coast'));
    const run = await runWords(words.split(' '), { folder: folder.path, environment: oneCarrier });
    expect({ code: run.code, errors: run.errors }).toEqual({ code, errors: expect.stringMatching(/^leeward/m) });
    expect(run.errors).not.toMatch(/^\s+at /m);
  });
});

/** Runs the program with shell redirections, after `before`. */
function program(words: readonly string[], shell: string, before = '') {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const line = [process.execPath, ...nodeFlags, main, ...words].map((word) => `'${word}'`);
  return spawnSync('bash', ['--norc', '-c', `${before} ${line.join(' ')} ${shell}`], { encoding: 'utf8', env });
}

const withoutPackages = [
  { name: 'pg', environment: { LEEWARD_DATABASE_URL: 'postgres://127.0.0.1:1/x' }, words: ['organization', 'list'] },
  {
    name: 'pg',
    environment: { LEEWARD_DATABASE_URL: 'postgres://127.0.0.1:1/x' },
    words: ['serve', '--demo', '--allow-demo'],
  },
  { name: 'ioredis', environment: { LEEWARD_RATE_LIMIT_URL: 'redis://127.0.0.1:1' }, words: ['serve', '--demo'] },
  { name: 'bullmq', environment: { LEEWARD_QUEUE_URL: 'redis://127.0.0.1:1' }, words: ['worker', '--demo'] },
  {
    name: 'pg-boss',
    environment: { LEEWARD_QUEUE_URL: 'postgres://127.0.0.1:1/x' },
    words: ['serve', '--demo', '--allow-demo'],
  },
];

it('a package that is not installed is named', () => {
  using folder = temporaryFolder();
  const cases: WithoutPackage[] = withoutPackages.map(({ environment, ...rest }, index) => ({
    ...rest,
    environment: { ...environment, ...smallCoastline, ...oneCarrier, LEEWARD_DATA_DIR: join(folder.path, `${index}`) },
    folder: folder.path,
  }));
  const runner = fileURLToPath(new URL('testing/run-without-packages.program.ts', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [...nodeFlags, runner, JSON.stringify(cases)], {
    encoding: 'utf8',
    env,
  });
  expect(stderr).toBe('');
  const outcomes = JSON.parse(stdout) as readonly { code: number; errors: string }[];
  expect(outcomes).toHaveLength(cases.length);
  for (const [index, { code, errors }] of outcomes.entries()) {
    const { name, words } = cases[index]!;
    expect({ name, words, code, errors }).toEqual({
      name,
      words,
      code: 2,
      errors: expect.stringMatching(new RegExp(`npm install .*${name}`)),
    });
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
  }
});

it('survives a closed pipe, and reports a full disk', () => {
  using folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe');
  // The reader closes before the first word.
  const piped = program(['--help'], '>&4', `mkfifo '${pipe}' && exec 3<> '${pipe}' 4> '${pipe}' 3<&-;`);
  expect(piped).toMatchObject({ status: 0, stderr: '' });
  const full = program(['--help'], '> /dev/full');
  expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be written (ENOSPC)') });
  expect(full.stderr.trimEnd().split('\n')).toHaveLength(1);
});

it('tells a missing database apart from a missing server', () => {
  expect(unreachableStore({ code: '3D000' }).message).toContain('make it with createdb');
  expect(unreachableStore({ code: 'ECONNREFUSED' }).message).toContain('whether it is running');
});
