import { orAborted } from '@leeward/terms';
import { LRUCache } from 'lru-cache';
import type { Address } from '../address/address.ts';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

/** Size and lifetime of a cache. */
export interface CacheOptions {
  /** The least recently used is dropped first. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** Whole ms. @default 86_400_000, a day */
  readonly lifetimeMs?: number | undefined;
  /** Monotonic, in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** For `retrievedAt`. @default the system's clock */
  readonly clock?: (() => Date) | undefined;
}

interface LookUp {
  readonly promise: Promise<GeocoderAnswer>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * By address, with the time of each answer (`retrievedAt`); not errors. Concurrent requests share a look-up, which is aborted with the
 * last of them.
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
    // lru-cache never expires an entry stored at 0.
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
