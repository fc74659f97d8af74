import type { Property } from '@leeward/engine';
import { type HazardEvent, MAX_EVENTS } from '@leeward/engine/events';
import { Problem, unavailable } from '../problem/problem.ts';

/** The events that a feed knows. */
export interface KnownHazardEvents {
  /** Undefined: unknown, which is not the same as none. The list keeps its identity until an event changes. */
  readonly events: readonly HazardEvent[] | undefined;
  /** When the source last confirmed them, epoch milliseconds; undefined if it never did. */
  readonly asOfMs: number | undefined;
  /** Why the events are unknown, or may be out of date; undefined if all is well. */
  readonly problem?: string | undefined;
}

/** Storms, earthquakes and other events, for rules that depend on them. */
export interface HazardEventFeed {
  /** Without I/O, for metrics and readiness. */
  readonly latest: KnownHazardEvents;
  /** For decisions. A promise if the feed must read its source first; rejects if that fails. */
  current(): KnownHazardEvents | Promise<KnownHazardEvents>;
  /** Calls `listener` after every change, and when events become unknown. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void;
  close(): void;
}

/** Days after its end for which an event is in decisions: "72 hours after an earthquake". */
export const DAYS_AFTER_END = 366;
const DAY_MS = 86_400_000;

/** Events that a program sets. */
export interface MemoryHazardEvents extends HazardEventFeed {
  /** Replaces all events. Undefined: unknown from now on. */
  set(events: readonly HazardEvent[] | undefined): void;
}

/**
 * Makes a feed for programs that embed the service and know the events.
 *
 * @param events checked with `parseHazardEvents`; none by default
 * @example
 * const hazardEvents = createMemoryHazardEvents();
 * createLeeward({ directory, underwriting: { catalog, hazardEvents } });
 * const parsed = parseHazardEvents([{ id: 'al09', kind: 'hurricane', states: ['la'], from: '2026-08-29T12:00:00Z' }]);
 * if (parsed.ok) hazardEvents.set(parsed.events);
 */
export function createMemoryHazardEvents(events: readonly HazardEvent[] = []): MemoryHazardEvents {
  const listeners = createListeners();
  let latest: KnownHazardEvents = { events, asOfMs: Date.now() };
  return {
    get latest() {
      return latest;
    },
    current: () => latest,
    set(next) {
      latest = {
        events: next,
        asOfMs: Date.now(),
        ...(next === undefined ? { problem: 'The program set no events.' } : {}),
      };
      listeners.notify();
    },
    subscribe: listeners.subscribe,
    close: listeners.clear,
  };
}

/**
 * Combines feeds. If two have an event with one id, that of the earlier feed counts, so that an operator can correct a source. If one feed is unknown,
 * all events are.
 *
 * @example
 * const feed = combineHazardEvents([posted, createUrlHazardEvents({ url: 'https://weather.example/events.json' })]);
 */
export function combineHazardEvents(feeds: readonly HazardEventFeed[]): HazardEventFeed {
  const [only] = feeds;
  if (only !== undefined && feeds.length === 1) return only;
  let merged: { readonly lists: readonly unknown[]; readonly events: readonly HazardEvent[] } | undefined;
  const combine = (of: readonly KnownHazardEvents[]): KnownHazardEvents => {
    const times = of.map(({ asOfMs }) => asOfMs);
    const asOfMs = times.includes(undefined) ? undefined : Math.min(...(times as number[]));
    const problems = of.flatMap(({ problem }) => problem ?? []);
    const lists = of.flatMap(({ events }) => (events === undefined ? [] : [events]));
    if (lists.length === of.length && !merged?.lists.every((list, index) => list === lists[index])) {
      merged = { lists, events: mergeById(lists) };
    }
    // Keeps its identity: decisions prepare a list once.
    let events = lists.length === of.length ? merged?.events : undefined;
    if (events !== undefined && events.length > MAX_EVENTS) {
      problems.push(
        `The feeds have ${events.length} events together; at most ${MAX_EVENTS} are accepted. Remove some.`,
      );
      events = undefined;
    }
    return { events, asOfMs, ...(problems.length > 0 ? { problem: problems.join(' ') } : {}) };
  };
  return {
    get latest() {
      return combine(feeds.map(({ latest }) => latest));
    },
    current() {
      const all = feeds.map((feed) => feed.current());
      return all.some((each) => each instanceof Promise)
        ? Promise.all(all).then(combine)
        : combine(all as readonly KnownHazardEvents[]);
    },
    subscribe(listener) {
      const ends = feeds.map((feed) => feed.subscribe(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    close() {
      for (const feed of feeds) feed.close();
    },
  };
}

function mergeById(lists: readonly (readonly HazardEvent[])[]): readonly HazardEvent[] {
  const byId = new Map<string, HazardEvent>();
  for (const event of lists.flat()) if (!byId.has(event.id)) byId.set(event.id, event);
  return Object.freeze([...byId.values()]);
}

/**
 * Attaches the events that are known now. A question about a day so long ago that its events have left the feed gets none: they are
 * unknown.
 */
export async function attachHazardEvents(
  property: Property,
  feed: HazardEventFeed | undefined,
  now: Date,
): Promise<Property> {
  if (feed === undefined) return property;
  const { events } = await readHazardEvents(feed);
  if (events === undefined || property.asOfMs < now.getTime() - DAYS_AFTER_END * DAY_MS) return property;
  return { ...property, events };
}

/** @throws {Problem} `unavailable` if the feed cannot be read */
async function readHazardEvents(feed: HazardEventFeed): Promise<KnownHazardEvents> {
  try {
    return await feed.current();
  } catch (cause) {
    throw cause instanceof Problem ? cause : unavailable('The store of hazard events', cause);
  }
}

export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    notify() {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear() {
      listeners.clear();
    },
  };
}
