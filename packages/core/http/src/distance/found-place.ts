import type { Footprint } from '@leeward/coast';
import type { Method, Precision } from '@leeward/places';
import type { RequestFault } from '../problem/problem.ts';

/** How a place was found: as given, or as a geocoder says. */
export type PlaceMethod = 'coordinates' | Method;

/** Where a home stands, and how well that is known. */
export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly source: string;
  readonly precision: Precision;
  readonly errorRadiusMeters: number;
  readonly method: PlaceMethod;
  /** The ground that was given; distances are those of all of it. */
  readonly footprint?: Footprint;
  /** How it was found, in a sentence. */
  readonly detail?: string;
  /** When a geocoder on a network gave it. */
  readonly retrievedAt?: Date;
  readonly matchedAddress?: string;
  readonly attribution?: string;
  readonly warnings: readonly RequestFault[];
}
