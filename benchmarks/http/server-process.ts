import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

/** A server in a separate process. */
export interface ServerProcess {
  readonly port: number;
  /** Processor time used so far, in µs. */
  cpuMicros(): Promise<number>;
  memory(): Promise<number>;
  stop(): void;
}

/** In the server: reports its port to the parent and, on request, its processor time or memory. */
export function answerParent(port: number): void {
  process.on('message', (message) => {
    if (message === 'stop') process.exit(0);
    const { user, system } = process.cpuUsage();
    process.send?.(message === 'memory' ? process.memoryUsage.rss() : user + system);
  });
  // The parent may have been stopped.
  process.on('disconnect', () => process.exit(0));
  process.send?.(port);
}

/** Starts a program of this folder, with its log in a file. */
export async function startServer(program: string, words: readonly string[], logFile: string): Promise<ServerProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, program), ...words],
    { stdio: ['ignore', openSync(logFile, 'w'), 'inherit', 'ipc'] },
  );
  let waiting = Promise.withResolvers<number>();
  child.on('message', (message: number) => waiting.resolve(message));
  child.on('exit', (code) => waiting.reject(new Error(`${program} ended with ${code}.`)));
  const next = async () => {
    const message = await waiting.promise;
    waiting = Promise.withResolvers<number>();
    waiting.promise.catch(() => {});
    return message;
  };
  const port = await next();
  return {
    port,
    cpuMicros() {
      child.send('cpu');
      return next();
    },
    memory() {
      child.send('memory');
      return next();
    },
    stop: () => void child.send('stop'),
  };
}
