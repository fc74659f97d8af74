import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A case of a suite that any test runner can run: it passes when `run` resolves.
 *
 *     for (const { name, run } of queueBackendSuite({ … })) it(name, run);
 */
export interface SuiteCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Waits until `condition` holds. @throws after `timeoutMs`, with what `describe` says of the state then. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  describe: () => string,
  timeoutMs = 15_000,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const elapsedMs = performance.now() - start;
    if (elapsedMs > timeoutMs) throw new Error(`Not so after ${timeoutMs} ms: ${describe()}`);
    // Asking is work: what takes longer is asked for more seldom.
    await sleep(Math.min(1_000, 10 + elapsedMs / 10));
  }
}
