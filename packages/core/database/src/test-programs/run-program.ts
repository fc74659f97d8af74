import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';

export function startProgram(name: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./${name}.program.ts`, import.meta.url));
  return spawn(process.execPath, [...nodeFlags, path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

/** @throws {Error} With the error output. */
export function runProgram(name: string, args: readonly string[]): Promise<string> {
  return finished(name, startProgram(name, args));
}

/** Releases all processes when the last is ready. */
export async function runTogether(name: string, args: readonly string[], times: number): Promise<void> {
  const children = Array.from({ length: times }, () => startProgram(name, args));
  const ends = children.map((child) => finished(name, child));
  const ready = children.map((child) => new Promise((resolve) => child.stdout?.once('data', resolve)));
  await Promise.race([Promise.all(ready), Promise.all(ends)]);
  for (const child of children) child.stdin?.end('go');
  await Promise.all(ends);
}

function finished(name: string, child: ChildProcess): Promise<string> {
  let printed = '';
  let complaint = '';
  child.stdout?.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    complaint += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${name} ended with ${code}: ${complaint}`)),
    );
  });
}
