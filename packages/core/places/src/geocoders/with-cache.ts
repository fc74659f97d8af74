import type { Address } from '../address/address.ts';
import type { Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';

/** How many answers are kept, and for how many milliseconds. */
export interface CacheOptions {
  /** Answers kept; the one not asked for longest goes first. Default 10,000. */
  readonly maxEntries?: number | undefined;
  /** For how long an answer is good; default a day. */
  readonly lifetimeMs?: number | undefined;
  /** Milliseconds of a clock that never goes back; default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** The date that answers are given; default this machine's. */
  readonly clock?: (() => Date) | undefined;
}

interface Entry {
  readonly answer: GeocoderAnswer;
  readonly expiresMs: number;
}

interface LookUp {
  readonly promise: Promise<GeocoderAnswer>;
  readonly controller: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/**
 * The geocoder, asked once for the same address. Whatever it answered is kept with the instant of it (`retrievedAt`), faults are not. Requests for an address that
 * is being looked up wait for that look-up; one of them going away does not end it for the others, the last one does.
 */
export function withCache(geocoder: Geocoder, options: CacheOptions = {}): Geocoder {
  const {
    maxEntries = 10_000,
    lifetimeMs = 86_400_000,
    now = () => performance.now(),
    clock = () => new Date(),
  } = options;
  const entries = new Map<string, Entry>();
  const running = new Map<string, LookUp>();

  const ask = async (key: string, address: Address, signal: AbortSignal): Promise<GeocoderAnswer> => {
    try {
      const answer = retrieved(await geocoder.geocode(address, { signal }), clock());
      entries.set(key, { answer, expiresMs: now() + lifetimeMs });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return answer;
    } finally {
      // One that was given up may have another in its place by now.
      if (running.get(key)?.controller.signal === signal) running.delete(key);
    }
  };
  const start = (key: string, address: Address): LookUp => {
    const controller = new AbortController();
    const lookUp = { promise: ask(key, address, controller.signal), controller, waiting: 0 };
    running.set(key, lookUp);
    return lookUp;
  };
  const leave = (key: string, lookUp: LookUp, reason: unknown): void => {
    lookUp.waiting -= 1;
    if (lookUp.waiting > 0) return;
    if (running.get(key) === lookUp) running.delete(key);
    lookUp.controller.abort(reason);
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
      const lookUp = running.get(key) ?? start(key, address);
      lookUp.waiting += 1;
      return orAborted(lookUp.promise, signal, (reason) => leave(key, lookUp, reason));
    },
  };
}

/** An answer whose places say when they were had. */
function retrieved(answer: GeocoderAnswer, retrievedAt: Date): GeocoderAnswer {
  if (answer.status === 'found') return { ...answer, geocode: { ...answer.geocode, retrievedAt } };
  if (answer.status !== 'ambiguous') return answer;
  return { ...answer, candidates: answer.candidates.map((each) => ({ ...each, retrievedAt })) };
}

function keyOf({ line1, city, state, zip }: Address): string {
  const plain = (text: string | undefined) => text?.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim() ?? null;
  return JSON.stringify([plain(line1), plain(city), state ?? null, zip ?? null]);
}

function orAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
  onLeave: (reason: unknown) => void,
): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      onLeave(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
