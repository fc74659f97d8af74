import { type Geocoder, GeocoderUnavailableError } from '@leeward/places';
import type { Metrics } from './metrics.ts';

/**
 * A geocoder that counts what each one did that was asked: which is down, and how often a coarser one had to do, shows
 * nowhere else, for the answers go on.
 */
export function countGeocodes(geocoder: Geocoder, metrics: Metrics): Geocoder {
  return {
    name: geocoder.name,
    async geocode(address, options) {
      try {
        const answer = await geocoder.geocode(address, options);
        const attempts = answer.attempts ?? [{ geocoder: geocoder.name, outcome: answer.status }];
        for (const attempt of attempts) metrics.countGeocode(attempt.geocoder, attempt.outcome);
        return answer;
      } catch (error) {
        if (error instanceof GeocoderUnavailableError) {
          const attempts = error.attempts ?? [{ geocoder: error.geocoder, outcome: 'unavailable' as const }];
          for (const attempt of attempts) metrics.countGeocode(attempt.geocoder, attempt.outcome);
        }
        throw error;
      }
    },
  };
}
