import { createFairTurns, type FairTurnsOptions } from '../admission/fair-turns.ts';

/** An event loop by hand: its clock stands until it is moved, and its callbacks run when they are called. */
export interface LoopByHand {
  ms: number;
  callbacks: (() => void)[];
}

export function loopByHand(options: FairTurnsOptions) {
  const loop: LoopByHand = { ms: 0, callbacks: [] };
  const turns = createFairTurns(options, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) });
  return { loop, turns };
}

/** As Node does after every callback: whatever follows at once has followed. */
export async function microtasks(): Promise<void> {
  for (let tick = 0; tick < 60; tick++) await undefined;
}
