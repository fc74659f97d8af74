import { countiesOf, countyByFips, findCounties, findState, states } from '@leeward/places/counties';
import { didYouMean, isCalendarDate, quoteValue } from '@leeward/terms';
import { factIndex, type SetReference } from '../vocabulary/fact-index.ts';
import { NO, YES } from '../vocabulary/flag-field.ts';
import { type DomainLookup, layoutOf, type VocabularyLayout } from '../vocabulary/layout.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { between, fitKnowledge, type GivenKnowledge, type Knowledge } from './knowledge.ts';

/**
 * A property checked and normalized: what is judged. Every object of one vocabulary has the same shape,
 * which keeps the hot path hot.
 */
export interface Property {
  readonly vocabulary: Vocabulary;
  /** Undefined: all types are asked for. */
  readonly policyType: string | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** FIPS codes of the counties it can be: undefined for any of the state, empty for none. */
  readonly counties: readonly string[] | undefined;
  /** By place in `vocabulary.fields`. */
  readonly values: readonly Knowledge[];
  /** The same before relations bounded what nobody gave: what messages quote. Absent: `values`. */
  readonly given?: readonly Knowledge[];
  /** Instant of asking, epoch milliseconds: governs moratoria. */
  readonly asOfMs: number;
  /** `YYYY-MM-DD`: governs ages and versions. */
  readonly effectiveDate: string;
  readonly effectiveYear: number;
  /**
   * True if the home was given or found to its house: what is not known of a distance is then asked for as a distance, because
   * an address would not tell it. Absent: false.
   */
  readonly isLocated?: boolean;
}

/** What `createProperty` takes. */
export interface PropertyInput extends Asked {
  /**
   * By field name, on the field's own axis (`roof_year`, not an age). A flag is true or false, a date
   * `YYYY-MM-DD`, a set the list of what it contains.
   */
  readonly values: Readonly<Record<string, GivenKnowledge>>;
  /** Default: false. */
  readonly isLocated?: boolean;
}

/**
 * Builds a property; relations bound what is unknown. Bounds that reach a little beyond a measured field's
 * domain are cut to it. Throws a `RangeError` that names every value that is not one of its field, every name
 * that is no field, and a place, policy type or date that is none: answers hold within the domains only.
 */
export function createProperty(input: PropertyInput): Property {
  const { vocabulary, policyType, state, counties, asOfMs, effectiveDate, isLocated = false } = input;
  const faults: string[] = [];
  const effectiveYear = checkAsked(input, faults);
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const given: Knowledge[] = vocabulary.fields.map(() => undefined);
  const fit = (place: number, value: unknown) => {
    const fitted = fitKnowledge(vocabulary.fields[place]!, value, domains[place]!);
    if (fitted.fits) given[place] = fitted.value;
    else faults.push(fitted.message);
  };
  for (const name of Object.keys(input.values)) {
    const place = layout.positions.get(name);
    const value = input.values[name];
    if (place !== undefined) fit(place, value);
    else if (factIndex(vocabulary).sets.has(name)) {
      const set = factIndex(vocabulary).sets.get(name)!;
      for (const [member, has] of fitSet(set, value, faults)) fit(layout.positions.get(member)!, has);
    } else faults.push(noField(name, vocabulary));
  }
  if (faults.length > 0) throw new RangeError(faults.join(' '));
  const values = boundByRelations(given, layout, domains);
  return { vocabulary, policyType, state, counties, values, given, asOfMs, effectiveDate, effectiveYear, isLocated };
}

/** Of each word of a set, by its field, whether it is contained. */
function fitSet({ name, members }: SetReference, value: unknown, faults: string[]): [field: string, has: string][] {
  if (value === undefined || value === null) return [];
  const words = members.map(({ member }) => member!.word);
  const unknown = Array.isArray(value) ? value.filter((word) => !words.includes(word)) : [value];
  for (const word of unknown) {
    const hint = typeof word === 'string' ? didYouMean(word, words) : '';
    faults.push(`${name} has ${quoteValue(word)}; give a list of: ${words.join(', ')}.${hint}`);
  }
  if (unknown.length > 0 || !Array.isArray(value)) return [];
  return members.map((field) => [field.name, value.includes(field.member!.word) ? YES : NO]);
}

/** Refuses a property of another vocabulary: its values would be taken for those of other fields. */
export function expectVocabulary(property: Property, vocabulary: Vocabulary): void {
  if (property.vocabulary === vocabulary) return;
  const { line } = property.vocabulary;
  const whose =
    line === vocabulary.line
      ? `The property was made with another vocabulary of the line "${line}"`
      : `The property is of the line "${line}", and "${vocabulary.line}" is asked`;
  throw new RangeError(`${whose}; make it with the very vocabulary that the catalog has.`);
}

function noField(name: string, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(name);
  if (reference?.kind === 'derived') {
    return `${quoteValue(name)} follows from ${reference.field.name}; give that in values.`;
  }
  if (reference?.kind === 'place') return `${quoteValue(name)} is no field; give it beside values.`;
  const names = [...vocabulary.fields.map((field) => field.name), ...factIndex(vocabulary).sets.keys()];
  return `${quoteValue(name)} is no field of the line ${vocabulary.line}.${didYouMean(name, names)}`;
}

/**
 * A roof is no older than its house: what is known of one bounds the other. Where both were given and contradict
 * one another, they stand as they are. What was given comes back itself where nothing bounds it.
 */
export function boundByRelations(
  given: readonly Knowledge[],
  layout: VocabularyLayout,
  domains: readonly DomainLookup[],
): readonly Knowledge[] {
  let values: Knowledge[] | undefined;
  // A field can stand in several relations: what one leaves bounds the next.
  let isSettled = false;
  for (let pass = 0; pass < layout.relations.length && !isSettled; pass++) {
    isSettled = true;
    for (const { lower, higher } of layout.relations) {
      const low = boundsOf((values ?? given)[lower], domains[lower]!);
      const high = boundsOf((values ?? given)[higher], domains[higher]!);
      if (!low || !high) continue;
      const most = Math.min(low.max, high.max);
      const least = Math.max(low.min, high.min);
      const isBounded = most < low.max || least > high.min;
      if (!isBounded || low.min > most || least > high.max) continue;
      values ??= [...given];
      if (most < low.max) values[lower] = between(low.min, most);
      if (least > high.min) values[higher] = between(least, high.max);
      isSettled = false;
    }
  }
  return values ?? given;
}

/** The numbers that a field can be. */
function boundsOf(
  value: Knowledge,
  { domain }: DomainLookup,
): { readonly min: number; readonly max: number } | undefined {
  if (domain.kind !== 'numbers') return undefined;
  if (typeof value === 'number') return { min: value, max: value };
  if (value === undefined) return domain;
  return typeof value === 'object' && value.kind === 'between' ? value : undefined;
}

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
