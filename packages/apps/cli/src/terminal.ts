import type { Readable, Writable } from 'node:stream';
import { processStopAsked } from './process-stop-asked.ts';

/** The environment of a command; tests provide a substitute. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Characters per line. Undefined if the output is not a terminal. */
  readonly columns: number | undefined;
  readonly inColor: boolean;
  /** The current time, for default dates. */
  now(): Date;
  write(text: string): void;
  writeError(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** Standard input and output as streams of bytes, for what is too long to be held. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** Destination of a service's log lines. Default: standard output, buffered for ten milliseconds. */
  readonly log?: { write(line: string): void } | undefined;
  /** Resolves with the reason when a long-running command should stop. Called when such a command begins. */
  stopAsked(): Promise<string>;
  /** Ends the process if it still runs after so long: with 1 if its command has not come to an end. */
  endAfter?(delayMs: number, message: string): void;
}

/**
 * The terminal of this process.
 *
 * @example
 * await runCommandLine(['--version'], processTerminal());
 */
export function processTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process;
  return {
    environment: env,
    folder: process.cwd(),
    columns: stdout.isTTY ? stdout.columns : undefined,
    inColor: stdout.isTTY === true && !env['NO_COLOR'],
    now: () => new Date(),
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    streams: () => ({ input: stdin, output: stdout }),
    stopAsked: () => processStopAsked(env),
    endAfter(delayMs, message) {
      const end = () => {
        stderr.write(`leeward: ${message}\n`);
        process.exit(process.exitCode ?? 1);
      };
      setTimeout(end, delayMs).unref();
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
