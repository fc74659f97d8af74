import { type HazardEvent, MAX_EVENTS, parseHazardEvents } from '@leeward/engine/events';
import { isObject, quoteValue, readInstant } from '@leeward/terms';
import { createListeners, DAYS_AFTER_END, type HazardEventFeed, type KnownHazardEvents } from './hazard-event-feed.ts';

/*
 * A source that is read again and again:
 *
 *     never read → events unknown
 *     read       → its events, for `maxAgeMs` after the last reading that succeeded
 *     older      → events unknown, until a reading succeeds
 *
 * A reading with one fault counts as failed as a whole. Ages are measured on a monotonic clock.
 */

/** Content of a source. */
export interface Reading {
  /** Parsed JSON. */
  readonly content: unknown;
  /** Called if the content has no faults. */
  readonly accept?: () => void;
}

/** The source of events, and the times. */
export interface PolledOptions {
  /** For messages: `The file storms.json`. */
  readonly name: string;
  /** Resolves with undefined if nothing changed since the last accepted reading. Rejects with a sentence. */
  read(closing: AbortSignal): Promise<Reading | undefined>;
  /** In ms. */
  readonly pollMs: number;
  /** Age of the last successful reading from which the events are unknown, in ms. */
  readonly maxAgeMs: number;
  /** Maximum pause after failures, in ms. @default `pollMs` */
  readonly maxPauseMs?: number;
  /** Called for failed readings, once for each reason in a row. If omitted, nothing is reported. */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Monotonic, in ms. @default performance.now */
  readonly clock?: (() => number) | undefined;
  /** Epoch milliseconds. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** From 0 to below 1, for jitter. @default Math.random */
  readonly random?: (() => number) | undefined;
}

const DAY_MS = 86_400_000;

/** A feed that must be started. */
export interface PolledHazardEvents extends HazardEventFeed {
  /** Resolves after the first reading, whether it succeeded or not, and reads on until `close`. */
  start(): Promise<void>;
}

export function createPolledHazardEvents(options: PolledOptions): PolledHazardEvents {
  const { name, read, pollMs, maxAgeMs, maxPauseMs = pollMs, onError = () => {} } = options;
  const { clock = () => performance.now(), now = Date.now, random = Math.random } = options;
  const listeners = createListeners();
  const closing = new AbortController();
  let events: readonly HazardEvent[] | undefined;
  let asOfMs: number | undefined;
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let fault: string | undefined = `${name} has not been read yet.`;
  let failures = 0;
  let wasStale = false;
  let latest: KnownHazardEvents = { events: undefined, asOfMs, problem: fault };
  let timer: NodeJS.Timeout | undefined;

  const refresh = (): KnownHazardEvents => {
    const isStale = clock() - confirmedAt > maxAgeMs;
    const usable = isStale ? undefined : events;
    const problem = isStale && fault === undefined ? `${name} was not confirmed for ${maxAgeMs} ms.` : fault;
    if (latest.events !== usable || latest.asOfMs !== asOfMs || latest.problem !== problem) {
      latest = { events: usable, asOfMs, ...(problem === undefined ? {} : { problem }) };
    }
    return latest;
  };
  const poll = async (): Promise<void> => {
    const startedAt = clock();
    let isChanged = false;
    try {
      const reading = await read(closing.signal);
      if (reading !== undefined) {
        const next = eventsIn(reading.content, now());
        isChanged = events === undefined || JSON.stringify(next) !== JSON.stringify(events);
        if (isChanged) events = next;
        reading.accept?.();
      }
      confirmedAt = startedAt;
      asOfMs = now();
      fault = undefined;
      failures = 0;
    } catch (cause) {
      if (closing.signal.aborted) return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const next = `${name} cannot be used: ${reason}`;
      failures++;
      if (next !== fault) onError(new Error(next, { cause }));
      fault = next;
    }
    const isStale = clock() - confirmedAt > maxAgeMs;
    refresh();
    if (isChanged || isStale !== wasStale) listeners.notify();
    wasStale = isStale;
  };
  const schedule = () => {
    if (closing.signal.aborted) return;
    const pause = failures === 0 ? pollMs : Math.min(maxPauseMs, pollMs * 2 ** Math.min(failures - 1, 20));
    timer = setTimeout(() => void poll().finally(schedule), pause * (0.9 + 0.2 * random()));
    timer.unref();
  };
  return {
    get latest() {
      return refresh();
    },
    current: refresh,
    subscribe: listeners.subscribe,
    async start() {
      await poll();
      schedule();
    },
    close() {
      closing.abort();
      clearTimeout(timer);
      listeners.clear();
    },
  };
}

/** @throws {Error} with a sentence that quotes the beginning */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`it is not JSON; it begins with ${quoteValue(text.slice(0, 40))}.`);
  }
}

/** Events that ended long ago are left out before they are counted. @throws {Error} with the first faults */
function eventsIn(content: unknown, nowMs: number): readonly HazardEvent[] {
  const list = isObject(content) && Array.isArray(content['events']) ? content['events'] : content;
  if (!Array.isArray(list)) throw new Error('it is not a list of events, nor an object with `events`.');
  const recent = list.filter((event) => !isLongOver(event, nowMs));
  if (recent.length > MAX_EVENTS)
    throw new Error(`it has ${recent.length} events; at most ${MAX_EVENTS} are accepted.`);
  const parsed = parseHazardEvents(recent);
  if (parsed.ok) return parsed.events;
  const [first] = parsed.faults;
  const more = parsed.faults.length > 1 ? ` (and ${parsed.faults.length - 1} more faults)` : '';
  throw new Error(`${first!.path} ${first!.message}${more}`.trim());
}

function isLongOver(event: unknown, nowMs: number): boolean {
  const until = isObject(event) ? event['until'] : undefined;
  const end = typeof until === 'string' ? readInstant(until) : undefined;
  return end !== undefined && end.ms < nowMs - DAYS_AFTER_END * DAY_MS;
}
