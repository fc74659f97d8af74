import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Review, ReviewInput } from './review-rule-set.ts';

export type { Review, ReviewInput } from './review-rule-set.ts';

/** Reviews rule sets of homes beside the thread that serves. */
export interface ReviewThread {
  review(input: ReviewInput): Promise<Review>;
  /** Ends it; what is being reviewed is rejected. */
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (review: Review) => void;
  readonly reject: (error: unknown) => void;
}

type Message = { readonly id: number } & ({ readonly review: Review } | { readonly error: unknown });

/** The thread begins with the first review, and does not keep the process alive while it waits. */
export function createReviewThread(): ReviewThread {
  const script = createRequire(import.meta.url).resolve('@leeward/engine/review-worker');
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  const start = (): Worker => {
    const started = new Worker(script);
    const end = (error: unknown) => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (message: Message) => {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) started.unref();
      if ('review' in message) asked?.resolve(message.review);
      else asked?.reject(message.error);
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('The thread of reviews ended before they did.')));
    return started;
  };
  return {
    review(input) {
      worker ??= start();
      const asked = worker;
      return new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        asked.ref();
        asked.postMessage({ id, input });
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
