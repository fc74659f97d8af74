import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../bin/leeward.js', import.meta.url));
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};

/** Runs the program as if on another Node. */
function runOn(version: string) {
  const versions = `{ ...process.versions, node: ${JSON.stringify(version)} }`;
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`;
  return spawnSync(process.execPath, [`--import=${pretend}`, program, '--version'], { encoding: 'utf8' });
}

it.each(['18.20.4', '20.20.2', '22.17.1'])('tells Node %s which one it needs', (version) => {
  const { status, stdout, stderr } = runOn(version);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`This is Node ${version}`);
  expect(stderr).toContain(`needs Node ${engines.node.replace('>=', '')} or newer`);
  expect(stderr.trimEnd()).not.toContain('\n');
});

it.each(['22.18.0', '24.0.0'])('runs on Node %s', (version) => {
  expect(runOn(version)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
});
