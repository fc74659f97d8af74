export { type CensusGeocoderOptions, createCensusGeocoder } from './census-geocoder.ts';
export type { ServerOptions } from './fetch-json.ts';
export {
  type ChainAnswer,
  createGeocoderChain,
  type GeocoderChain,
  type GeocoderChainOptions,
} from './geocoder-chain.ts';
export { type GuardOptions, guardGeocoder } from './guard-geocoder.ts';
export { createNominatimGeocoder, type NominatimGeocoderOptions } from './nominatim-geocoder.ts';
export { createPeliasGeocoder, type PeliasGeocoderOptions } from './pelias-geocoder.ts';
export { createPhotonGeocoder, type PhotonGeocoderOptions } from './photon-geocoder.ts';
export { createPlausibilityCheck, type PlausibilityCheck } from './plausibility.ts';
export type { CacheOptions } from './with-cache.ts';
export type { CircuitBreakerOptions } from './with-circuit-breaker.ts';
export type { RateLimitOptions } from './with-rate-limit.ts';
