import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, vi } from 'vitest';
import { nodeFlags } from '../../../../test/support/node-flags.ts';
import { runCommandLine } from './run-command-line.ts';
import { processTerminal, type Terminal } from './terminal.ts';

const program = fileURLToPath(new URL('../bin/leeward.js', import.meta.url));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};

function runOn(version: string) {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`;
  return spawnSync(process.execPath, [`--import=${pretend}`, program, '--version'], { encoding: 'utf8' });
}

it.each(['18.20.4', '20.20.2', '22.17.1'])('names the required version on Node %s', (version) => {
  const { status, stdout, stderr } = runOn(version);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`This is Node ${version}`);
  expect(stderr).toContain(`needs Node ${engines.node.replace('>=', '')} or newer`);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it.each(['22.18.0', '24.0.0'])('runs on Node %s', (version) => {
  expect(runOn(version)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});

it('loads only the modules of the requested command', async () => {
  const { outputs } = await build({
    entryPoints: [main],
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    outdir: 'nowhere',
    write: false,
    metafile: true,
  }).then(({ metafile }) => metafile);
  const first = outputs['nowhere/main.js'];
  const chunks = first?.imports.flatMap(({ path, external, kind }) =>
    kind === 'import-statement' && !external ? [path] : [],
  );
  const atStart = [first, ...(chunks ?? []).map((path) => outputs[path])];
  const packages = atStart.flatMap((output) =>
    (output?.imports ?? []).flatMap(({ path, external }) => (external ? [path] : [])),
  );
  expect([...new Set(packages)].sort()).toEqual(['@bomb.sh/tab/commander', 'commander']);
});

it('completes commands, their subcommands and the words of an option', async () => {
  const { stdout } = spawnSync(process.execPath, [...nodeFlags, main, 'complete', '--', 'tok'], { encoding: 'utf8' });
  expect(stdout).toContain('token\t');
  // The completion library prints directly, bypassing the terminal.
  const complete = async (...line: string[]) => {
    using log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { argv } = process;
    process.argv = [...argv.slice(0, 2), 'complete', '--', ...line];
    try {
      expect(await runCommandLine(process.argv.slice(2), processTerminal())).toBe(0);
    } finally {
      process.argv = argv;
    }
    return log.mock.calls.map(([text]) => `${String(text)}\n`).join('');
  };
  expect(await complete('tok')).toBe(stdout);
  expect(await complete('token', 'cr')).toMatch(/^create\t/);
  expect(await complete('rules', 'check', '--format', '')).toContain('markdown');
});

it('reports an unexpected error in one sentence, with the stack on request', async () => {
  const terminal = {
    ...processTerminal(),
    writeError: (text: string) => void said.push(text),
    get environment(): Terminal['environment'] {
      throw new TypeError('no environment');
    },
  };
  let said: string[] = [];
  expect(await runCommandLine(['config'], terminal)).toBe(1);
  expect(said.join('')).toMatch(/^leeward: no environment\nThis error was not foreseen; leeward --debug/);
  said = [];
  expect(await runCommandLine(['config', '--debug'], terminal)).toBe(1);
  expect(said.join('')).toMatch(/^leeward: TypeError: no environment\n {4}at /);
});
