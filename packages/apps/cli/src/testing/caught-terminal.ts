import { Readable, Writable } from 'node:stream';
import type { Terminal } from '../terminal.ts';

/** Substitutes of a test for the terminal; standard input as a whole. */
export type GivenTerminal = Partial<Omit<Terminal, 'write' | 'writeError'>> & { input?: string | Buffer };

/** A terminal, and what was written to it so far. */
export interface CaughtTerminal {
  readonly terminal: Terminal;
  output(): string;
  errors(): string;
  /** The output as bytes. */
  bytes(): Buffer;
}

/** A terminal for tests. Defaults: empty environment, empty input, never stopped. */
export function catchTerminal({ input = '', ...given }: GivenTerminal = {}): CaughtTerminal {
  const bytes: Buffer[] = [];
  let output = '';
  let errors = '';
  const terminal: Terminal = {
    environment: {},
    folder: process.cwd(),
    columns: undefined,
    inColor: false,
    now: () => new Date(),
    readInput: async () => Buffer.from(input),
    streams: () => ({
      input: Readable.from([Buffer.from(input)]),
      output: new Writable({
        write(chunk: Buffer, _, done) {
          bytes.push(chunk);
          done();
        },
      }),
    }),
    stopAsked: () => new Promise(() => {}),
    log: {
      write: (line) => {
        output += line;
      },
    },
    ...given,
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  return { terminal, output: () => output, errors: () => errors, bytes: () => Buffer.concat(bytes) };
}
