import type { StoredEvent } from '../store/read-outbox.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

const MAX_READ = 100;
const NOTIFY_EVERY_MS = 20;

/** Delivers events to followers: notified by any process, or found by polling if a notification is lost. */
export interface EventFeed {
  follow(quoteId: string, after: number): Following;
  wake(quoteIds: Iterable<string>): void;
  stop(): Promise<void>;
}

/** Needs a connection only while it reads. */
export interface Following {
  /** Resolves with the next event, in order and without a gap; undefined at the end. Await it before the next call. */
  next(): Promise<StoredEvent | undefined>;
  end(): void;
}

interface Follower {
  readonly quoteId: string;
  lastRead: number;
  readonly buffer: StoredEvent[];
  stale: boolean;
  ended: boolean;
  resolve: ((event: StoredEvent | undefined) => void) | undefined;
}

export interface EventFeedOptions {
  readonly store: Pick<SqlQuoteStore, 'readOutbox' | 'changes' | 'notify' | 'subscribe'>;
  readonly listener: QuoteListener;
  readonly pollMs: number;
}

/** Reads once for all waiting followers that may have new events. */
function createReader({ store, listener }: Pick<EventFeedOptions, 'store' | 'listener'>, onFailure: () => void) {
  const waiting = new Set<Follower>();
  let scheduled = false;
  let reading = false;

  const schedule = () => {
    if (scheduled || reading) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void readForWaiting();
    });
  };
  const readForWaiting = async () => {
    const stale = [...waiting].filter((follower) => follower.stale && follower.resolve !== undefined);
    waiting.clear();
    if (stale.length === 0) return;
    reading = true;
    // Events written from now on make them stale again.
    for (const follower of stale) follower.stale = false;
    try {
      const from = new Map<string, number>();
      for (const { quoteId, lastRead } of stale) from.set(quoteId, Math.min(lastRead, from.get(quoteId) ?? lastRead));
      const positions = [...from].map(([quoteId, after]) => ({ quoteId, after }));
      const events = Map.groupBy(await store.readOutbox(positions, MAX_READ), ({ quoteId }) => quoteId);
      for (const follower of stale) deliver(follower, events.get(follower.quoteId) ?? []);
    } catch (error) {
      listener({ type: 'failure', where: 'events', error });
      onFailure();
    } finally {
      reading = false;
      if (waiting.size > 0) schedule();
    }
  };
  const deliver = (follower: Follower, events: readonly StoredEvent[]) => {
    if (events.length >= MAX_READ) follower.stale = true;
    const news = events.filter(({ number }) => number > follower.lastRead);
    if (news.length === 0) return readMore(follower);
    follower.lastRead = news.at(-1)!.number;
    follower.buffer.push(...news);
    settle(follower, follower.buffer.shift());
  };
  const readMore = (follower: Follower) => {
    if (!follower.stale || follower.resolve === undefined) return;
    waiting.add(follower);
    schedule();
  };
  const settle = (follower: Follower, event: StoredEvent | undefined) => {
    const { resolve } = follower;
    follower.resolve = undefined;
    resolve?.(event);
  };
  return {
    readMore,
    end(follower: Follower) {
      waiting.delete(follower);
      settle(follower, undefined);
    },
  };
}

export function createEventFeed({ store, listener, pollMs }: EventFeedOptions): EventFeed {
  const followers = new Map<string, Set<Follower>>();
  const notifications = new Set<string>();
  let notifyTimer: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let stopped = false;
  let changes: number | undefined;
  const reader = createReader({ store, listener }, () => {
    // Read again at the next poll.
    changes = undefined;
  });
  let subscription: Promise<() => Promise<void>> | undefined;

  const markStale = (chosen: Iterable<Follower>) => {
    for (const follower of chosen) {
      follower.stale = true;
      reader.readMore(follower);
    }
  };
  const onEvents = (quoteIds: Iterable<string> | 'all') => {
    if (quoteIds === 'all') for (const ofQuote of followers.values()) markStale(ofQuote);
    else for (const quoteId of quoteIds) markStale(followers.get(quoteId) ?? []);
  };
  const checkForChanges = () => {
    const now = store.changes();
    if (now !== undefined && now === changes) return;
    changes = now;
    onEvents('all');
  };
  const begin = () => {
    poll ??= setInterval(checkForChanges, pollMs).unref();
    subscription ??= store.subscribe(onEvents).catch((error: unknown) => {
      listener({ type: 'failure', where: 'subscribe', error });
      return async () => {};
    });
  };
  const end = (follower: Follower) => {
    if (follower.ended) return;
    follower.ended = true;
    const ofQuote = followers.get(follower.quoteId);
    ofQuote?.delete(follower);
    if (ofQuote?.size === 0) followers.delete(follower.quoteId);
    reader.end(follower);
    if (followers.size === 0) {
      clearInterval(poll);
      poll = undefined;
    }
  };
  const notifyOthers = async () => {
    notifyTimer = undefined;
    const quoteIds = [...notifications];
    notifications.clear();
    // Polling finds the events too.
    await store.notify(quoteIds).catch(() => {});
  };

  return {
    follow(quoteId, after) {
      const follower: Follower = {
        ...{ quoteId, lastRead: after, buffer: [], stale: true, resolve: undefined },
        ended: stopped,
      };
      if (!stopped) {
        const ofQuote = followers.get(quoteId) ?? new Set();
        followers.set(quoteId, ofQuote.add(follower));
        begin();
      }
      return {
        next() {
          const ready = follower.buffer.shift();
          if (ready !== undefined || follower.ended) return Promise.resolve(follower.ended ? undefined : ready);
          return new Promise((resolve) => {
            follower.resolve = resolve;
            reader.readMore(follower);
          });
        },
        end: () => end(follower),
      };
    },
    wake(quoteIds) {
      for (const quoteId of quoteIds) notifications.add(quoteId);
      onEvents(quoteIds);
      if (notifications.size > 0 && !stopped) notifyTimer ??= setTimeout(notifyOthers, NOTIFY_EVERY_MS);
    },
    async stop() {
      stopped = true;
      for (const ofQuote of [...followers.values()]) for (const follower of [...ofQuote]) end(follower);
      clearTimeout(notifyTimer);
      if (notifications.size > 0) await notifyOthers();
      await (await subscription)?.();
    },
  };
}
