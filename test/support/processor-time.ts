import { expect } from 'vitest';

/** CPU time of this thread so far, in ms. Other programs on the machine do not add to it. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Runs what no honest input makes long, and expects it to have computed no longer than that. */
export function withinProcessorMs<T>(limitMs: number, run: () => T): T {
  const startMs = processorMs();
  const result = run();
  expect(processorMs() - startMs).toBeLessThan(limitMs);
  return result;
}
