import { createFairScheduler, type FairSchedulerOptions } from '../admission/fair-scheduler.ts';

/** A fake event loop: the test moves its clock and runs its callbacks. */
export interface LoopByHand {
  ms: number;
  callbacks: (() => void)[];
}

export function loopByHand(options: FairSchedulerOptions) {
  const loop: LoopByHand = { ms: 0, callbacks: [] };
  const scheduler = createFairScheduler(options, {
    nowMs: () => loop.ms,
    afterTurn: (run) => loop.callbacks.push(run),
  });
  return { loop, scheduler };
}

/** Runs pending microtasks, as Node does after every callback. */
export async function microtasks(): Promise<void> {
  for (let tick = 0; tick < 60; tick++) await undefined;
}
