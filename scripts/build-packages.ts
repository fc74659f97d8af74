import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { atOnce } from './at-once.ts';

// `npm run build`: every package by its own script. None waits for another's: each is built from the source of all.

const folder = resolve(import.meta.dirname, '../packages');
/** Node of this process before any other. */
const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

async function build(name: string): Promise<boolean> {
  const startMs = performance.now();
  const child = spawn('npm', ['run', 'build', '--silent'], { cwd: join(folder, name), env: environment });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  console.log(`${name}: ${code === 0 ? 'built' : 'FAILED'} in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  if (code !== 0) console.error(said);
  return code === 0;
}

const built = await atOnce(readdirSync(folder).sort(), build);
if (built.includes(false)) process.exitCode = 1;
