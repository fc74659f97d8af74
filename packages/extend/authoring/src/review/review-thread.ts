import { on } from 'node:events';
import { createRequire } from 'node:module';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LineSource } from '@leeward/engine/check-thread';
import type { PoolTask, WorkerPool } from '@leeward/worker-pool';
import type { HomeToReplay, ReplayInput } from './replay-homes.ts';
import type { Review, ReviewInput } from './review-rule-set.ts';
import type { Replayed, ReplayTaskInput, ReviewTaskInput } from './review-worker.ts';

export type { HomeToReplay, ReplayedChange, ReplayedHomes, ReplayInput } from './replay-homes.ts';
export type { Review, ReviewInput } from './review-rule-set.ts';
export type { Replayed } from './review-worker.ts';

/** Reviews rule sets, and replays homes, on worker threads. */
export interface ReviewThread {
  review(input: ReviewInput, options?: ReviewThreadCall): Promise<Review>;
  /** Evaluates homes by a version and by the rules in force. Reads one part of the homes at a time. */
  replay(input: ReplayInput, homes: HomesInParts, options?: ReviewThreadCall): Promise<Replayed>;
}

/** Limits of one call. */
export interface ReviewThreadCall {
  /** Rejects the call with its reason, and ends its thread. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Tenants take turns on the threads. @default one tenant for all */
  readonly tenant?: string;
}

/** Homes to replay, in parts of any size. */
export type HomesInParts = AsyncIterable<readonly HomeToReplay[]> | Iterable<readonly HomeToReplay[]>;

/** Options of `createReviewThread`. */
export interface ReviewThreadOptions {
  readonly pool: Pick<WorkerPool, 'run'>;
  /** `file:` URLs of modules that export lines of business (`defineLine`), and fields of lines as data. @default [] */
  readonly lineModules?: readonly LineSource[];
}

/**
 * Reviews on threads of a pool, as long tasks: they leave one thread to checks.
 *
 * @example
 * const { review } = createReviewThread({ pool: sharedWorkerPool() });
 */
export function createReviewThread({ pool, lineModules = [] }: ReviewThreadOptions): ReviewThread {
  const module = createRequire(import.meta.url).resolve('@leeward/authoring/review-worker');
  const reviewTask: PoolTask<ReviewTaskInput, Review> = { module, name: 'review' };
  const replayTask: PoolTask<ReplayTaskInput, Replayed> = { module, name: 'replay' };
  return {
    review: (input, { signal, tenant } = {}) =>
      pool.run(reviewTask, { input, lineModules }, { isLong: true, signal, tenant }),
    async replay(input, homes, { signal, tenant } = {}) {
      const { port1, port2 } = new MessageChannel();
      const ended = new AbortController();
      const failed = new AbortController();
      const sending = sendHomes(homes, port1, ended.signal).catch((error: unknown) => failed.abort(error));
      try {
        return await pool.run(
          replayTask,
          { input, lineModules, port: port2 },
          {
            isLong: true,
            tenant,
            signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
            transfer: [port2],
          },
        );
      } finally {
        ended.abort();
        port1.close();
        await sending;
      }
    },
  };
}

/** Posts a part of the homes for each request, and null after the last. */
async function sendHomes(homes: HomesInParts, port: MessagePort, ended: AbortSignal): Promise<void> {
  const requests = on(port, 'message', { signal: ended });
  try {
    for await (const part of homes) {
      await requests.next();
      port.postMessage(part);
    }
    await requests.next();
    port.postMessage(null);
  } catch (error) {
    if (!ended.aborted) throw error;
  }
}
