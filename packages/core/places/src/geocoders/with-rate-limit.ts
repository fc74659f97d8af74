import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** How often a geocoder is asked, and how many milliseconds an address may wait for its turn. */
export interface RateLimitOptions {
  readonly requestsPerSecond: number;
  /** Requests that would have to wait longer are refused; default 2,000. */
  readonly maxWaitMs?: number | undefined;
  /** Milliseconds of a clock that never goes back; default `performance.now`. */
  readonly now?: (() => number) | undefined;
  readonly sleep?: ((durationMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/**
 * The geocoder, asked at even intervals and no faster. Where the server names a time to wait (`Retry-After`), none is sent
 * before it.
 */
export function withRateLimit(geocoder: Geocoder, options: RateLimitOptions): Geocoder {
  const { requestsPerSecond, maxWaitMs = 2_000, now = () => performance.now(), sleep = sleepFor } = options;
  if (!(requestsPerSecond > 0)) throw new RangeError(`requestsPerSecond is above 0; received ${requestsPerSecond}.`);
  const intervalMs = 1_000 / requestsPerSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    name: geocoder.name,
    async geocode(address, callOptions) {
      const startMs = now();
      const turnMs = Math.max(startMs, nextMs);
      const waitMs = turnMs - startMs;
      if (waitMs > maxWaitMs) {
        const detail = `its limit of ${requestsPerSecond} requests a second is used up for the next ${Math.ceil(waitMs)} ms.`;
        const retryAfterSeconds = Math.ceil(waitMs / 1_000);
        throw new GeocoderUnavailableError(geocoder.name, 'rate_limited', detail, { retryAfterSeconds });
      }
      nextMs = turnMs + intervalMs;
      if (waitMs > 0) await sleep(waitMs, callOptions?.signal);
      try {
        return await geocoder.geocode(address, callOptions);
      } catch (error) {
        const wait =
          error instanceof GeocoderUnavailableError && error.kind === 'bad_status'
            ? error.retryAfterSeconds
            : undefined;
        if (wait !== undefined) nextMs = Math.max(nextMs, now() + wait * 1_000);
        throw error;
      }
    },
  };
}

function sleepFor(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, durationMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
