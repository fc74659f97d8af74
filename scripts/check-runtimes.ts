/**
 * `node scripts/check-runtimes.ts [--tarballs FOLDER] [RUNTIME …]`
 *
 * The packages as they would be published, installed in an empty folder and used on each runtime: by default the Node that runs this, and
 * Bun and Deno where they are found. Without tarballs the packages are packed here; build them first. Runs on Linux, macOS and Windows.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FreshFolder, inShell, packAll, tarballsOf } from './release/fresh-folder.ts';

const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({ options: { tarballs: { type: 'string' } }, allowPositionals: true });
const tarballs = values.tarballs === undefined ? packAll(root) : tarballsOf(values.tarballs);
const runWords: Readonly<Record<string, readonly string[]>> = { deno: ['run', '--allow-all'] };
const isThere = (name: string) => spawnSync(name, ['--version'], { shell: inShell }).status === 0;
const runtimes = positionals.length > 0 ? positionals : [process.execPath, ...['bun', 'deno'].filter(isThere)];

const folder = new FreshFolder(tarballs);
folder.install(['leeward', '@leeward/engine', '@leeward/coastline-us', '@leeward/http', '@leeward/places']);
copyFileSync(join(import.meta.dirname, 'release/everywhere.js'), join(folder.path, 'everywhere.js'));
writeFileSync(join(folder.path, 'home.json'), JSON.stringify({ state: 'tx', county: 'harris' }));

let failed = 0;
function attempt(title: string, command: string, words: readonly string[], expected: string): void {
  const { status, stdout, stderr } = spawnSync(command, [...words], {
    cwd: folder.path,
    encoding: 'utf8',
    shell: inShell && command !== process.execPath,
  });
  const isGood = status === 0 && stdout.includes(expected);
  if (!isGood) failed++;
  console.log(`${title}: ${isGood ? expected : `FAILED (${status})\n${stdout}${stderr}`}`);
}

for (const runtime of runtimes) {
  const words = runWords[runtime.replace(/^.*[\\/]/, '').replace(/\.exe$/, '')] ?? [];
  attempt(runtime, runtime, [...words, 'everywhere.js'], 'decided, measured, found, answered');
}
attempt(
  'leeward rules new',
  'npx',
  [
    '--no-install',
    'leeward',
    'rules',
    'new',
    join('carriers', 'pine_ridge'),
    '--key',
    'pine_ridge',
    '--name',
    'Pine',
    '--state',
    'tx',
  ],
  'Wrote',
);
attempt('leeward rules check', 'npx', ['--no-install', 'leeward', 'rules', 'check', 'carriers'], 'no faults');
attempt(
  'leeward underwrite',
  'npx',
  ['--no-install', 'leeward', 'underwrite', 'home.json', '--carriers', 'carriers', '--json'],
  'pine_ridge',
);
rmSync(folder.path, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
