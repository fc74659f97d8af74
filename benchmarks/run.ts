/**
 * `npm run bench -- accounts|artifact|books|coast|distance|engine|http|quotes|workbench|worst [--json FILE] [options of the
 * benchmark]`
 *
 * Installs the peers (separate lockfile), builds the packages, and runs one benchmark on the build. Each benchmark is a
 * seeded program in its folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const root = join(here, '..');
const [name = '', ...rest] = process.argv.slice(2);
const known = readdirSync(here).filter((folder) => existsSync(join(here, folder, 'main.ts')));

if (!known.includes(name)) {
  console.error(`Name a benchmark: ${known.join(', ')}.`);
  process.exit(2);
}

function run(command: string, args: readonly string[], folder: string): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(join(here, 'node_modules'))) run('npm', ['ci', '--no-audit', '--no-fund'], here);
if (!rest.includes('--no-build')) run('npm', ['run', 'build'], root);

const program = spawnSync(
  process.execPath,
  [
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    join(here, name, 'main.ts'),
    ...rest.filter((each) => each !== '--no-build'),
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exit(program.status ?? 1);
