import { CommanderError } from 'commander';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';
import { mistakeOf } from './user-mistake.ts';

/**
 * Runs one command line (without the program's own name) and gives its exit code: 0, or another with a message on standard
 * error. What nobody foresaw is thrown.
 */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said what was wrong already.
    if (error instanceof CommanderError) return error.exitCode;
    const mistake = mistakeOf(error, terminal.folder);
    if (!mistake) throw error;
    terminal.writeError(`leeward: ${mistake.message}\n`);
    return mistake.exitCode;
  }
}
