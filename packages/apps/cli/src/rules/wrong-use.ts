import { CommanderError } from 'commander';

/** Wrong use of a `rules` command: a sentence for its user, exit code 2. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** Exits a command with a code after everything was printed. */
export function exitWith(code: number): never {
  throw new CommanderError(code, 'leeward.done', '');
}
