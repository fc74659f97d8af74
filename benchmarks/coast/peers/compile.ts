import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Compiles a source of this folder. Returns the reason if it cannot. */
export function compile(
  compiler: string,
  source: string,
  folder: string,
  options: readonly string[],
): { readonly program: string } | { readonly absent: string } {
  if (spawnSync(compiler, ['--version']).status !== 0) return { absent: `no ${compiler}` };
  const program = join(folder, source.replace(/\.\w+$/, ''));
  const { status, stderr } = spawnSync(
    compiler,
    ['-O3', '-o', program, join(import.meta.dirname, source), ...options],
    {
      encoding: 'utf8',
    },
  );
  if (status === 0) return { program };
  return {
    absent: `${source} does not compile here (${stderr.split('\n').find((line) => line.includes('error')) ?? status})`,
  };
}

/** Runs a compiled search over files of numbers: nanoseconds a query of each round, and what it built in milliseconds. */
export function runProgram(program: string, args: readonly string[]): { readonly lines: string[] } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${stderr || status}`);
  return { lines: stdout.trim().split('\n') };
}
