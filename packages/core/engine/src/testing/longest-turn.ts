import { processorMs } from '../../../../../test/support/processor-time.ts';
/**
 * Runs something asynchronous and finds how long it kept everybody else from their turn: `longestMs` is the most that
 * was computed between two callbacks that come as soon as there is a turn, `tookMs` what was computed in all.
 */
export async function longestTurn<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly longestMs: number; readonly tookMs: number }> {
  let longestMs = 0;
  const start = processorMs();
  let last = start;
  let isOver = false;
  const tick = () => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    const result = await run();
    // The turn in which it ended is one of its own.
    const end = processorMs();
    longestMs = Math.max(longestMs, end - last);
    return { result, longestMs, tookMs: end - start };
  } finally {
    isOver = true;
  }
}
