import { countiesOf, countyByFips, findCounties, findState, states } from '@leeward/places/counties';
import { didYouMean, isCalendarDate, quoteValue } from '@leeward/terms';
import type { HazardEvent } from '../events/hazard-event.ts';
import { factIndex, type SetReference } from '../vocabulary/fact-index.ts';
import { NO, YES } from '../vocabulary/flag-field.ts';
import { listSchemaOf } from '../vocabulary/item-vocabulary.ts';
import { type DomainLookup, layoutOf, type VocabularyLayout } from '../vocabulary/layout.ts';
import { countRecent, type ListField, type WrittenItem } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Evidence, type EvidenceFault, evidenceSubjects, readEvidence } from './evidence.ts';
import { between, fitKnowledge, type GivenKnowledge, type Knowledge } from './knowledge.ts';
import { checkLocation, type PropertyLocation } from './property-location.ts';

/** A checked and normalized property. All properties of one vocabulary have the same shape, for speed. */
export interface Property {
  readonly vocabulary: Vocabulary;
  /** Undefined for all types. */
  readonly policyType: string | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** FIPS codes of the possible counties. Undefined for any county of the state, empty if none is possible. */
  readonly counties: readonly string[] | undefined;
  /** By position in `vocabulary.fields`. */
  readonly values: readonly Knowledge[];
  /** The known lists, by name. A list that is not here is unknown. */
  readonly lists?: Readonly<Record<string, readonly WrittenItem[]>> | undefined;
  /** Dates and origins of values, by name of the field, set or list. @default unknown */
  readonly evidence?: Readonly<Record<string, Evidence>> | undefined;
  /** Aggregates of lists that are unknown, by canonical name: a book may have counts without the losses. @default unknown */
  readonly aggregates?: ReadonlyMap<string, number> | undefined;
  /** The values before relations bounded unknown fields; messages quote them. @default `values` */
  readonly givenValues?: readonly Knowledge[];
  /** Time of the request, epoch milliseconds. Moratoria depend on it. */
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. Ages and versions of rule sets depend on it. */
  readonly effectiveDate: string;
  readonly effectiveYear: number;
  /**
   * True if the location is known to the house. A missing distance is then requested as a distance, because the address
   * could not provide it. @default false
   */
  readonly isLocated?: boolean;
  /** Undefined if unknown. */
  readonly location?: PropertyLocation | undefined;
  /**
   * The storms, earthquakes and other events that are known at `asOfMs`. An empty list means that there are none.
   * @default unknown: there is no feed
   */
  readonly events?: readonly HazardEvent[] | undefined;
  /**
   * Ranges of measured fields for rule sets with a certainty, which use them instead of `values`. A field with an exact value
   * keeps that. @default such rule sets use `values`
   */
  readonly rangesByCertainty?: RangesByCertainty | undefined;
}

/** By certainty, such as `0.95`, then by field name, ends included. */
export type RangesByCertainty = Readonly<
  Record<string, Readonly<Record<string, { readonly min: number; readonly max: number }>>>
>;

/** Input of {@link createProperty}. */
export interface PropertyInput extends Asked {
  /**
   * By field name, on the field's axis: `roof_year`, not an age. A flag is `true` or `false`, a date `YYYY-MM-DD`, a
   * set the list of its words, a list its items as in requests.
   */
  readonly values: Readonly<Record<string, GivenKnowledge | readonly WrittenItem[]>>;
  /** Lists by name, as items in requests. Lists in `values` replace them. @default unknown */
  readonly lists?: Property['lists'];
  /** Dates and origins of values, by a name of the field, set or list: `roof_year` or `roof_age`. @default unknown */
  readonly evidence?: Property['evidence'];
  /** @default false */
  readonly isLocated?: boolean;
  /** @default unknown */
  readonly location?: PropertyLocation | undefined;
  /** Checked events, from `parseHazardEvents`. One list for many properties is faster than equal lists. @default unknown */
  readonly events?: Property['events'];
  /** @default rule sets with a certainty use `values` */
  readonly rangesByCertainty?: Property['rangesByCertainty'];
}

/**
 * Builds a property. Relations bound unknown fields. Bounds slightly beyond the domain of a measured field are clipped.
 *
 * @throws RangeError listing every fault: values outside their domain, unknown names, and an invalid place, policy type or date.
 * @example
 *  const property = createProperty({
 *    vocabulary: homeVocabulary,
 *    state: 'fl',
 *    effectiveDate: '2026-08-01',
 *    asOfMs: Date.now(),
 *    values: { year_built: 1987, roof_year: { kind: 'between', min: 2015, max: 2020 } },
 *  });
 */
export function createProperty(input: PropertyInput): Property {
  const { vocabulary, policyType, state, counties, asOfMs, effectiveDate, isLocated = false, location, events } = input;
  const faults: string[] = [];
  const effectiveYear = checkAsked(input, faults);
  const layout = layoutOf(vocabulary);
  const domains = layout.domainsOf(effectiveYear);
  const givenValues: Knowledge[] = layout.unknown.slice();
  const fit = (place: number, value: unknown) => {
    const fitted = fitKnowledge(vocabulary.fields[place]!, value, domains[place]!);
    if (fitted.fits) givenValues[place] = fitted.value;
    else faults.push(fitted.message);
  };
  let lists: Record<string, readonly WrittenItem[]> | undefined;
  const inputs: PropertyInput['values'] = input.lists ? { ...input.lists, ...input.values } : input.values;
  for (const name of Object.keys(inputs)) {
    const place = layout.positions.get(name);
    const value = inputs[name];
    if (place !== undefined) fit(place, value);
    else if (factIndex(vocabulary).sets.has(name)) {
      const set = factIndex(vocabulary).sets.get(name)!;
      for (const [member, contained] of fitSet(set, value, faults)) fit(layout.positions.get(member)!, contained);
    } else if (factIndex(vocabulary).lists.has(name)) {
      const items = fitList(factIndex(vocabulary).lists.get(name)!, value, faults);
      if (items) lists = { ...lists, [name]: items };
    } else faults.push(describeUnknownName(name, vocabulary));
  }
  if (location !== undefined) checkLocation(location, faults);
  const evidence = input.evidence && fitEvidence(input.evidence, input, faults);
  const rangesByCertainty = input.rangesByCertainty && fitRanges(input.rangesByCertainty, vocabulary, domains, faults);
  if (faults.length > 0) throw new RangeError(faults.join(' '));
  const values = completeValues(givenValues, { vocabulary, effectiveDate, effectiveYear, lists });
  return {
    vocabulary,
    policyType,
    state,
    counties,
    values,
    lists,
    evidence,
    givenValues,
    asOfMs,
    effectiveDate,
    effectiveYear,
    isLocated,
    location,
    events,
    rangesByCertainty,
  };
}

/** Adds fallbacks, and the bounds that lists and relations imply. */
export function completeValues(
  givenValues: readonly Knowledge[],
  {
    vocabulary,
    effectiveDate,
    effectiveYear,
    lists,
  }: Pick<Property, 'vocabulary' | 'effectiveDate' | 'effectiveYear' | 'lists'>,
): readonly Knowledge[] {
  const layout = layoutOf(vocabulary);
  const completed = withFallbacks(givenValues, layout);
  const counted = lists ? boundByLists(completed, lists, vocabulary, effectiveDate) : completed;
  return boundByRelations(counted, layout, layout.domainsOf(effectiveYear));
}

/** A certainty of 0.5 or less would not exclude a value beyond either end of a range. */
export function isCertainty(value: unknown): value is number {
  return typeof value === 'number' && value > 0.5 && value < 1;
}

/** Clips ranges to the domains of their fields. */
function fitRanges(
  input: RangesByCertainty,
  vocabulary: Vocabulary,
  domains: readonly DomainLookup[],
  faults: string[],
): RangesByCertainty {
  const { positions } = layoutOf(vocabulary);
  const fitted: Record<string, Record<string, { min: number; max: number }>> = {};
  for (const [certainty, ranges] of Object.entries(input)) {
    if (!isCertainty(Number(certainty)))
      faults.push(`rangesByCertainty has ${quoteValue(certainty)}; give a number above 0.5 and below 1.`);
    const own: Record<string, { min: number; max: number }> = {};
    for (const [name, range] of Object.entries(ranges)) {
      const position = positions.get(name);
      if (position === undefined) {
        faults.push(`rangesByCertainty has ${describeUnknownName(name, vocabulary)}`);
        continue;
      }
      const { min, max } = range;
      const result = fitKnowledge(vocabulary.fields[position]!, { kind: 'between', min, max }, domains[position]!);
      if (!result.fits) faults.push(result.message);
      else if (typeof result.value === 'number') own[name] = { min: result.value, max: result.value };
      else if (typeof result.value === 'object' && result.value.kind === 'between')
        own[name] = { min: result.value.min, max: result.value.max };
    }
    fitted[String(Number(certainty))] = own;
  }
  return fitted;
}

/** Adds the fallbacks of fields that are not given. Returns `input` itself if none applies. */
export function withFallbacks(input: readonly Knowledge[], { fallbacks }: VocabularyLayout): readonly Knowledge[] {
  let values: Knowledge[] | undefined;
  for (const { position, value, when } of fallbacks) {
    if (input[position] !== undefined || (when && (values ?? input)[when.position] !== when.value)) continue;
    values ??= input.slice();
    values[position] = value;
  }
  return values ?? input;
}

/** Returns for each word of a set, by field, whether it is contained. */
function fitSet({ name, members }: SetReference, value: unknown, faults: string[]): [field: string, has: string][] {
  if (value === undefined || value === null) return [];
  const words = members.map(({ member }) => member!.word);
  const invalid = Array.isArray(value) ? value.filter((word) => !words.includes(word)) : [value];
  for (const word of invalid) {
    const hint = typeof word === 'string' ? didYouMean(word, words) : '';
    faults.push(`${name} has ${quoteValue(word)}; give a list of: ${words.join(', ')}.${hint}`);
  }
  if (invalid.length > 0 || !Array.isArray(value)) return [];
  return members.map((field) => [field.name, value.includes(field.member!.word) ? YES : NO]);
}

/** Returns the normalized items of a list. */
function fitList(list: ListField, value: unknown, faults: string[]): readonly WrittenItem[] | undefined {
  const parsed = listSchemaOf(list).safeParse(value);
  if (parsed.success) return parsed.data as readonly WrittenItem[] | undefined;
  faults.push(...parsed.error.issues.map(({ message }) => message));
  return undefined;
}

/** Returns normalized evidence by subject. */
function fitEvidence(
  input: Readonly<Record<string, Evidence>>,
  { vocabulary, asOfMs }: Asked,
  faults: string[],
): Property['evidence'] {
  const subjects = evidenceSubjects(vocabulary);
  const evidence: Record<string, Evidence> = {};
  for (const [name, unchecked] of Object.entries(input)) {
    const subject = subjects.get(name);
    if (!subject) {
      faults.push(`evidence has ${describeUnknownName(name, vocabulary)}`);
      continue;
    }
    const own: EvidenceFault[] = [];
    const read = readEvidence(name, { as_of: unchecked?.asOf, source: unchecked?.source }, asOfMs, own);
    faults.push(...own.map(({ message }) => message));
    if (read) evidence[subject.name] = read;
  }
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}

/** Bounds the fields that count items of a known list. */
function boundByLists(
  input: readonly Knowledge[],
  lists: Readonly<Record<string, readonly WrittenItem[]>>,
  vocabulary: Vocabulary,
  effectiveDate: string,
): readonly Knowledge[] {
  let values: Knowledge[] | undefined;
  for (const { name, countedBy } of vocabulary.lists ?? []) {
    const items = lists[name];
    if (!countedBy || !items) continue;
    const place = layoutOf(vocabulary).positions.get(countedBy.field)!;
    if (input[place] !== undefined) continue;
    const [min, max] = countRecent(items, countedBy, effectiveDate);
    const domain = vocabulary.fields[place]!.domain({ effectiveYear: Number(effectiveDate.slice(0, 4)) });
    if (domain.kind !== 'numbers') continue;
    values ??= [...input];
    values[place] = between(Math.min(domain.max, min), Math.min(domain.max, max));
  }
  return values ?? input;
}

/** Throws if a property has another vocabulary: its values belong to other fields. */
export function expectVocabulary(property: Property, vocabulary: Vocabulary): void {
  if (property.vocabulary === vocabulary) return;
  const { line } = property.vocabulary;
  const problem =
    line === vocabulary.line
      ? `The property has another vocabulary of the line "${line}"`
      : `The property belongs to the line "${line}", not to "${vocabulary.line}"`;
  throw new RangeError(`${problem}; create it with the vocabulary of the catalog.`);
}

function describeUnknownName(name: string, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(name);
  if (reference?.kind === 'derived') {
    return `${quoteValue(name)} is derived from ${reference.field.name}; give that in values instead.`;
  }
  if (reference?.kind === 'place') return `${quoteValue(name)} is not a field; give it next to values.`;
  const { sets, lists } = factIndex(vocabulary);
  const names = [...vocabulary.fields.map((field) => field.name), ...sets.keys(), ...lists.keys()];
  return `${quoteValue(name)} is not a field of the line ${vocabulary.line}.${didYouMean(name, names)}`;
}

/**
 * Applies relations: a roof is not older than its house, so knowledge of one bounds the other. Given values that
 * contradict each other stay unchanged. Returns `given` itself if no bound applies.
 */
export function boundByRelations(
  input: readonly Knowledge[],
  layout: VocabularyLayout,
  domains: readonly DomainLookup[],
): readonly Knowledge[] {
  let values: Knowledge[] | undefined;
  // A field can be in several relations: the result of one bounds the next.
  let isSettled = false;
  for (let pass = 0; pass < layout.relations.length && !isSettled; pass++) {
    isSettled = true;
    for (const { lower, higher } of layout.relations) {
      if ((values ?? input)[lower] === undefined && (values ?? input)[higher] === undefined) {
        const [low, high] = [domains[lower]!.domain, domains[higher]!.domain];
        // Nothing is known, and the domains do not bound each other.
        if (low.kind === 'words' || high.kind === 'words' || (low.max <= high.max && low.min <= high.min)) continue;
      }
      const low = boundsOf((values ?? input)[lower], domains[lower]!);
      const high = boundsOf((values ?? input)[higher], domains[higher]!);
      if (!low || !high) continue;
      const highest = Math.min(low.max, high.max);
      const lowest = Math.max(low.min, high.min);
      const isBounded = highest < low.max || lowest > high.min;
      if (!isBounded || low.min > highest || lowest > high.max) continue;
      values ??= [...input];
      if (highest < low.max) values[lower] = between(low.min, highest);
      if (lowest > high.min) values[higher] = between(lowest, high.max);
      isSettled = false;
    }
  }
  return values ?? input;
}

/** Returns the range of a field's possible values; undefined for words. */
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

/** Latest year of an effective date. */
const LATEST_YEAR = 2199;

/** Location, dates and policy type of a request. */
export interface Asked {
  readonly vocabulary: Vocabulary;
  /** @default all types */
  readonly policyType?: string | undefined;
  /** Lower-case abbreviation. */
  readonly state: string;
  /** FIPS codes of counties of the state. Empty if none is possible. @default any county */
  readonly counties?: readonly string[] | undefined;
  /** Time of the request, epoch milliseconds. Moratoria depend on it. */
  readonly asOfMs: number;
  /** `YYYY-MM-DD`. Ages and versions of rule sets depend on it. */
  readonly effectiveDate: string;
}

/**
 * Checks location, dates and policy type and adds a sentence for each fault. Returns the year of the effective date; if
 * that is invalid, the latest year, which most values fit.
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
  const match = typeof state === 'string' ? findState(state) : undefined;
  return match ? ` Did you mean "${match.code}"?` : '';
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
  const matches = findCounties(state, county);
  return matches.length === 0 ? '' : ` Did you mean ${matches.map(({ fips }) => `"${fips}"`).join(' or ')}?`;
}

function countiesIn(state: string): ReadonlySet<string> {
  let fips = countiesByState.get(state);
  if (!fips) {
    fips = new Set(countiesOf(state).map((county) => county.fips));
    countiesByState.set(state, fips);
  }
  return fips;
}

/** The last valid date: most properties of a host have the same few dates. */
let lastDate = '';

function isEffectiveDate(date: string): boolean {
  if (date === lastDate) return true;
  if (typeof date !== 'string' || !isCalendarDate(date) || date < '1900' || date > `${LATEST_YEAR}-12-31`) return false;
  lastDate = date;
  return true;
}
