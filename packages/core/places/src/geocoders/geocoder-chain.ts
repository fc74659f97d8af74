import type { Address } from '../address/address.ts';
import type { Geocode, GeocodeAttempt, GeocodeOptions, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { isAsFineAs, type Precision } from '../geocoder/precision.ts';
import type { PlausibilityCheck } from './plausibility.ts';

/** An answer with the outcome of each geocoder. */
export type ChainAnswer = GeocoderAnswer & { readonly attempts: readonly GeocodeAttempt[] };

/** Geocoders called one after the other. */
export interface GeocoderChain extends Geocoder {
  geocode(address: Address, options?: GeocodeOptions): Promise<ChainAnswer>;
}

/** Geocoders of a chain, and which answers to accept. */
export interface GeocoderChainOptions {
  /** In this order. Guard those on a network (`guardGeocoder`). The last may be the gazetteer. */
  readonly geocoders: readonly Geocoder[];
  /** For example `createPlausibilityCheck(gazetteer)`. @default accepts every place */
  readonly isImplausible?: PlausibilityCheck | undefined;
  /** Ends the search. @default 'interpolated' */
  readonly goodPrecision?: Precision | undefined;
}

/**
 * Calls geocoders in order. The first place at least as fine as `goodPrecision` wins, or any place without a street. Otherwise an
 * `ambiguous` answer precedes the finest of the coarser places. @throws {GeocoderUnavailableError} of kind `all_failed` if nothing was
 * found and a geocoder was unavailable.
 * @example
 * createGeocoderChain({ geocoders: [guardGeocoder(createCensusGeocoder()), createGazetteerGeocoder(zips)] });
 */
export function createGeocoderChain(options: GeocoderChainOptions): GeocoderChain {
  const { geocoders, isImplausible, goodPrecision = 'interpolated' } = options;
  if (geocoders.length === 0) throw new RangeError('A chain needs at least one geocoder.');
  return {
    name: 'chain',
    async geocode(address, callOptions) {
      const attempts: GeocodeAttempt[] = [];
      const answers: GeocoderAnswer[] = [];
      const faults: GeocoderUnavailableError[] = [];
      for (const geocoder of geocoders) {
        if (geocoder.isReady?.() === false) continue;
        const { attempt, answer, fault } = await tryOne(geocoder, address, callOptions, isImplausible);
        attempts.push(attempt);
        if (fault !== undefined) faults.push(fault);
        if (answer === undefined) continue;
        answers.push(answer);
        if (answer.status === 'found' && isGood(address, answer.geocode, goodPrecision)) return { ...answer, attempts };
      }
      return { ...settle(answers, attempts, faults), attempts };
    },
  };
}

function isGood(address: Address, geocode: Geocode, goodPrecision: Precision): boolean {
  return address.line1 === undefined || isAsFineAs(geocode.precision, goodPrecision);
}

async function tryOne(
  geocoder: Geocoder,
  address: Address,
  options: GeocodeOptions | undefined,
  isImplausible: PlausibilityCheck | undefined,
): Promise<{
  readonly attempt: GeocodeAttempt;
  readonly answer?: GeocoderAnswer;
  readonly fault?: GeocoderUnavailableError;
}> {
  const attempt = (outcome: GeocodeAttempt['outcome'], detail: string) => ({
    geocoder: geocoder.name,
    outcome,
    detail,
  });
  try {
    const answer = await geocoder.geocode(address, options);
    if (answer.status === 'not_found') return { attempt: attempt('not_found', answer.message), answer };
    const candidates = answer.status === 'found' ? [answer.geocode] : answer.candidates;
    const reasons = candidates.map((candidate) => isImplausible?.(address, candidate));
    const plausible = candidates.filter((_, index) => reasons[index] === undefined);
    const [first] = plausible;
    if (first === undefined)
      return { attempt: attempt('implausible', reasons.find((reason) => reason !== undefined) ?? '') };
    if (plausible.length === 1)
      return { attempt: attempt('found', first.matchedAddress), answer: { status: 'found', geocode: first } };
    const detail = plausible.map(({ matchedAddress }) => matchedAddress).join('; ');
    return { attempt: attempt('ambiguous', detail), answer: { status: 'ambiguous', candidates: plausible } };
  } catch (error) {
    options?.signal?.throwIfAborted();
    if (!(error instanceof GeocoderUnavailableError)) throw error;
    return { attempt: attempt('unavailable', error.message), fault: error };
  }
}

function settle(
  answers: readonly GeocoderAnswer[],
  attempts: readonly GeocodeAttempt[],
  faults: readonly GeocoderUnavailableError[],
): GeocoderAnswer {
  const ambiguous = answers.find((answer) => answer.status === 'ambiguous');
  if (ambiguous !== undefined) return ambiguous;
  const places = answers.filter((answer) => answer.status === 'found');
  const [finest] = places.toSorted((a, b) => a.geocode.errorRadiusMeters - b.geocode.errorRadiusMeters);
  if (finest !== undefined) return finest;
  // No geocoder finds a contradictory address.
  const contradiction = answers.find((answer) => answer.status === 'not_found' && answer.code === 'zip_not_in_state');
  if (contradiction !== undefined) return contradiction;
  if (faults.length > 0) {
    const waits = faults.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
    const retryAfterSeconds = waits.length > 0 ? Math.min(...waits) : undefined;
    const detail = faults.map(({ message }) => message).join(' ');
    const outcomes = attempts.map(({ geocoder, outcome }) => ({ geocoder, outcome }));
    throw new GeocoderUnavailableError('chain', 'all_failed', detail, { retryAfterSeconds, attempts: outcomes });
  }
  const implausible = attempts.find(({ outcome }) => outcome === 'implausible');
  if (implausible !== undefined) {
    const message = `${implausible.geocoder} found only an implausible place: ${implausible.detail}.`;
    return { status: 'not_found', code: 'no_match', message };
  }
  // The gazetteer, at the end, has the best reason: an unknown ZIP code, or one of another state.
  const last = answers.findLast((answer) => answer.status === 'not_found');
  return last ?? { status: 'not_found', code: 'no_match', message: 'No matching address was found.' };
}
