/**
 * Facts that a test computes from others: aggregates over lists, arithmetic, and distances from areas.
 *
 * The result is a range, because the inputs may be unknown. An aggregate adds up what its items certainly and possibly contribute.
 * Arithmetic combines the ranges of its operands (interval arithmetic): exact at both ends if the operands are independent. A test of
 * a computed fact is a test of one number, so cells, tables and planes treat it as any other field.
 */

import { LOCATION, MAX_MILES } from '../area/area.ts';
import { readArea } from '../area/measure-area.ts';
import type { HazardEvent } from '../events/hazard-event.ts';
import { codeOfSource, evidenceParts, OTHER_SOURCE } from '../request/evidence.ts';
import { between, isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { type FactReference, factIndex } from '../vocabulary/fact-index.ts';
import type { DerivedFact, Domain } from '../vocabulary/field.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import type { ListField, WrittenItem } from '../vocabulary/list-field.ts';
import { completeYears, daysOf, MAX_ITEM_AGE } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { nameOfComputed } from './computed-name.ts';
import {
  type Aggregate,
  type AreaMeasure,
  type Computed,
  type EvidenceFact,
  factsOf,
  type MomentFact,
  type Operand,
  type Operation,
} from './condition.ts';
import { dayOf, type HomeMoment, isPlaceField, missingForField, readEventField, timesOf } from './event-items.ts';
import type { Compute } from './fact-map.ts';
import type { FactSource } from './fact-source.ts';
import { type ItemKnowledge, type ItemMatch, itemDated, knowItem, MAX_WORK, matchItem, planOf } from './item-match.ts';

/** The possible values of a computed fact. */
export interface Reading {
  readonly min: number;
  readonly max: number;
  /** True if the fact can have both ends as its value. */
  readonly hasEnds: boolean;
  /** True if the fact can have every value between them. */
  readonly isDense: boolean;
  /** Names of fields and lists that are not fully known, and `LOCATION`. */
  readonly loose: readonly string[];
}

type Numbers = Extract<Domain, { kind: 'numbers' }>;

/** The source of a property's values. */
export function sourceOfProperty(property: Property): FactSource {
  const { vocabulary, effectiveDate, values, lists, evidence, location, aggregates } = property;
  return {
    vocabulary,
    effectiveDate,
    evidence,
    location,
    aggregates,
    knowledgeOf: (field) => values[field],
    listOf: (name) => lists?.[name],
    momentOf: () => momentOfProperty(property),
  };
}

const moments = new WeakMap<Property, HomeMoment>();

/** The home of a property at the time of its request. One object for each property: readings are cached by it. */
export function momentOfProperty(property: Property): HomeMoment {
  let moment = moments.get(property);
  if (!moment) {
    const { events, location, state, counties, asOfMs, vocabulary, values } = property;
    const quotedOn = layoutOf(vocabulary).positions.get('quoted_on');
    moment = {
      events,
      location,
      state,
      counties,
      asOfMs,
      quotedOn: quotedOn === undefined ? undefined : values[quotedOn],
    };
    moments.set(property, moment);
  }
  return moment;
}

/** Shares what is computed of events between two properties that differ in other values. */
export function shareMoment(copy: Property, property: Property): void {
  moments.set(copy, momentOfProperty(property));
}

/** Creates the function that computes facts of one property. */
export function computer(source: FactSource): Compute {
  const compute = (computed: Computed): Knowledge => {
    const { min, max } = readComputed(computed, source);
    return between(min, max);
  };
  return Object.assign(compute, {
    missing: (computed: Computed) => readComputed(computed, source).loose,
    source,
  });
}

/** Computes the range of a fact. */
export function readComputed(operand: Operand, source: FactSource): Reading {
  switch (operand.kind) {
    case 'number':
      return exactly(operand.value);
    case 'fact':
      return readFact(operand.fact, source);
    case 'moment':
      return readMoment(operand.fact, source);
    case 'aggregate':
      return operand.list.isFromHost ? readEvents(operand, source) : readAggregate(operand, source);
    case 'evidence':
      return readEvidenceFact(operand, source);
    case 'operation':
      return readOperation(operand, source);
    case 'area':
      return readAreaMeasure(operand, source);
  }
}

/** Returns the values that a computed fact can have in any property. */
export function domainOfComputed(operand: Operand, vocabulary: Vocabulary, effectiveYear: number): Numbers {
  switch (operand.kind) {
    case 'number':
      return { kind: 'numbers', min: operand.value, max: operand.value, integer: Number.isInteger(operand.value) };
    case 'fact': {
      const { min, max } = readFact(operand.fact, emptySource(vocabulary, effectiveYear));
      return { kind: 'numbers', min, max, integer: isInteger(operand, vocabulary) };
    }
    case 'moment': {
      const { min, max } = momentFacts[operand.fact];
      return { kind: 'numbers', min, max, integer: true };
    }
    case 'aggregate':
      return domainOfAggregate(operand);
    case 'evidence':
      return { kind: 'numbers', min: 0, max: maxOfEvidence(operand), integer: true };
    case 'area':
      return operand.apply === 'miles'
        ? { kind: 'numbers', min: 0, max: MAX_MILES, integer: false }
        : { kind: 'numbers', min: 0, max: 1, integer: true };
    case 'operation': {
      const of = operand.of.map((each) => {
        const { min, max } = domainOfComputed(each, vocabulary, effectiveYear);
        return { min, max, hasEnds: true, isDense: true, loose: [] };
      });
      const { min, max } = applyOperation(operand, of);
      return { kind: 'numbers', min, max, integer: isInteger(operand, vocabulary) };
    }
  }
}

function emptySource(vocabulary: Vocabulary, effectiveYear: number): FactSource {
  return {
    vocabulary,
    effectiveDate: `${effectiveYear}-01-01`,
    knowledgeOf: () => undefined,
    listOf: () => undefined,
  };
}

/** The unit of a computed fact; undefined without one. */
export function unitOfAggregate({ apply, list, field }: Aggregate): string | undefined {
  return apply === 'count' ? undefined : unitOfItemField(list, field!);
}

function unitOfItemField(list: ListField, name: string): string | undefined {
  for (const field of list.fields) {
    if (field.kind === 'number' && field.name === name) return field.unit;
    if (field.kind === 'date' && field.age === name) return 'years';
  }
  return undefined;
}

/** Range of an item's number. */
function rangeOfItemField(list: ListField, name: string | undefined): { readonly min: number; readonly max: number } {
  for (const field of list.fields) {
    if (field.kind === 'number' && field.name === name) return field;
    if (field.kind === 'date' && field.age === name) return { min: 0, max: MAX_ITEM_AGE };
  }
  return { min: 0, max: 0 };
}

/** The maximum of no items is one below the smallest number that an item can have, the minimum one above the largest. */
export function valueOfNone({ apply, list, field }: Aggregate): number {
  const { min, max } = rangeOfItemField(list, field);
  return apply === 'max' ? min - 1 : apply === 'min' ? max + 1 : 0;
}

function isDecimalAggregate({ list, field }: Aggregate): boolean {
  return list.fields.some((each) => each.name === field && each.kind === 'number' && each.isDecimal === true);
}

function domainOfAggregate(aggregate: Aggregate): Numbers {
  const { apply, list, field } = aggregate;
  const { min, max } = rangeOfItemField(list, field);
  const integer = !isDecimalAggregate(aggregate);
  switch (apply) {
    case 'count':
      return { kind: 'numbers', min: 0, max: list.maxItems, integer: true };
    case 'sum':
      return {
        kind: 'numbers',
        min: Math.min(0, list.maxItems * min),
        max: Math.max(0, list.maxItems * max),
        integer,
      };
    default: {
      const none = valueOfNone(aggregate);
      return { kind: 'numbers', min: Math.min(min, none), max: Math.max(max, none), integer };
    }
  }
}

function isInteger(operand: Operand, vocabulary: Vocabulary): boolean {
  switch (operand.kind) {
    case 'number':
      return Number.isInteger(operand.value);
    case 'evidence':
    case 'moment':
      return true;
    case 'aggregate':
      return !isDecimalAggregate(operand);
    case 'area':
      return operand.apply === 'entire';
    case 'fact': {
      const reference = factIndex(vocabulary).find(operand.fact);
      if (!reference || reference.kind === 'place') return false;
      if (reference.kind === 'derived') return reference.derived.range.integer;
      const domain = reference.field.domain({ effectiveYear: 2000 });
      return domain.kind === 'numbers' && domain.integer;
    }
    case 'operation':
      return operand.apply !== 'percent_of' && operand.of.every((each) => isInteger(each, vocabulary));
  }
}

const NONE: readonly never[] = [];

function exactly(value: number): Reading {
  return { min: value, max: value, hasEnds: true, isDense: true, loose: NONE };
}

const LOOSE_LOCATION = [LOCATION];

function readAreaMeasure({ apply, area }: AreaMeasure, { location }: FactSource): Reading {
  const { minMiles, maxMiles, entire } = readArea(area, location);
  const [min, max] = apply === 'miles' ? [minMiles, maxMiles] : entire === undefined ? [0, 1] : [entire, entire];
  return min === max ? exactly(min) : { min, max, hasEnds: true, isDense: true, loose: LOOSE_LOCATION };
}

type NumericReference = Extract<FactReference, { kind: 'field' | 'derived' }> & { readonly position: number };

const numericFacts = new WeakMap<Vocabulary, Map<string, NumericReference>>();

function numericFact(name: string, vocabulary: Vocabulary): NumericReference {
  let byName = numericFacts.get(vocabulary);
  if (!byName) {
    byName = new Map();
    numericFacts.set(vocabulary, byName);
  }
  let result = byName.get(name);
  if (!result) {
    const reference = factIndex(vocabulary).find(name);
    if (!reference || reference.kind === 'place') throw new Error(`No numeric fact "${name}".`);
    result = { ...reference, position: layoutOf(vocabulary).positions.get(reference.field.name)! };
    byName.set(name, result);
  }
  return result;
}

function readFact(name: string, { vocabulary, effectiveDate, knowledgeOf }: FactSource): Reading {
  const reference = numericFact(name, vocabulary);
  const { field } = reference;
  const fieldKnowledge = knowledgeOf(reference.position);
  if (typeof fieldKnowledge === 'number' && reference.kind === 'field') return exactly(fieldKnowledge);
  const effectiveYear = Number(effectiveDate.slice(0, 4));
  const domain = field.domain({ effectiveYear }) as Numbers;
  const knowledge =
    fieldKnowledge === undefined || typeof fieldKnowledge === 'string'
      ? between(domain.min, domain.max)
      : fieldKnowledge;
  const value = reference.kind === 'derived' ? viewOf(knowledge, reference.derived, effectiveYear) : knowledge;
  if (typeof value === 'number') return exactly(value);
  const { min, max } = value as { min: number; max: number };
  return { min, max, hasEnds: true, isDense: true, loose: [field.name] };
}

/** Converts knowledge of a field to knowledge of a derived fact. */
export function viewOf(value: Knowledge, derived: DerivedFact, effectiveYear: number): Knowledge {
  const view = (number: number) => derived.view(number, { effectiveYear });
  if (typeof value === 'number') return view(value);
  if (!isWithin(value) || value.kind !== 'between') return undefined;
  const [a, b] = [view(value.min), view(value.max)];
  return a === b ? a : { kind: 'between', min: Math.min(a, b), max: Math.max(a, b) };
}

function maxOfEvidence({ of, words }: EvidenceFact): number {
  if (of === 'evidence_age_years') return MAX_ITEM_AGE;
  return words ? 1 : OTHER_SOURCE;
}

/** Reads the age or the source of evidence. Without evidence, both can be anything. */
function readEvidenceFact(fact: EvidenceFact, { evidence, effectiveDate }: FactSource): Reading {
  const { of, subject, words } = fact;
  const own = evidence?.[subject];
  if (of === 'source' && own?.source !== undefined) {
    return exactly(words ? Number(words.includes(own.source)) : codeOfSource(own.source));
  }
  const days = of === 'source' || own?.asOf === undefined ? undefined : daysOf(own.asOf);
  const ageAt = (day: number) => Math.min(MAX_ITEM_AGE, completeYears(day, effectiveDate));
  const [min, max] = days ? [ageAt(days[1]), ageAt(days[0])] : [0, maxOfEvidence(fact)];
  if (min === max) return exactly(min);
  return { min, max, hasEnds: true, isDense: true, loose: [`${subject}.${evidenceParts[of]}`] };
}

function readOperation(operation: Operation, source: FactSource): Reading {
  const of = operation.of.map((each) => readComputed(each, source));
  const reading = applyOperation(operation, of);
  if (reading.loose.length === 0) return reading;
  // Operands that share an unknown input cannot have their extremes independently.
  const groups = groupsOf(source.vocabulary);
  const usedGroups = new Set<string>();
  let isIndependent = true;
  for (const each of of) {
    const own = new Set(each.loose.map((name) => groups.get(name) ?? name));
    for (const group of own) if (usedGroups.has(group)) isIndependent = false;
    for (const group of own) usedGroups.add(group);
  }
  const hasEnds = isIndependent && of.every((each) => each.hasEnds);
  const keepsDense = operation.apply !== 'multiply' && operation.apply !== 'percent_of';
  const isDense = hasEnds && keepsDense && of.every((each) => each.isDense) && isInteger(operation, source.vocabulary);
  return { ...reading, hasEnds, isDense };
}

function applyOperation({ apply }: Operation, of: readonly Reading[]): Reading {
  let { min, max } = of[0]!;
  for (let index = 1; index < of.length; index++) {
    const next = of[index]!;
    // Most operands are known.
    if (min === max && next.min === next.max) min = max = combineNumbers(apply, min, next.min);
    else [min, max] = combine(apply, min, max, next);
  }
  const loose = of.every((each) => each.loose.length === 0) ? NONE : [...new Set(of.flatMap((each) => each.loose))];
  // A negative zero compares as zero, but prints differently.
  return { min: min + 0, max: max + 0, hasEnds: true, isDense: true, loose };
}

function combineNumbers(apply: Operation['apply'], a: number, b: number): number {
  switch (apply) {
    case 'add':
      return a + b;
    case 'subtract':
      return a - b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'multiply':
      return a * b;
    case 'percent_of':
      return (a * b) / 100;
  }
}

function combine(apply: Operation['apply'], min: number, max: number, next: Reading): [number, number] {
  switch (apply) {
    case 'add':
      return [min + next.min, max + next.max];
    case 'subtract':
      return [min - next.max, max - next.min];
    case 'min':
      return [Math.min(min, next.min), Math.min(max, next.max)];
    case 'max':
      return [Math.max(min, next.min), Math.max(max, next.max)];
    case 'multiply': {
      const corners = [min * next.min, min * next.max, max * next.min, max * next.max];
      return [Math.min(...corners), Math.max(...corners)];
    }
    case 'percent_of': {
      const corners = [min * next.min, min * next.max, max * next.min, max * next.max].map((each) => each / 100);
      return [Math.min(...corners), Math.max(...corners)];
    }
  }
}

const groups = new WeakMap<Vocabulary, ReadonlyMap<string, string>>();

/** Fields and lists that relations bind, each with the name of its group. */
export function groupsOf(vocabulary: Vocabulary): ReadonlyMap<string, string> {
  let result = groups.get(vocabulary);
  if (!result) {
    const group = new Map<string, string>();
    const join = (a: string, b: string) => {
      const [first, second] = [group.get(a) ?? a, group.get(b) ?? b];
      for (const [name, of] of group) if (of === second) group.set(name, first);
      group.set(a, first).set(b, first);
    };
    for (const { lower, higher } of vocabulary.relations) join(lower, higher);
    for (const { name, countedBy } of vocabulary.lists ?? []) if (countedBy) join(countedBy.field, name);
    result = group;
    groups.set(vocabulary, result);
  }
  return result;
}

/** Readings of lists, by list and by effective date and aggregate. */
const ofList = new WeakMap<readonly WrittenItem[], Map<string, Map<Aggregate, Reading>>>();
/** Readings of an unknown list, by effective date and count. */
const ofUnknown = new WeakMap<Aggregate, Map<string, Reading>>();
const MAX_CACHED = 64;

function readAggregate(aggregate: Aggregate, source: FactSource): Reading {
  const { list } = aggregate;
  const { effectiveDate } = source;
  const items = source.listOf(list.name);
  if (items === undefined) {
    const number = source.aggregates?.get(nameOfComputed(aggregate));
    return number === undefined ? readUnknown(aggregate, source) : exactly(number);
  }
  let byDate = ofList.get(items);
  if (!byDate) {
    byDate = new Map();
    ofList.set(items, byDate);
  }
  let readings = byDate.get(effectiveDate);
  if (!readings) {
    readings = new Map();
    byDate.set(effectiveDate, readings);
  }
  let reading = readings.get(aggregate);
  if (!reading) {
    const parts = items.map((item) => {
      const match = matchItem(aggregate, knowItem(list, item), effectiveDate);
      return { match, minCount: 1, maxCount: 1 };
    });
    reading = combineParts(aggregate, parts);
    readings.set(aggregate, reading);
  }
  return reading;
}

/** Facts of the time of a request. */
export const momentFacts = {
  days_until_effective: { label: 'days until the effective date', unit: 'days', min: -109_600, max: 109_600 },
  request_time: { label: 'time of the request', unit: undefined, min: -8.64e15, max: 8.64e15 },
} as const;

function readMoment(fact: MomentFact, { effectiveDate, momentOf }: FactSource): Reading {
  const { min, max } = momentFacts[fact];
  const moment = momentOf?.();
  if (!moment) return { min, max, hasEnds: true, isDense: true, loose: ['as_of'] };
  if (fact === 'request_time') return exactly(moment.asOfMs);
  const day = Date.parse(`${effectiveDate}T00:00:00Z`) / 86_400_000;
  return exactly(Math.max(min, Math.min(max, day - dayOf(moment.asOfMs, moment.state))));
}

/** Events and readings of one home, by the name of the aggregate: equal aggregates of many carriers are computed once. */
interface MomentCache {
  readonly readings: Map<string, Reading>;
  readonly matches: Map<string, readonly EventMatch[]>;
}

interface EventMatch {
  readonly event: HazardEvent;
  readonly item: ItemKnowledge;
  readonly match: ItemMatch;
}

const ofMoment = new WeakMap<HomeMoment, MomentCache>();
const names = new WeakMap<Aggregate, string>();

function cacheOf(moment: HomeMoment): MomentCache {
  let cache = ofMoment.get(moment);
  if (!cache) {
    cache = { readings: new Map(), matches: new Map() };
    ofMoment.set(moment, cache);
  }
  return cache;
}

function nameOf(aggregate: Aggregate): string {
  let name = names.get(aggregate);
  if (name === undefined) {
    name = nameOfComputed(aggregate);
    names.set(aggregate, name);
  }
  return name;
}

function readEvents(aggregate: Aggregate, source: FactSource): Reading {
  const moment = source.momentOf?.();
  if (moment?.events === undefined) return readUnknown(aggregate, source);
  const { readings } = cacheOf(moment);
  const name = nameOf(aggregate);
  let reading = readings.get(name);
  if (!reading) {
    reading = readKnownEvents(aggregate, moment, source.effectiveDate);
    readings.set(name, reading);
  }
  return reading;
}

/** Events that have begun, except those that cannot match. */
function matchesOf(aggregate: Aggregate, moment: HomeMoment, effectiveDate: string): readonly EventMatch[] {
  const { matches } = cacheOf(moment);
  const { where, field } = aggregate;
  // Counts and sums with one condition have the same matches, except for the number that they take.
  const name = field === undefined ? `count ${nameOf(aggregate)}` : nameOf(aggregate);
  let result = matches.get(name);
  if (!result) {
    const { fields } = planOf(aggregate);
    const own: EventMatch[] = [];
    for (const event of moment.events ? candidatesOf(aggregate, moment.events) : []) {
      if (timesOf(event).fromMs > moment.asOfMs) continue;
      const item: Record<string, Knowledge> = {};
      for (const each of fields) item[each] = readEventField(each, event, moment);
      const match = where || field !== undefined ? matchItem(aggregate, item, effectiveDate) : ALWAYS;
      if (match.truth !== 'false') own.push({ event, item, match });
    }
    result = own;
    matches.set(name, result);
  }
  return result;
}

const ALWAYS: ItemMatch = { truth: 'true', range: { min: 0, max: 0 }, isExact: true };

function readKnownEvents(aggregate: Aggregate, moment: HomeMoment, effectiveDate: string): Reading {
  const { fields, constants } = planOf(aggregate);
  const parts: Part[] = [];
  const loose = new Set<string>();
  let openPlaces = 0;
  for (const { event, item, match } of matchesOf(aggregate, moment, effectiveDate)) {
    parts.push({ match, minCount: 1, maxCount: 1 });
    const isOpen = match.truth === 'undecided' || (match.range && match.range.min !== match.range.max);
    if (!isOpen) continue;
    for (const name of fields) {
      const value = item[name];
      if (typeof value === 'number' || typeof value === 'string') continue;
      const isDecided =
        name !== aggregate.field &&
        isBounds(value) &&
        !constants.get(name)?.some((limit) => typeof limit === 'number' && limit >= value.min && limit <= value.max);
      if (isDecided) continue;
      const sources = missingForField(name, event, moment);
      if (sources.length === 0) loose.add(aggregate.list.name);
      for (const source of sources) loose.add(source);
      // All bounds come from one place. Only those of a single distance from a circle are exact.
      if (name === 'quoted_before') openPlaces += 1;
      if (isPlaceField(name)) openPlaces += name === 'miles_from_home' && moment.location && event.position ? 1 : 2;
    }
  }
  const reading = combineParts(aggregate, parts);
  if (reading.min === reading.max) return reading;
  const isExact = openPlaces < 2;
  return {
    ...reading,
    hasEnds: reading.hasEnds && isExact,
    isDense: reading.isDense && isExact,
    loose: [...loose],
  };
}

/** Events that can match, by the fields that do not depend on the home and the time. */
const candidates = new WeakMap<Aggregate, WeakMap<readonly HazardEvent[], readonly HazardEvent[]>>();
const fixedFields = new Set(['kind', 'alert', 'magnitude', 'latitude', 'longitude']);

function candidatesOf(aggregate: Aggregate, events: readonly HazardEvent[]): readonly HazardEvent[] {
  let byList = candidates.get(aggregate);
  if (!byList) {
    byList = new WeakMap();
    candidates.set(aggregate, byList);
  }
  let result = byList.get(events);
  if (!result) {
    const { where, list } = aggregate;
    const tests = where?.kind === 'all' ? where.of : where ? [where] : [];
    const fixed = tests.filter((test) => factsOf(test).every((fact) => fixedFields.has(fact)));
    const probe: Aggregate = {
      kind: 'aggregate',
      apply: 'count',
      list,
      field: undefined,
      where: { kind: 'all', of: fixed },
    };
    const { fields } = planOf(probe);
    result = events.filter((event) => {
      const item = Object.fromEntries(fields.map((name) => [name, readEventField(name, event, NO_HOME)]));
      return matchItem(probe, item, '2000-01-01').truth !== 'false';
    });
    byList.set(events, result);
  }
  return result;
}

const NO_HOME: HomeMoment = {
  events: undefined,
  location: undefined,
  state: '',
  counties: undefined,
  asOfMs: 0,
  quotedOn: undefined,
};

/** The events that an aggregate takes for a home, certainly or possibly. */
export function matchingEvents(
  aggregate: Aggregate,
  moment: HomeMoment,
  effectiveDate: string,
): readonly MatchingEvent[] {
  return matchesOf(aggregate, moment, effectiveDate).map(({ event, match }) => ({
    event,
    isCertain: match.truth === 'true',
  }));
}

export interface MatchingEvent {
  readonly event: HazardEvent;
  readonly isCertain: boolean;
}

/** Some items that match in the same way, with the smallest and largest number of them. */
interface Part {
  readonly match: ItemMatch;
  readonly minCount: number;
  readonly maxCount: number;
}

/** Reads an unknown list: any items, with the number of recent ones from the counting field. */
function readUnknown(aggregate: Aggregate, source: FactSource): Reading {
  const { list } = aggregate;
  const { vocabulary, effectiveDate, knowledgeOf } = source;
  const { maxItems, countedBy } = list;
  const count = countedBy ? knowledgeOf(layoutOf(vocabulary).positions.get(countedBy.field)!) : undefined;
  const [minCount, maxCount] =
    typeof count === 'number' ? [count, count] : isBounds(count) ? [count.min, count.max] : [0, maxItems];
  const key = `${effectiveDate} ${minCount} ${maxCount}`;
  const cached = ofUnknown.get(aggregate) ?? new Map<string, Reading>();
  ofUnknown.set(aggregate, cached);
  let reading = cached.get(key);
  if (!reading) {
    const match = (item: ItemKnowledge) => matchItem(aggregate, item, effectiveDate, MAX_WORK);
    const parts: Part[] = [];
    if (countedBy && count !== undefined) {
      const [recent, earlier] = splitByAge(countedBy.date, countedBy.years, effectiveDate);
      parts.push({ match: match(recent), minCount, maxCount });
      parts.push({ match: match(earlier), minCount: 0, maxCount: Math.max(0, maxItems - minCount) });
    } else parts.push({ match: match({}), minCount: 0, maxCount: maxItems });
    reading = combineParts(aggregate, parts);
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(key, reading);
  }
  return reading;
}

function isBounds(knowledge: Knowledge): knowledge is { kind: 'between'; min: number; max: number } {
  return isWithin(knowledge) && knowledge.kind === 'between';
}

/** Returns an item younger than some years at a date, and one at least that old. */
function splitByAge(date: string, years: number, effectiveDate: string): [ItemKnowledge, ItemKnowledge] {
  const firstDay = Date.UTC(1900, 0, 1) / 86_400_000;
  const lastDay = Date.UTC(2199, 11, 31) / 86_400_000;
  const [year, month, day] = effectiveDate.split('-').map(Number) as [number, number, number];
  let border = Date.UTC(year - years, month - 1, day) / 86_400_000 + 2;
  while (completeYears(border, effectiveDate) < years) border--;
  return [
    itemDated(date, Math.min(border + 1, lastDay), lastDay),
    itemDated(date, firstDay, Math.max(firstDay, border)),
  ];
}

function combineParts(aggregate: Aggregate, parts: readonly Part[]): Reading {
  const { list, apply } = aggregate;
  const possible = parts.filter(({ match, maxCount }) => match.truth !== 'false' && maxCount > 0);
  const certain = possible.filter(({ match, minCount }) => match.truth === 'true' && minCount > 0);
  const isExact = parts.every(({ match }) => match.isExact);
  let min = 0;
  let max = 0;
  switch (apply) {
    case 'count':
      min = certain.reduce((sum, each) => sum + each.minCount, 0);
      max = Math.min(
        list.maxItems,
        possible.reduce((sum, each) => sum + each.maxCount, 0),
      );
      break;
    case 'sum':
      for (const { match, minCount, maxCount } of possible) {
        const counts = match.truth === 'true' ? [minCount, maxCount] : [0, maxCount];
        min += Math.min(...counts.map((count) => count * match.range!.min));
        max += Math.max(...counts.map((count) => count * match.range!.max));
      }
      break;
    case 'max':
    case 'min': {
      const none = valueOfNone(aggregate);
      const pick = apply === 'max' ? Math.max : Math.min;
      min = pick(none, ...(apply === 'max' ? certain : possible).map(({ match }) => match.range!.min));
      max = pick(none, ...(apply === 'max' ? possible : certain).map(({ match }) => match.range!.max));
      break;
    }
  }
  const domain = domainOfAggregate(aggregate);
  min = Math.max(domain.min, min);
  max = Math.min(domain.max, max);
  if (min === max) return exactly(min);
  // More items together than the list may have: the sum of both maxima may be out of reach.
  const isOver = apply === 'sum' && possible.reduce((sum, each) => sum + each.maxCount, 0) > list.maxItems;
  // Every count between the ends is possible. Other numbers may have gaps: items contribute all or nothing.
  return { min, max, hasEnds: isExact && !isOver, isDense: isExact && apply === 'count', loose: [list.name] };
}
