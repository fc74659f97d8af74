import { orAborted } from '@leeward/terms';
import { LRUCache } from 'lru-cache';
import type { Address } from '../address/address.ts';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

/** Size of a cache of answers, and how long they are valid. */
export interface CacheOptions {
  /** Maximum number of answers, 1 or more; the least recently used is dropped first. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** Lifetime of an answer, in whole ms. @default 86_400_000, a day */
  readonly lifetimeMs?: number | undefined;
  /** Monotonic clock, in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** Source of `retrievedAt`. @default the system's clock */
  readonly clock?: (() => Date) | undefined;
}

interface LookUp {
  readonly promise: Promise<GeocoderAnswer>;
  readonly controller: AbortController;
  /** Number of requests that wait for it. */
  waiting: number;
}

/**
 * Caches answers by address, with the time of each (`retrievedAt`). Errors are not cached. Concurrent requests for one address share
 * a look-up; it is aborted when the last of them is.
 *
 * @example
 * withCache(createCensusGeocoder(), { lifetimeMs: 3_600_000 });
 */
export function withCache(geocoder: Geocoder, options: CacheOptions = {}): Geocoder {
  const {
    maxEntries = 10_000,
    lifetimeMs = 86_400_000,
    now = () => performance.now(),
    clock = () => new Date(),
  } = options;
  const entries = new LRUCache<string, GeocoderAnswer>({
    max: maxEntries,
    ttl: lifetimeMs,
    ttlResolution: 0,
    // lru-cache never expires an entry that was stored at 0.
    perf: { now: () => now() + 1 },
  });
  const running = new Map<string, LookUp>();

  const lookUp = async (key: string, address: Address, signal: AbortSignal): Promise<GeocoderAnswer> => {
    try {
      const answer = retrieved(await geocoder.geocode(address, { signal }), clock());
      entries.set(key, answer);
      return answer;
    } finally {
      // After an abort, another look-up may have taken its place.
      if (running.get(key)?.controller.signal === signal) running.delete(key);
    }
  };
  const start = (key: string, address: Address): LookUp => {
    const controller = new AbortController();
    const started = { promise: lookUp(key, address, controller.signal), controller, waiting: 0 };
    running.set(key, started);
    return started;
  };
  const leave = (key: string, left: LookUp, reason: unknown): void => {
    left.waiting -= 1;
    if (left.waiting > 0) return;
    if (running.get(key) === left) running.delete(key);
    left.controller.abort(reason);
  };

  return {
    name: geocoder.name,
    async geocode(address, { signal } = {}) {
      signal?.throwIfAborted();
      const key = keyOf(address);
      const answer = entries.get(key);
      if (answer !== undefined) return answer;
      const joined = running.get(key) ?? start(key, address);
      joined.waiting += 1;
      return orAborted(joined.promise, signal).catch((error: unknown) => {
        if (signal?.aborted) leave(key, joined, signal.reason);
        throw error;
      });
    },
  };
}

function retrieved(answer: GeocoderAnswer, retrievedAt: Date): GeocoderAnswer {
  if (answer.status === 'found') return { ...answer, geocode: { ...answer.geocode, retrievedAt } };
  if (answer.status !== 'ambiguous') return answer;
  return { ...answer, candidates: answer.candidates.map((each) => ({ ...each, retrievedAt })) };
}

function keyOf({ line1, city, state, zip }: Address): string {
  const plain = (text: string | undefined) => text?.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim() ?? null;
  return JSON.stringify([plain(line1), plain(city), state ?? null, zip ?? null]);
}
