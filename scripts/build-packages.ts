import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';
import { atOnce } from './at-once.ts';
import { type PackageFolder, packageFolders, packageGroups } from './package-folders.ts';

// `npm run build [-- GROUP...]`: runs the build script of every package, or of these groups. The order is free, because
// each build reads the source of the others.

const root = resolve(import.meta.dirname, '..');
/** Node of this process before any other. */
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

async function build({ name, path }: PackageFolder): Promise<boolean> {
  const startMs = performance.now();
  const child = spawn('npm', ['run', 'build', '--silent'], { cwd: join(root, path), env: environment });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  console.log(`${name}: ${code === 0 ? 'built' : 'FAILED'} in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  if (code !== 0) console.error(output);
  return code === 0;
}

const groups = process.argv.slice(2);
const unknown = groups.find((name) => !packageGroups.some((group) => group === name));
if (unknown !== undefined) throw new Error(`"${unknown}" is no group of packages; use ${packageGroups.join(', ')}.`);
const folders = packageFolders(root).filter(({ group }) => groups.length === 0 || groups.includes(group));
const built = await atOnce(folders, build);
if (built.includes(false)) process.exitCode = 1;
