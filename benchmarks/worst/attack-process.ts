/** A separate process, so that attacks do not slow the measurement. Starts and stops attacks on command. */
import type { CostlyRequest } from '../../test/support/fuzz/costly-requests.ts';
import { attacks, type Ground } from './attacks.ts';
import { sendCostly } from './operations.ts';

interface Command {
  readonly names: readonly string[];
  readonly ground: Ground;
}

/** Requests of one operation. */
interface CostlyCommand {
  readonly url: string;
  readonly requests: readonly CostlyRequest[];
}

let current: { readonly ended: Promise<unknown>; readonly stop: AbortController } | undefined;
process.on('message', async (command: Command | CostlyCommand | 'stop') => {
  if (command === 'stop') {
    current?.stop.abort();
    const statuses = await current?.ended.catch(() => {});
    current = undefined;
    process.send?.({ statuses });
    return;
  }
  const stop = new AbortController();
  const ended =
    'requests' in command
      ? sendCostly(command.url, command.requests, stop.signal)
      : Promise.all(command.names.map((name) => attacks[name]!(command.ground, stop.signal)));
  current = { stop, ended };
  current.ended.catch(() => {});
  process.send?.('begun');
});
process.on('disconnect', () => process.exit(0));
