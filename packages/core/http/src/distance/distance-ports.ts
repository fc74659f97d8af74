import type { CityLookup, Geocoder } from '@leeward/places';
import type { HazardSource } from '@leeward/places/hazards';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { CoastPort } from './coast-port.ts';

/** A coast, and the lookups of places. */
export interface DistancePorts {
  readonly coast: CoastPort;
  /** Finds addresses. If omitted, only coordinates are answered. */
  readonly geocoder?: Geocoder;
  /** Cities of ZIP codes, to separate city and street in one line of text. If omitted, only the text itself is used. */
  readonly cities?: CityLookup;
  /** Compares the county of a request with the nearest ZIP codes. If omitted, the county is not checked. */
  readonly gazetteer?: ZipGazetteer;
  /** Hazards of places, for lines that have such fields. If omitted, they stay unknown. */
  readonly hazards?: HazardSource;
  /** Maximum time for one address, in ms. @default 10_000 */
  readonly geocodeTimeoutMs?: number;
}
