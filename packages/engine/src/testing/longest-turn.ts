/**
 * Runs something asynchronous and finds how long it kept everybody else from their turn, in milliseconds: the longest
 * time between two callbacks that come as soon as there is a turn.
 */
export async function longestTurn<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly longestMs: number }> {
  let longestMs = 0;
  let last = performance.now();
  let isOver = false;
  const tick = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    const result = await run();
    // The turn in which it ended is one of its own.
    longestMs = Math.max(longestMs, performance.now() - last);
    return { result, longestMs };
  } finally {
    isOver = true;
  }
}
