import type { StoredEvent } from '../store/read-outbox.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteListener } from './quote-event.ts';

/** Events read ahead of a follower that is slow: it holds no more of them. */
const READ_AT_ONCE = 100;
/** How long notices for other processes are gathered. */
const ANNOUNCE_EVERY_MS = 20;

/** What happens to quotes, for whoever follows one: told by this process, by others, and at worst found by looking. */
export interface EventFeed {
  /** Events behind the number `after`, then those to come. */
  follow(quoteId: string, after: number): Following;
  /** Something was written about these quotes by this process. */
  wake(quoteIds: Iterable<string>): void;
  /** Ends all that is followed. */
  stop(): Promise<void>;
}

/** One follower of a quote. It takes no place and no connection while it waits. */
export interface Following {
  /** Resolves with the next event, in order and without a gap; undefined when it was ended. One at a time. */
  next(): Promise<StoredEvent | undefined>;
  end(): void;
}

interface Follower {
  readonly quoteId: string;
  /** The last number that was read for it. */
  read: number;
  /** Read and not yet asked for. */
  readonly waiting: StoredEvent[];
  /** There may be more than it has. */
  stale: boolean;
  ended: boolean;
  resolve: ((event: StoredEvent | undefined) => void) | undefined;
}

export interface EventFeedOptions {
  readonly store: Pick<SqlQuoteStore, 'readOutbox' | 'changes' | 'announce' | 'hear'>;
  readonly listener: QuoteListener;
  /** How often is looked for what nobody told of, while somebody follows. */
  readonly pollMs: number;
}

export function createEventFeed({ store, listener, pollMs }: EventFeedOptions): EventFeed {
  const followers = new Map<string, Set<Follower>>();
  const toAnnounce = new Set<string>();
  let announcing: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let scheduled = false;
  let reading = false;
  let stopped = false;
  let changes: number | undefined;
  let hearing: Promise<() => Promise<void>> | undefined;
  const hungry = new Set<Follower>();

  const schedule = () => {
    if (scheduled || reading) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void readForHungry();
    });
  };
  /** One read for all who wait for something that may be there. */
  const readForHungry = async () => {
    const wanting = [...hungry].filter((follower) => follower.stale && follower.resolve !== undefined);
    hungry.clear();
    if (wanting.length === 0) return;
    reading = true;
    // From here on whatever is written makes them stale anew.
    for (const follower of wanting) follower.stale = false;
    try {
      const from = new Map<string, number>();
      for (const { quoteId, read } of wanting) from.set(quoteId, Math.min(read, from.get(quoteId) ?? read));
      const wanted = [...from].map(([quoteId, after]) => ({ quoteId, after }));
      const events = Map.groupBy(await store.readOutbox(wanted, READ_AT_ONCE), ({ quoteId }) => quoteId);
      for (const follower of wanting) give(follower, events.get(follower.quoteId) ?? []);
    } catch (error) {
      listener({ type: 'trouble', where: 'events', error });
      // The next poll asks again.
      changes = undefined;
    } finally {
      reading = false;
      if (hungry.size > 0) schedule();
    }
  };
  const give = (follower: Follower, events: readonly StoredEvent[]) => {
    if (events.length >= READ_AT_ONCE) follower.stale = true;
    const news = events.filter(({ number }) => number > follower.read);
    if (news.length === 0) return wantMore(follower);
    follower.read = news.at(-1)!.number;
    follower.waiting.push(...news);
    settle(follower, follower.waiting.shift());
  };
  const wantMore = (follower: Follower) => {
    if (!follower.stale || follower.resolve === undefined) return;
    hungry.add(follower);
    schedule();
  };
  const settle = (follower: Follower, event: StoredEvent | undefined) => {
    const { resolve } = follower;
    follower.resolve = undefined;
    resolve?.(event);
  };
  const makeStale = (chosen: Iterable<Follower>) => {
    for (const follower of chosen) {
      follower.stale = true;
      wantMore(follower);
    }
  };
  const told = (quoteIds: Iterable<string> | 'all') => {
    if (quoteIds === 'all') for (const ofQuote of followers.values()) makeStale(ofQuote);
    else for (const quoteId of quoteIds) makeStale(followers.get(quoteId) ?? []);
  };
  const look = () => {
    const now = store.changes();
    if (now !== undefined && now === changes) return;
    changes = now;
    told('all');
  };
  const begin = () => {
    poll ??= setInterval(look, pollMs).unref();
    hearing ??= store.hear(told).catch((error: unknown) => {
      listener({ type: 'trouble', where: 'hear', error });
      return async () => {};
    });
  };
  const end = (follower: Follower) => {
    if (follower.ended) return;
    follower.ended = true;
    const ofQuote = followers.get(follower.quoteId);
    ofQuote?.delete(follower);
    if (ofQuote?.size === 0) followers.delete(follower.quoteId);
    hungry.delete(follower);
    settle(follower, undefined);
    if (followers.size === 0) {
      clearInterval(poll);
      poll = undefined;
    }
  };
  const announce = async () => {
    announcing = undefined;
    const quoteIds = [...toAnnounce];
    toAnnounce.clear();
    // Whoever does not hear it looks for it within the time of a poll.
    await store.announce(quoteIds).catch(() => {});
  };

  return {
    follow(quoteId, after) {
      const follower: Follower = {
        ...{ quoteId, read: after, waiting: [], stale: true, resolve: undefined },
        ended: stopped,
      };
      if (!stopped) {
        const ofQuote = followers.get(quoteId) ?? new Set();
        followers.set(quoteId, ofQuote.add(follower));
        begin();
      }
      return {
        next() {
          const ready = follower.waiting.shift();
          if (ready !== undefined || follower.ended) return Promise.resolve(follower.ended ? undefined : ready);
          return new Promise((resolve) => {
            follower.resolve = resolve;
            wantMore(follower);
          });
        },
        end: () => end(follower),
      };
    },
    wake(quoteIds) {
      for (const quoteId of quoteIds) toAnnounce.add(quoteId);
      told(quoteIds);
      if (toAnnounce.size > 0 && !stopped) announcing ??= setTimeout(announce, ANNOUNCE_EVERY_MS);
    },
    async stop() {
      stopped = true;
      for (const ofQuote of [...followers.values()]) for (const follower of [...ofQuote]) end(follower);
      clearTimeout(announcing);
      if (toAnnounce.size > 0) await announce();
      await (await hearing)?.();
    },
  };
}
