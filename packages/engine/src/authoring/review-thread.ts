import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Fault } from '@leeward/terms';
import type { HomeToReplay, ReplayedHomes, ReplayInput } from './replay-homes.ts';
import type { ReviewAnswers, ReviewAsked, ReviewWorkerData } from './review-messages.ts';
import type { Review, ReviewInput } from './review-rule-set.ts';

export type { HomeToReplay, ReplayedChange, ReplayedHomes, ReplayInput } from './replay-homes.ts';
export type { Review, ReviewInput } from './review-rule-set.ts';

/** Reviews rule sets beside the thread that serves. */
export interface ReviewThread {
  review(input: ReviewInput): Promise<Review>;
  /** Judges homes by a version and by what is in force; the next of them are read when the last are judged. */
  replay(input: ReplayInput, homes: HomesInParts): Promise<Replayed>;
  /** Ends it; what is being reviewed is rejected. */
  close(): Promise<void>;
}

/** Homes to replay, in parts of any size: nothing holds all of them at once. */
export type HomesInParts = AsyncIterable<readonly HomeToReplay[]> | Iterable<readonly HomeToReplay[]>;

/** What comes out otherwise, or what is wrong with the version. */
export interface Replayed {
  readonly faults: readonly Fault[];
  /** Present where there are no faults. */
  readonly replayed?: ReplayedHomes;
}

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

type Message = { readonly id: number } & ({ readonly answer: unknown } | { readonly error: unknown });

/** What a thread of reviews knows beside homes. */
export interface ReviewThreadOptions {
  /** Modules that export lines of business (`defineLine`), as `file:` URLs: a thread cannot be handed their words. Default none. */
  readonly lineModules?: readonly string[];
}

/** The thread begins with the first review, and does not keep the process alive while it waits. */
export function createReviewThread({ lineModules = [] }: ReviewThreadOptions = {}): ReviewThread {
  const script = createRequire(import.meta.url).resolve('@leeward/engine/review-worker');
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  const start = (): Worker => {
    const started = new Worker(script, { workerData: { lineModules } satisfies ReviewWorkerData });
    const end = (error: unknown) => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (message: Message) => {
      const asked = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) started.unref();
      if ('answer' in message) asked?.resolve(message.answer as never);
      else asked?.reject(message.error);
    });
    started.on('error', end);
    started.on('exit', () => end(new Error('The thread of reviews ended before they did.')));
    return started;
  };
  const ask = <Asked extends ReviewAsked>(asked: Asked, id = ++lastId): Promise<ReviewAnswers[Asked['kind']]> => {
    worker ??= start();
    const thread = worker;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, asked });
    });
  };
  return {
    review: (input) => ask({ kind: 'review', input }),
    async replay(input, homes) {
      const id = ++lastId;
      const faults = await ask({ kind: 'begin_replay', input }, id);
      if (faults.length > 0) return { faults };
      let isRead = false;
      try {
        for await (const part of homes) await ask({ kind: 'replay', replay: id, homes: part });
        isRead = true;
      } finally {
        // What was begun is forgotten there, whatever became of it here.
        if (!isRead && worker) ask({ kind: 'end_replay', replay: id }).catch(() => {});
      }
      const replayed = await ask({ kind: 'end_replay', replay: id });
      if (replayed === undefined) throw new Error('The thread of reviews ended before the replay did.');
      return { faults, replayed };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
