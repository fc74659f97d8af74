import type { Geocoder } from '@leeward/places';
import {
  createCensusGeocoder,
  createNominatimGeocoder,
  createPeliasGeocoder,
  createPhotonGeocoder,
  guardGeocoder,
} from '@leeward/places/geocoders';
import type { OnlineGeocoderSettings } from './geocoder-settings.ts';

/** Adds time limit, circuit breaker, rate limit and cache. Calls only the configured host. */
export function openOnlineGeocoder(settings: OnlineGeocoderSettings, maxWaitMs: number): Geocoder {
  const { timeoutMs, requestsPerSecond } = settings;
  return guardGeocoder(adapterOf(settings), {
    timeoutMs,
    ...(requestsPerSecond === null ? {} : { rateLimit: { requestsPerSecond, maxWaitMs } }),
  });
}

function adapterOf(settings: OnlineGeocoderSettings): Geocoder {
  const { kind, baseUrl, userAgent = '', authorization, apiKey, attribution } = settings;
  const headers = authorization === undefined ? undefined : { authorization };
  switch (kind) {
    case 'census':
      return createCensusGeocoder({ baseUrl });
    case 'nominatim':
      return createNominatimGeocoder({ baseUrl, userAgent, headers });
    case 'photon':
      return createPhotonGeocoder({ baseUrl, headers });
    case 'pelias':
      return createPeliasGeocoder({ baseUrl, apiKey, attribution });
  }
}
