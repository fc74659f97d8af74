import { processorMs } from '../../../../../test/support/processor-time.ts';
/**
 * Runs an async function and measures how long it blocks the event loop, in processor time: `maxBlockMs` is the maximum between two
 * callbacks of `setImmediate`, `tookMs` the total.
 */
export async function measureBlocking<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly maxBlockMs: number; readonly tookMs: number }> {
  let maxBlockMs = 0;
  const start = processorMs();
  let last = start;
  let isOver = false;
  const tick = () => {
    const now = processorMs();
    maxBlockMs = Math.max(maxBlockMs, now - last);
    last = now;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    const result = await run();
    const end = processorMs();
    maxBlockMs = Math.max(maxBlockMs, end - last);
    return { result, maxBlockMs, tookMs: end - start };
  } finally {
    isOver = true;
  }
}
