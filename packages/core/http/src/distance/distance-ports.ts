import type { CityLookup, Geocoder } from '@leeward/places';
import type { HazardSource } from '@leeward/places/hazards';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { CoastPort } from './coast-port.ts';

/** A coast, and the lookups of places. */
export interface DistancePorts {
  readonly coast: CoastPort;
  /** If omitted, only coordinates are answered. */
  readonly geocoder?: Geocoder;
  /** Cities of ZIP codes, to split addresses in one line. If omitted, only the text is used. */
  readonly cities?: CityLookup;
  /** Checks the county with the nearest ZIP codes. If omitted, it is not checked. */
  readonly gazetteer?: ZipGazetteer;
  /** For lines with such fields. If omitted, they stay unknown. */
  readonly hazards?: HazardSource;
  /** Per address, in ms. @default 10_000 */
  readonly geocodeTimeoutMs?: number;
}
