import type { Footprint } from '@leeward/coast';
import type { Method, Precision } from '@leeward/places';
import type { RequestFault } from '../problem/problem.ts';

/** `coordinates` of the request, or the method of a geocoder. */
export type PlaceMethod = 'coordinates' | Method;

/** The location of a home, with its accuracy. */
export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly source: string;
  readonly precision: Precision;
  readonly errorRadiusMeters: number;
  readonly method: PlaceMethod;
  /** If present, distances are those of the whole footprint. */
  readonly footprint?: Footprint;
  /** The method, in a sentence. */
  readonly detail?: string;
  /** Time at which a geocoder on a network returned it. */
  readonly retrievedAt?: Date;
  readonly matchedAddress?: string;
  readonly attribution?: string;
  readonly warnings: readonly RequestFault[];
}
