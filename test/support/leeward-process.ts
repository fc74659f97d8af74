import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { nodeFlags } from './node-flags.ts';
import { type Ended, holds, type RunningLeeward, type StartOptions, workspace } from './running-leeward.ts';

export interface LeewardProcess extends RunningLeeward {
  readonly process: ChildProcess;
}

const running = new Set<ChildProcess>();

/** For after all tests of a file: one that fails leaves nothing running. */
export function killLeftovers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Runs the program behind `leeward`, or `npm start`, with only the environment variables it needs. It skips the wrapper
 * of installed programs, so that a signal reaches the program; a separate test starts the wrapper.
 */
export function startLeeward(
  words: readonly string[],
  { environment = {}, folder = workspace, npm }: StartOptions & { readonly npm?: true } = {},
): LeewardProcess {
  const [command, ...rest] = npm
    ? ['npm', 'start', '--silent']
    : [process.execPath, ...nodeFlags, join(workspace, 'packages/apps/cli/src/main.ts'), ...words];
  const child = spawn(command, rest, {
    cwd: folder,
    env: {
      PATH: `${join(workspace, 'node_modules', '.bin')}:${process.env['PATH']}`,
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, output, errors }));
  return {
    process: child,
    output: () => output,
    errors: () => errors,
    async says(text) {
      while (!holds(output, text)) {
        const end = await Promise.race([ended, once(child.stdout, 'data').then(() => undefined)]);
        if (end && !holds(output, text))
          throw new Error(`leeward ended (${end.code}) without "${text}":\n${output}${errors}`);
      }
    },
    ended,
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
