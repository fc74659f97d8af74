import { runCommandLine } from '../run-command-line.ts';
import type { Terminal } from '../terminal.ts';

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command line in this process, with everything it writes caught. */
export async function runWords(
  words: readonly string[],
  given: Partial<Terminal> & { input?: string } = {},
): Promise<Outcome> {
  let output = '';
  let errors = '';
  const terminal: Terminal = {
    environment: {},
    folder: process.cwd(),
    columns: undefined,
    inColor: false,
    now: () => new Date(),
    readInput: async () => given.input ?? '',
    ...given,
    write: (text) => {
      output += text;
    },
    writeError: (text) => {
      errors += text;
    },
  };
  const code = await runCommandLine(words, terminal);
  return { code, output, errors };
}
