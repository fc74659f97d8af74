import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import type { HazardEventFeed, KnownHazardEvents } from '@leeward/http';
import type { StoredHazardEvents } from '@leeward/registry';
import { createPolling, DEFAULT_MAX_AGE_MS, DEFAULT_POLL_MS } from '../follow/polling.ts';

/** The events of the operator. */
export interface FollowHazardEventsOptions {
  /** `registry.hazardEvents`. */
  readonly stored: StoredHazardEvents;
  /** In ms. @default 500 */
  readonly pollMs?: number;
  /** Maximum age of the last poll, in ms. After a suspension `current` polls first. @default 1_500 */
  readonly maxAgeMs?: number;
  /** Called for unreadable or invalid events. If omitted, nothing is reported. */
  readonly onError?: (error: unknown) => void;
  /** Monotonic clock, in ms. @default performance.now */
  readonly clock?: () => number;
  /** Epoch milliseconds. @default Date.now */
  readonly now?: () => number;
}

/** The operator's events, as this process knows them. */
export interface FollowedHazardEvents extends HazardEventFeed {
  /** Change that is in service. */
  readonly number: number;
  /** Resolves when the events are in service, then polls until `close`. Rejects if the store cannot be read. */
  start(): Promise<void>;
}

/**
 * Follows the events that operators post. Decisions never use events whose last poll is older than `maxAgeMs`; if the store cannot be read,
 * `current` rejects. Events that this version cannot read are unknown as a whole.
 *
 * @example
 * const hazardEvents = followHazardEvents({ stored: registry.hazardEvents });
 * await hazardEvents.start();
 * createLeeward({ directory, underwriting: { catalog, hazardEvents } });
 */
export function followHazardEvents(options: FollowHazardEventsOptions): FollowedHazardEvents {
  const { stored, pollMs = DEFAULT_POLL_MS, maxAgeMs = DEFAULT_MAX_AGE_MS, onError = () => {} } = options;
  const { clock = () => performance.now(), now = Date.now } = options;
  const listeners = new Set<() => void>();
  let number = -1;
  let events: readonly HazardEvent[] | undefined;
  let problem: string | undefined = 'The events of the operator have not been read yet.';
  const read = async () => {
    const current = await stored.current();
    const parsed = parseHazardEvents(current.events);
    number = current.number;
    events = parsed.ok ? parsed.events : undefined;
    problem = parsed.ok ? undefined : `The events of the operator cannot be used: ${parsed.faults[0]!.message}`;
    if (problem !== undefined) onError(new Error(problem));
    for (const listener of listeners) listener();
  };
  const isCurrent = async () => (await stored.number()) === number;
  const polling = createPolling({ isCurrent, read, pollMs, maxAgeMs, clock, onError });
  const toKnown = (): KnownHazardEvents => {
    const ageMs = clock() - polling.confirmedAt;
    const asOfMs = Number.isFinite(ageMs) ? now() - ageMs : undefined;
    return { events, asOfMs, ...(problem === undefined ? {} : { problem }) };
  };
  return {
    get latest() {
      return toKnown();
    },
    get number() {
      return number;
    },
    current: () => polling.whenFresh(toKnown),
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    start: () => polling.start(),
    close() {
      polling.stop();
      listeners.clear();
    },
  };
}
