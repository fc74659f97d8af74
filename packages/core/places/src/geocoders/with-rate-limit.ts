import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/** Rate and maximum wait. */
export interface RateLimitOptions {
  readonly requestsPerSecond: number;
  /** A longer wait is refused. @default 2000 */
  readonly maxWaitMs?: number | undefined;
  /** Monotonic, in ms. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** For tests. @default a timer */
  readonly sleep?: ((durationMs: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/**
 * Spaces requests evenly; a server's `Retry-After` delays the next.
 * @example
 * withRateLimit(geocoder, { requestsPerSecond: 1 });
 */
export function withRateLimit(geocoder: Geocoder, options: RateLimitOptions): Geocoder {
  const { requestsPerSecond, maxWaitMs = 2_000, now = () => performance.now(), sleep = sleepFor } = options;
  if (!(requestsPerSecond > 0))
    throw new RangeError(`requestsPerSecond must be above 0; received ${requestsPerSecond}.`);
  const intervalMs = 1_000 / requestsPerSecond;
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    name: geocoder.name,
    async geocode(address, callOptions) {
      const startMs = now();
      const atMs = Math.max(startMs, nextMs);
      const waitMs = atMs - startMs;
      if (waitMs > maxWaitMs) {
        const detail = `the limit of ${requestsPerSecond} requests a second is used up for the next ${Math.ceil(waitMs)} ms.`;
        const retryAfterSeconds = Math.ceil(waitMs / 1_000);
        throw new GeocoderUnavailableError(geocoder.name, 'rate_limited', detail, { retryAfterSeconds });
      }
      nextMs = atMs + intervalMs;
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
