import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function startProgram(name: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./${name}.program.ts`, import.meta.url));
  const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
  return spawn(process.execPath, [...flags, path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Resolves with what was printed; rejects with the program's complaint when it fails. */
export function runProgram(name: string, args: readonly string[]): Promise<string> {
  const child = startProgram(name, args);
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
