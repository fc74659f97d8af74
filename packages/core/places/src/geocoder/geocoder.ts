import type { Address } from '../address/address.ts';
import type { Method } from './method.ts';
import type { Precision } from './precision.ts';

/** A part of an address. */
export type AddressPart = 'line1' | 'city' | 'state' | 'zip';

/** A place found for an address. */
export interface Geocode {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly precision: Precision;
  /** Maximum distance between the point and the home. */
  readonly errorRadiusMeters: number;
  /** @default 'other_geocoder' */
  readonly method?: Method | undefined;
  /** The method in a sentence: the range, the neighbors, the kind of record. May contain the address: do not log it. */
  readonly detail?: string | undefined;
  /** Time of the network answer, if it came from a cache (`withCache`). */
  readonly retrievedAt?: Date | undefined;
  /** Name of the geocoder. */
  readonly geocoder: string;
  /** The address as the geocoder writes it. */
  readonly matchedAddress: string;
  /** Postal abbreviation in lower case, if the geocoder returns it. */
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly countyFips?: string | undefined;
  /** Parts of the query that this place does not confirm: `line1` if the street was ignored or is unknown. */
  readonly unmatched: readonly AddressPart[];
  /** Text that the source's licence requires next to the answer. */
  readonly attribution?: string | undefined;
}

/** Reason why nothing was found. */
export type NotFoundCode = 'no_match' | 'unknown_zip' | 'unknown_city' | 'zip_not_in_state';

/** Outcome of one geocoder of a chain. */
export interface GeocodeAttempt {
  readonly geocoder: string;
  /** `implausible`: the place contradicts the address. */
  readonly outcome: 'found' | 'ambiguous' | 'not_found' | 'implausible' | 'unavailable';
  /** For people. May contain the address: do not log it. */
  readonly detail: string;
}

/** One place, several that fit, or none with the reason. */
export type GeocoderAnswer = (
  | { readonly status: 'found'; readonly geocode: Geocode }
  /** Two or more places fit, too far apart to be one. */
  | { readonly status: 'ambiguous'; readonly candidates: readonly Geocode[] }
  | { readonly status: 'not_found'; readonly code: NotFoundCode; readonly message: string }
) & {
  /** Outcomes of a chain's geocoders. They explain a coarse answer. */
  readonly attempts?: readonly GeocodeAttempt[];
};

/** Options of one look-up. */
export interface GeocodeOptions {
  /** Aborts the look-up; the promise then rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the place of an address. A geocoder never guesses: a coarse answer states it in `precision`, `errorRadiusMeters` and
 * `unmatched`.
 *
 * @throws {GeocoderUnavailableError} if it cannot answer now. It throws nothing else, except the reason of an aborted signal.
 */
export interface Geocoder {
  /** Lower case with underscores, `us_census`. */
  readonly name: string;
  /** A chain skips a geocoder that is not ready. If omitted, it is always ready. */
  isReady?(): boolean;
  geocode(address: Address, options?: GeocodeOptions): Promise<GeocoderAnswer>;
}
