import { runCommandLine } from '../run-command-line.ts';
import { catchTerminal, type GivenTerminal } from './caught-terminal.ts';

export interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
  /** Output as bytes. */
  readonly bytes: Buffer;
}

/** Runs a command line in this process, with everything it writes caught. */
export async function runWords(words: readonly string[], terminal?: GivenTerminal): Promise<Outcome> {
  const caught = catchTerminal(terminal);
  const code = await runCommandLine(words, caught.terminal);
  return { code, output: caught.output(), errors: caught.errors(), bytes: caught.bytes() };
}
