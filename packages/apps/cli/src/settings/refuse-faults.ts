import { CommandError } from '../command-error.ts';

/** Ends a command that was set up wrongly, with every fault at once. Throws a `CommandError` unless there are none. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new CommandError(faults.join('\n'), { exitCode: 2 });
}
