import type { CityLookup, Geocoder } from '@leeward/places';
import type { HazardSource } from '@leeward/places/hazards';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { CoastPort } from './coast-port.ts';

/** What distances are looked up with. */
export interface DistancePorts {
  readonly coast: CoastPort;
  /** Left out, only coordinates are answered. */
  readonly geocoder?: Geocoder;
  /** Knows where a city ends and a street begins in one line of text. */
  readonly cities?: CityLookup;
  /** Compares the county given with the nearest ZIP points'. */
  readonly gazetteer?: ZipGazetteer;
  /** Knows the hazards of places, for lines that ask for them. Left out, they stay unknown. */
  readonly hazards?: HazardSource;
  /** How long one address may take. Default 10,000. */
  readonly geocodeTimeoutMs?: number;
}
