import type { Readable, Writable } from 'node:stream';

/** Environment of a command; tests substitute it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that relative paths start from. */
  readonly folder: string;
  /** Characters per line; undefined without a terminal. */
  readonly columns: number | undefined;
  readonly inColor: boolean;
  now(): Date;
  write(text: string): void;
  writeError(text: string): void;
  readInput(): Promise<Uint8Array>;
  /** Standard input and output as byte streams, for large data. */
  streams(): { readonly input: Readable; readonly output: Writable };
  /** Destination of a service's log lines. @default standard output, buffered for 10 ms */
  readonly log?: { write(line: string): void } | undefined;
  /** Resolves with the reason to stop. Called when a long-running command begins. */
  stopAsked(): Promise<string>;
  /** Ends the process with exit code 1 after this time if the command still runs. */
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
      return Buffer.concat(chunks);
    },
  };
}

const POLL_MS = 250;
/** One Ctrl+C can arrive twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Resolves with the first SIGINT or SIGTERM. A second one, at least a second later, ends the process at once. Also resolves when `npm
 * start` ends: npm is killed with its shell and sends no signal, and the server would keep its port.
 */
function processStopAsked(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    const ask = (what: string) => {
      if (firstMs !== undefined && performance.now() - firstMs > SAME_SIGNAL_MS) process.exit(130);
      firstMs ??= performance.now();
      resolve(what);
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
    if (environment['npm_lifecycle_event'] === undefined) return;
    const launcher = process.ppid;
    const poll = setInterval(() => {
      if (process.ppid === launcher) return;
      clearInterval(poll);
      resolve('npm ended');
    }, POLL_MS);
    poll.unref();
  });
}
