import type { Address } from '../address/address.ts';
import type { Method } from './method.ts';
import type { Precision } from './precision.ts';

/** A part of an address. */
export type AddressPart = 'line1' | 'city' | 'state' | 'zip';

/** A place found for an address. */
export interface Geocode {
  /** WGS 84. */
  readonly latitude: number;
  readonly longitude: number;
  readonly precision: Precision;
  /** Maximum distance of the home. */
  readonly errorRadiusMeters: number;
  /** @default 'other_geocoder' */
  readonly method?: Method | undefined;
  /** The method in a sentence. May contain the address: do not log it. */
  readonly detail?: string | undefined;
  /** If it came from a cache (`withCache`). */
  readonly retrievedAt?: Date | undefined;
  readonly geocoder: string;
  /** Name and version of the data, for answers that state their versions. */
  readonly dataVersion?: string | undefined;
  /** As the geocoder writes it. */
  readonly matchedAddress: string;
  /** Lower case. */
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly countyFips?: string | undefined;
  /** Parts that this place does not confirm: `line1` if the street was ignored or is unknown. */
  readonly unmatched: readonly AddressPart[];
  /** Required next to the answer by the source's licence. */
  readonly attribution?: string | undefined;
}

/** Reason why nothing was found. */
export type NotFoundCode = 'no_match' | 'unknown_zip' | 'unknown_city' | 'zip_not_in_state';

/** Outcome of one geocoder of a chain. */
export interface GeocodeAttempt {
  readonly geocoder: string;
  /** `implausible`: the place contradicts the address. */
  readonly outcome: 'found' | 'ambiguous' | 'not_found' | 'implausible' | 'unavailable';
  /** May contain the address: do not log it. */
  readonly detail: string;
}

/** One place, several that fit, or none with the reason. */
export type GeocoderAnswer = (
  | { readonly status: 'found'; readonly geocode: Geocode }
  /** Too far apart to be one. */
  | { readonly status: 'ambiguous'; readonly candidates: readonly Geocode[] }
  | { readonly status: 'not_found'; readonly code: NotFoundCode; readonly message: string }
) & {
  /** Outcomes of a chain; they explain a coarse answer. */
  readonly attempts?: readonly GeocodeAttempt[];
};

/** Options of one look-up. */
export interface GeocodeOptions {
  /** Rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Never guesses: `precision`, `errorRadiusMeters` and `unmatched` state a coarse answer. @throws {GeocoderUnavailableError} if it cannot
 * answer now, and nothing else except the reason of an aborted signal.
 */
export interface Geocoder {
  /** Lower case with underscores, `us_census`. */
  readonly name: string;
  /** A chain skips a geocoder that is not ready. @default always ready */
  isReady?(): boolean;
  geocode(address: Address, options?: GeocodeOptions): Promise<GeocoderAnswer>;
}
