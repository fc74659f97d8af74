import { type Command, CommanderError } from 'commander';
import { createProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs one command line, without the program's name. Returns 0 for success, 1 for a failure or faults, 2 for wrong use, the latter two
 * with a message on standard error. `--debug` adds the stack of an unexpected error.
 *
 * @example
 * process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
 */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(terminal, words);
    // Accepted after a command as well.
    const line = words.filter((word) => word !== '--debug');
    await program.parseAsync(namesUnknownCommand(program, line) ? withoutHelp(line) : line, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError)
      return error.exitCode !== 0 && error.code.startsWith('commander.') ? 2 : error.exitCode;
    // Loaded on failure only: it knows the errors of every package.
    const { mistakeOf } = await import('./user-mistake.ts');
    const { wrapLines } = await import('./table/fitting-table.ts');
    const mistake = mistakeOf(error, terminal.folder);
    terminal.writeError(
      mistake
        ? `${wrapLines(`leeward: ${mistake.message}`, terminal)}\n`
        : unforeseen(error, words.includes('--debug')),
    );
    return mistake?.exitCode ?? 1;
  }
}

/** True for an unknown subcommand. Commander would print the help of the group. */
function namesUnknownCommand(program: Command, words: readonly string[]): boolean {
  let command = program;
  for (const word of withoutHelp(words)) {
    if (command.commands.length === 0 || word.startsWith('-')) return false;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined) return true;
    command = next;
  }
  return false;
}

function withoutHelp(words: readonly string[]): string[] {
  return words.filter((word, index) => word !== '--help' && word !== '-h' && (word !== 'help' || index > 0));
}

function unforeseen(error: unknown, isDebugging: boolean): string {
  if (isDebugging) return `leeward: ${error instanceof Error ? error.stack : String(error)}\n`;
  const message = error instanceof Error ? error.message : String(error);
  return `leeward: ${message}\nThis error was not foreseen; leeward --debug … shows where it comes from.\n`;
}
