/** A separate process, so that attacks do not slow the measurement. Starts and stops attacks on command. */
import { attacks, type Ground } from './attacks.ts';

interface Command {
  readonly names: readonly string[];
  readonly ground: Ground;
}

let current: { readonly ended: Promise<unknown>; readonly stop: AbortController } | undefined;
process.on('message', async (command: Command | 'stop') => {
  if (command === 'stop') {
    current?.stop.abort();
    await current?.ended.catch(() => {});
    current = undefined;
    process.send?.('stopped');
    return;
  }
  const stop = new AbortController();
  const { names, ground } = command;
  current = { stop, ended: Promise.all(names.map((name) => attacks[name]!(ground, stop.signal))) };
  current.ended.catch(() => {});
  process.send?.('begun');
});
process.on('disconnect', () => process.exit(0));
