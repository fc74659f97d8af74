import type { Address } from '../address/address.ts';
import type { Method } from './method.ts';
import type { Precision } from './precision.ts';

/** A part of the address asked for. */
export type AddressPart = 'line1' | 'city' | 'state' | 'zip';

/** A place found for an address. */
export interface Geocode {
  /** Degrees, WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly precision: Precision;
  /** How far the home may be from the point. */
  readonly errorRadiusMeters: number;
  /** How it was found; left out, `other_geocoder`. */
  readonly method?: Method | undefined;
  /** The same in a sentence: the range, the neighbours, what kind of record. It may hold the address: not for logs. */
  readonly detail?: string | undefined;
  /** When a geocoder on a network gave it, where it was kept since (`withCache`). */
  readonly retrievedAt?: Date | undefined;
  /** The name of the geocoder that found it. */
  readonly geocoder: string;
  /** The address as the geocoder has it. */
  readonly matchedAddress: string;
  /** Postal abbreviation in lower case, where the geocoder says. */
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly countyFips?: string | undefined;
  /** Parts that were asked for and are not in the place found: with `line1` here the street was not looked at or not known. */
  readonly unmatched: readonly AddressPart[];
  /** To be shown with the answer, where the source's licence asks for it. */
  readonly attribution?: string | undefined;
}

/** Why nothing was found, where the geocoder can say more than that. */
export type NotFoundCode = 'no_match' | 'unknown_zip' | 'unknown_city' | 'zip_not_in_state';

/** What one of several geocoders did. */
export interface GeocodeAttempt {
  readonly geocoder: string;
  /** `implausible`: it found a place that cannot be the one asked for. */
  readonly outcome: 'found' | 'ambiguous' | 'not_found' | 'implausible' | 'unavailable';
  /** For people. It may hold the address: not for logs. */
  readonly detail: string;
}

/** What a geocoder found: one place, several that fit, or none and why. It throws only a `GeocoderUnavailableError`. */
export type GeocoderAnswer = (
  | { readonly status: 'found'; readonly geocode: Geocode }
  /** Two or more places fit, too far apart to be one. */
  | { readonly status: 'ambiguous'; readonly candidates: readonly Geocode[] }
  | { readonly status: 'not_found'; readonly code: NotFoundCode; readonly message: string }
) & {
  /** What each did that was asked, where several were: a coarse answer can be labelled with the reason. */
  readonly attempts?: readonly GeocodeAttempt[];
};

/** A signal that gives the search up. */
export interface GeocodeOptions {
  /** Ends the look-up; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the place of an address. It answers what it knows and never guesses: a coarser place than asked for says so by its
 * precision, its radius and `unmatched`.
 *
 * Errors: `GeocoderUnavailableError` when it cannot answer now. Nothing else is thrown, save the reason of an aborted signal.
 */
export interface Geocoder {
  /** Lower case with underscores, `us_census`. */
  readonly name: string;
  /** Left out, always. One that knows of nothing yet is passed over in a chain, without a word. */
  isReady?(): boolean;
  geocode(address: Address, options?: GeocodeOptions): Promise<GeocoderAnswer>;
}
