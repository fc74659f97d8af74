/**
 * Facts that a test computes from others: aggregates over lists, and arithmetic.
 *
 * The result is a range, because the inputs may be unknown. An aggregate adds up what its items certainly and possibly contribute.
 * Arithmetic combines the ranges of its operands (interval arithmetic): exact at both ends if the operands are independent. A test of
 * a computed fact is a test of one number, so cells, tables and planes treat it as any other field.
 */
import { codeOfSource, evidenceParts, OTHER_SOURCE } from '../request/evidence.ts';
import { between, isWithin, type Knowledge } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { DerivedFact, Domain } from '../vocabulary/field.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import type { ListField, WrittenItem } from '../vocabulary/list-field.ts';
import { completeYears, daysOf, MAX_ITEM_AGE } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Aggregate, Computed, EvidenceFact, Operand, Operation } from './condition.ts';
import type { Compute } from './fact-map.ts';
import { type ItemKnowledge, type ItemMatch, itemDated, knowItem, MAX_WORK, matchItem } from './item-match.ts';

/** The fields and lists of one property. */
export interface FactSource {
  readonly vocabulary: Vocabulary;
  /** `YYYY-MM-DD`. */
  readonly effectiveDate: string;
  /** By position in the vocabulary's fields. */
  knowledgeOf(field: number): Knowledge;
  /** Dates and origins of values, by name of the field, set or list. @default unknown */
  readonly evidence?: Property['evidence'];
  /** Undefined if unknown. */
  listOf(name: string): readonly WrittenItem[] | undefined;
}

/** The possible values of a computed fact. */
export interface Reading {
  readonly min: number;
  readonly max: number;
  /** True if the fact can have both ends as its value. */
  readonly hasEnds: boolean;
  /** True if the fact can have every value between them. */
  readonly isDense: boolean;
  /** Names of fields and lists that are not fully known. */
  readonly loose: readonly string[];
}

type Numbers = Extract<Domain, { kind: 'numbers' }>;

/** The source of a property's values. */
export function sourceOfProperty({ vocabulary, effectiveDate, values, lists, evidence }: Property): FactSource {
  const knowledgeOf = (field: number) => values[field];
  return { vocabulary, effectiveDate, evidence, knowledgeOf, listOf: (name) => lists?.[name] };
}

/** Creates the function that computes facts of one property. */
export function computer(source: FactSource): Compute {
  const compute = (computed: Computed): Knowledge => {
    const { min, max } = readComputed(computed, source);
    return between(min, max);
  };
  return Object.assign(compute, {
    missing: (computed: Computed) => readComputed(computed, source).loose,
    evidence: source.evidence,
  });
}

/** Computes the range of a fact. */
export function readComputed(operand: Operand, source: FactSource): Reading {
  switch (operand.kind) {
    case 'number':
      return exactly(operand.value);
    case 'fact':
      return readFact(operand.fact, source);
    case 'aggregate':
      return readAggregate(operand, source);
    case 'evidence':
      return readEvidenceFact(operand, source);
    case 'operation':
      return readOperation(operand, source);
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
    case 'aggregate':
      return domainOfAggregate(operand);
    case 'evidence':
      return { kind: 'numbers', min: 0, max: maxOfEvidence(operand), integer: true };
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

function domainOfAggregate(aggregate: Aggregate): Numbers {
  const { apply, list, field } = aggregate;
  const { min, max } = rangeOfItemField(list, field);
  switch (apply) {
    case 'count':
      return { kind: 'numbers', min: 0, max: list.maxItems, integer: true };
    case 'sum':
      return {
        kind: 'numbers',
        min: Math.min(0, list.maxItems * min),
        max: Math.max(0, list.maxItems * max),
        integer: true,
      };
    default: {
      const none = valueOfNone(aggregate);
      return { kind: 'numbers', min: Math.min(min, none), max: Math.max(max, none), integer: true };
    }
  }
}

function isInteger(operand: Operand, vocabulary: Vocabulary): boolean {
  switch (operand.kind) {
    case 'number':
      return Number.isInteger(operand.value);
    case 'aggregate':
    case 'evidence':
      return true;
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

function readFact(name: string, { vocabulary, effectiveDate, knowledgeOf }: FactSource): Reading {
  const reference = factIndex(vocabulary).find(name);
  if (!reference || reference.kind === 'place') throw new Error(`No numeric fact "${name}".`);
  const { field } = reference;
  const effectiveYear = Number(effectiveDate.slice(0, 4));
  const domain = field.domain({ effectiveYear }) as Numbers;
  const fieldKnowledge = knowledgeOf(layoutOf(vocabulary).positions.get(field.name)!);
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
  const [first, ...rest] = of as [Reading, ...Reading[]];
  let { min, max } = first;
  for (const next of rest) [min, max] = combine(apply, min, max, next);
  // A negative zero compares as zero, but prints differently.
  return {
    min: min + 0,
    max: max + 0,
    hasEnds: true,
    isDense: true,
    loose: [...new Set(of.flatMap((each) => each.loose))],
  };
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
  if (items === undefined) return readUnknown(aggregate, source);
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
