import { Readable, Writable } from 'node:stream';
import { runCommandLine } from '../run-command-line.ts';
import type { Terminal } from '../terminal.ts';

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** What was written as a stream. */
  readonly bytes: Buffer;
}

/** Runs a command line in this process, with everything it writes caught. */
export async function runWords(
  words: readonly string[],
  given: Partial<Terminal> & { input?: string | Buffer } = {},
): Promise<Outcome> {
  const bytes: Buffer[] = [];
  let output = '';
  let errors = '';
  const terminal: Terminal = {
    environment: {},
    folder: process.cwd(),
    columns: undefined,
    inColor: false,
    now: () => new Date(),
    readInput: async () => String(given.input ?? ''),
    streams: () => ({
      input: Readable.from([Buffer.from(given.input ?? '')]),
      output: new Writable({
        write(chunk: Buffer, _, done) {
          bytes.push(chunk);
          done();
        },
      }),
    }),
    ...given,
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  const code = await runCommandLine(words, terminal);
  return { code, output, errors, bytes: Buffer.concat(bytes) };
}
