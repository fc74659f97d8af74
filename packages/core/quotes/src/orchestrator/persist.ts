import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '@leeward/database';
import type { QuoteListener } from './quote-event.ts';

/**
 * Does `work` again and again while the store is out of reach: what a carrier has answered is not thrown away because a
 * database restarts. Gives up when `signal` is aborted, or after ten minutes.
 */
export async function persist<Result>(
  work: () => Promise<Result>,
  options: { readonly signal: AbortSignal; readonly where: string; readonly listener: QuoteListener },
): Promise<Result> {
  const { signal, where, listener } = options;
  const start = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || signal.aborted || performance.now() - start > 600_000) throw error;
      listener({ type: 'trouble', where, error });
      await sleep(Math.min(2000, 100 * 2 ** tries) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }
}
