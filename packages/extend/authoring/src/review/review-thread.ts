import type { HomeToReplay, ReplayedHomes, ReplayInput } from './replay-homes.ts';
import type { ReviewAnswers, ReviewAsked, ReviewWorkerData } from './review-messages.ts';
import type { Review, ReviewInput } from './review-rule-set.ts';

export type { HomeToReplay, ReplayedChange, ReplayedHomes, ReplayInput } from './replay-homes.ts';
export type { Review, ReviewInput } from './review-rule-set.ts';

import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Fault } from '@leeward/terms';

/** Reviews rule sets beside the thread that serves. */
export interface ReviewThread {
  review(input: ReviewInput, options?: ReviewThreadCall): Promise<Review>;
  /** Judges homes by a version and by what is in force; the next of them are read when the last are judged. */
  replay(input: ReplayInput, homes: HomesInParts, options?: ReviewThreadCall): Promise<Replayed>;
  /** Ends it; what is being reviewed is rejected. */
  close(): Promise<void>;
}

/** How one call of the thread may be given up. */
export interface ReviewThreadCall {
  /**
   * Rejects the call with its reason. The thread stops at once if it does nothing else; the next call begins another. Beside
   * other calls it goes on, and what it finds is discarded.
   */
  readonly signal?: AbortSignal | undefined;
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
  const script = createRequire(import.meta.url).resolve('@leeward/authoring/review-worker');
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  /** Reviews and replays under way. */
  let calls = 0;
  const start = (): Worker => {
    const started = new Worker(script, { workerData: { lineModules } satisfies ReviewWorkerData });
    const end = (error: unknown) => {
      // One that was stopped had nothing to do; what waits is asked of the next.
      if (worker !== started) return;
      worker = undefined;
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
  const stop = (): void => {
    const stopped = worker;
    worker = undefined;
    void stopped?.terminate();
  };
  const ask = async <Asked extends ReviewAsked>(
    asked: Asked,
    { signal }: ReviewThreadCall = {},
    id = ++lastId,
  ): Promise<ReviewAnswers[Asked['kind']]> => {
    signal?.throwIfAborted();
    worker ??= start();
    const thread = worker;
    let giveUp = (): void => {};
    try {
      return await new Promise((resolve, reject) => {
        giveUp = () => {
          reject(signal?.reason);
          waiting.delete(id);
          if (calls === 1 && worker === thread) stop();
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.set(id, { resolve, reject });
        thread.ref();
        thread.postMessage({ id, asked });
      });
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    calls++;
    try {
      return await call();
    } finally {
      calls--;
    }
  };
  const replay: ReviewThread['replay'] = async (input, homes, call) => {
    const id = ++lastId;
    const faults = await ask({ kind: 'begin_replay', input }, call, id);
    if (faults.length > 0) return { faults };
    let isRead = false;
    try {
      for await (const part of homes) await ask({ kind: 'replay', replay: id, homes: part }, call);
      isRead = true;
    } finally {
      // The thread drops the work that was begun, whether it was answered here or not.
      if (!isRead && worker) ask({ kind: 'end_replay', replay: id }).catch(() => {});
    }
    const replayed = await ask({ kind: 'end_replay', replay: id }, call);
    if (replayed === undefined) throw new Error('The thread of reviews ended before the replay did.');
    return { faults, replayed };
  };
  return {
    review: (input, call) => counted(() => ask({ kind: 'review', input }, call)),
    replay: (input, homes, call) => counted(() => replay(input, homes, call)),
    async close() {
      await worker?.terminate();
    },
  };
}
