import { countiesOf, countyByFips, findCounties, findState, states } from '@leeward/places/counties';
import { didYouMean, isCalendarDate, quoteValue } from '@leeward/terms';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

const codes: ReadonlySet<string> = new Set(states.map((state) => state.code));
const countiesByState = new Map<string, ReadonlySet<string>>();

/** The last year of an effective date. */
const LATEST_YEAR = 2199;

/** Where and when a property is judged, and for which policy type. */
export interface Asked {
  readonly vocabulary: Vocabulary;
  /** Undefined: every type is asked for. */
  readonly policyType?: string | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** FIPS codes of counties of that state. Left out: any of it; empty: none. */
  readonly counties?: readonly string[] | undefined;
  /** Instant of asking, epoch milliseconds: governs moratoria. */
  readonly asOfMs: number;
  /** `YYYY-MM-DD`: governs ages and versions. */
  readonly effectiveDate: string;
}

/**
 * Checks where and when a property is judged, and for which policy type: a sentence for each that is none.
 * Gives the year of the effective date; where that is none, the latest, which most values fit.
 */
export function checkAsked(input: Asked, faults: string[]): number {
  const { vocabulary, policyType, state, counties, asOfMs, effectiveDate } = input;
  if (!codes.has(state))
    faults.push(`state is ${quoteValue(state)}; give the abbreviation in lower case.${stateHint(state)}`);
  else if (counties !== undefined) checkCounties(state, counties, faults);
  if (policyType !== undefined && !vocabulary.policyTypes.includes(policyType)) {
    const { policyTypes } = vocabulary;
    const hint = typeof policyType === 'string' ? didYouMean(policyType, policyTypes) : '';
    faults.push(`policyType is ${quoteValue(policyType)}; give one of: ${policyTypes.join(', ')}.${hint}`);
  }
  if (!Number.isFinite(asOfMs)) faults.push(`asOfMs is ${quoteValue(asOfMs)}; give epoch milliseconds.`);
  if (isEffectiveDate(effectiveDate)) return Number(effectiveDate.slice(0, 4));
  faults.push(`effectiveDate is ${quoteValue(effectiveDate)}; give a date from 1900 to ${LATEST_YEAR} as YYYY-MM-DD.`);
  return LATEST_YEAR;
}

function stateHint(state: unknown): string {
  const meant = typeof state === 'string' ? findState(state) : undefined;
  return meant ? ` Did you mean "${meant.code}"?` : '';
}

function checkCounties(state: string, counties: readonly string[], faults: string[]): void {
  if (!Array.isArray(counties)) {
    faults.push(`counties is ${quoteValue(counties)}; give a list of FIPS codes.`);
    return;
  }
  const ofState = countiesIn(state);
  for (const county of counties as readonly unknown[]) {
    if (ofState.has(county as string)) continue;
    faults.push(
      `counties has ${quoteValue(county)}; give FIPS codes of counties of "${state}".${countyHint(state, county)}`,
    );
  }
}

function countyHint(state: string, county: unknown): string {
  if (typeof county !== 'string') return '';
  const elsewhere = countyByFips(county);
  if (elsewhere && !countiesIn(state).has(elsewhere.fips)) return ` That is ${elsewhere.label}, ${elsewhere.state}.`;
  const meant = findCounties(state, county);
  return meant.length === 0 ? '' : ` Did you mean ${meant.map(({ fips }) => `"${fips}"`).join(' or ')}?`;
}

function countiesIn(state: string): ReadonlySet<string> {
  let fips = countiesByState.get(state);
  if (!fips) {
    fips = new Set(countiesOf(state).map((county) => county.fips));
    countiesByState.set(state, fips);
  }
  return fips;
}

/** The date that was right last: most properties of a host begin on the same few. */
let lastDate = '';

function isEffectiveDate(date: string): boolean {
  if (date === lastDate) return true;
  if (typeof date !== 'string' || !isCalendarDate(date) || date < '1900' || date > `${LATEST_YEAR}-12-31`) return false;
  lastDate = date;
  return true;
}
