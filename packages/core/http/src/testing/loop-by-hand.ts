import { createFairScheduler, type FairSchedulerOptions } from '../admission/fair-scheduler.ts';

/** The test moves the clock and runs callbacks. */
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

/** As Node does after every callback. */
export async function microtasks(): Promise<void> {
  for (let tick = 0; tick < 60; tick++) await undefined;
}
