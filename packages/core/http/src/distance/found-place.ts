import type { Footprint } from '@leeward/coast';
import type { Method, Precision } from '@leeward/places';
import type { RequestFault } from '../problem/problem.ts';

/** `coordinates`, or the method of a geocoder. */
export type PlaceMethod = 'coordinates' | Method;

/** A location with its accuracy. */
export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly source: string;
  readonly precision: Precision;
  readonly errorRadiusMeters: number;
  readonly method: PlaceMethod;
  /** Distances are those of the footprint. */
  readonly footprint?: Footprint;
  /** The method, in a sentence. */
  readonly detail?: string;
  /** Time of the answer, for geocoders on a network. */
  readonly retrievedAt?: Date;
  /** Name and version of the data that found the address. */
  readonly dataVersion?: string;
  readonly matchedAddress?: string;
  readonly attribution?: string;
  readonly warnings: readonly RequestFault[];
}
