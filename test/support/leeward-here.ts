import { setTimeout as sleep } from 'node:timers/promises';
import { runCommandLine } from '../../packages/apps/cli/src/run-command-line.ts';
import { catchTerminal } from '../../packages/apps/cli/src/testing/caught-terminal.ts';
import { type Ended, holds, type RunningLeeward, type StartOptions, workspace } from './running-leeward.ts';

const LOOK_MS = 10;

/**
 * Runs a command line in this process, where all that it loads is loaded and compiled once for many tests. Its environment is what is
 * given and nothing else.
 */
export function runLeewardHere(
  words: readonly string[],
  { environment = {}, folder = workspace }: StartOptions = {},
): RunningLeeward {
  const stop = Promise.withResolvers<string>();
  const caught = catchTerminal({
    environment,
    folder,
    stopAsked: () => stop.promise,
  });
  let end: Ended | undefined;
  const ended = runCommandLine(words, caught.terminal).then((code): Ended => {
    end = { code, output: caught.output(), errors: caught.errors() };
    return end;
  });
  return {
    output: caught.output,
    errors: caught.errors,
    async says(text) {
      while (!holds(caught.output(), text)) {
        if (end) throw new Error(`leeward ended (${end.code}) without "${text}":\n${end.output}${end.errors}`);
        await Promise.race([ended, sleep(LOOK_MS)]);
      }
    },
    ended,
    stop() {
      stop.resolve('SIGTERM');
      return ended;
    },
  };
}
