import type { Address } from '../address/address.ts';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

export interface CacheOptions {
  /** Answers kept; the one not asked for longest goes first. Default 10,000. */
  readonly maximumEntries?: number | undefined;
  /** For how long an answer is good; default a day. */
  readonly lifetimeMs?: number | undefined;
  /** Milliseconds of a clock that never goes back; default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

interface Entry {
  readonly answer: GeocoderAnswer;
  readonly expiresMs: number;
}

/**
 * The geocoder, asked once for the same address. Whatever it answered is kept, faults are not. Requests for an address that
 * is being looked up wait for that look-up; one of them going away does not end it for the others.
 */
export function withCache(geocoder: Geocoder, options: CacheOptions = {}): Geocoder {
  const { maximumEntries = 10_000, lifetimeMs = 86_400_000, now = () => performance.now() } = options;
  const entries = new Map<string, Entry>();
  const running = new Map<string, Promise<GeocoderAnswer>>();

  const ask = async (key: string, address: Address): Promise<GeocoderAnswer> => {
    try {
      const answer = await geocoder.geocode(address);
      entries.set(key, { answer, expiresMs: now() + lifetimeMs });
      const [oldest] = entries.keys();
      if (entries.size > maximumEntries && oldest !== undefined) entries.delete(oldest);
      return answer;
    } finally {
      running.delete(key);
    }
  };

  return {
    name: geocoder.name,
    async geocode(address, { signal } = {}) {
      signal?.throwIfAborted();
      const key = keyOf(address);
      const entry = entries.get(key);
      // Taken out and put back, an entry is the newest of the map.
      entries.delete(key);
      if (entry !== undefined && entry.expiresMs > now()) {
        entries.set(key, entry);
        return entry.answer;
      }
      let promise = running.get(key);
      if (promise === undefined) {
        promise = ask(key, address);
        running.set(key, promise);
      }
      return orAborted(promise, signal);
    },
  };
}

function keyOf({ line1, city, state, zip }: Address): string {
  const plain = (text: string | undefined) => text?.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim() ?? null;
  return JSON.stringify([plain(line1), plain(city), state ?? null, zip ?? null]);
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
