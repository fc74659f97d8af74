import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A case of a suite for any test runner. It passes if `run` resolves.
 *
 *     for (const { name, run } of queueBackendSuite({ … })) it(name, run);
 */
export interface SuiteCase {
  readonly name: string;
  run(): Promise<void>;
}

/** @throws after `timeoutMs`, with the text of `describe`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  describe: () => string,
  timeoutMs = 15_000,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const elapsedMs = performance.now() - start;
    if (elapsedMs > timeoutMs) throw new Error(`Still waiting after ${timeoutMs} ms: ${describe()}`);
    await sleep(Math.min(1_000, 10 + elapsedMs / 10));
  }
}
