import type { Address } from '../address/address.ts';
import type { Geocode, GeocodeAttempt, GeocodeOptions, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { GeocoderUnavailableError } from '../geocoder/geocoder-unavailable-error.ts';
import { isAtLeast, type Precision } from '../geocoder/precision.ts';
import type { PlausibilityCheck } from './plausibility.ts';

/** The answer, and what each geocoder did that was asked. */
export type ChainAnswer = GeocoderAnswer & { readonly attempts: readonly GeocodeAttempt[] };

/** Geocoders asked one after the other until one finds the house. */
export interface GeocoderChain extends Geocoder {
  geocode(address: Address, options?: GeocodeOptions): Promise<ChainAnswer>;
}

/** Who is asked, in this order, and which answers cannot be meant. */
export interface GeocoderChainOptions {
  /** Asked in this order, each guarded already (`guardGeocoder`) if it is on a network. The last may be the offline gazetteer. */
  readonly geocoders: readonly Geocoder[];
  /** `createPlausibilityCheck(gazetteer)`. */
  readonly isImplausible?: PlausibilityCheck | undefined;
  /** A place at least as fine as this ends the search; default `interpolated`. */
  readonly goodPrecision?: Precision | undefined;
}

/**
 * Asks geocoders in turn. The first good answer wins: a place at least as fine as `goodPrecision`, or any place if no street
 * was asked for. Without one, places that several geocoders could not tell apart (`ambiguous`) come before the finest of the
 * coarser places found. `attempts` says what each did, so that a coarse answer can be labelled with the reason.
 *
 * Errors: `GeocoderUnavailableError` of kind `all_failed` when nothing was found and a geocoder that might have found it
 * could not answer.
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
  return address.line1 === undefined || isAtLeast(geocode.precision, goodPrecision);
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
  const found = answers.filter((answer) => answer.status === 'found');
  const [finest] = found.toSorted((a, b) => a.geocode.errorRadiusMeters - b.geocode.errorRadiusMeters);
  if (finest !== undefined) return finest;
  // No geocoder finds an address that contradicts itself.
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
    const message = `${implausible.geocoder} found only a place that cannot be meant: ${implausible.detail}.`;
    return { status: 'not_found', code: 'no_match', message };
  }
  // The gazetteer, at the end, knows best why: an unknown ZIP code, one of another state.
  const last = answers.findLast((answer) => answer.status === 'not_found');
  return last ?? { status: 'not_found', code: 'no_match', message: 'No such address is known.' };
}
