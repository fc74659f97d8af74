import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import type { Geocoder } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';

/**
 * Rejects with `timed_out`, even if the geocoder ignores its signal.
 * @example
 * withTimeout(createCensusGeocoder(), 4_000);
 */
export function withTimeout(geocoder: Geocoder, timeoutMs: number): Geocoder {
  const policy = timeout(timeoutMs, TimeoutStrategy.Aggressive);
  return {
    name: geocoder.name,
    async geocode(address, { signal } = {}) {
      try {
        return await policy.execute(({ signal: own }) => geocoder.geocode(address, { signal: own }), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof TaskCancelledError)) throw error;
        throw new GeocoderUnavailableError(geocoder.name, 'timed_out', `no answer within ${timeoutMs} ms.`);
      }
    },
  };
}
