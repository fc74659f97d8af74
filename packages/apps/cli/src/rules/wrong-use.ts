import { CommanderError } from 'commander';

/** Wrong use of a `rules` command: a sentence for its user, exit code 2. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** Ends a command with an exit code, everything having been said. */
export function exitWith(code: number): never {
  throw new CommanderError(code, 'leeward.done', '');
}
