import { countyByFips } from '@leeward/places/counties';
import { type Area, LOCATION, MAX_MILES } from '../area/area.ts';
import { domainOfComputed, valueOfNone } from '../condition/computed.ts';
import { nameOfComputed, writeOperand } from '../condition/computed-name.ts';
import {
  type Computed,
  type EvidenceFact,
  type Leaf,
  type Operand,
  sourcesOf,
  valueFact,
} from '../condition/condition.ts';
import { describeComputed, unitOfOperand } from '../condition/describe-computed.ts';
import { COMPUTE, type Compute, type Facts } from '../condition/fact-map.ts';
import { parseOperator } from '../condition/operators.ts';
import { resolvePath } from '../condition/path.ts';
import type { Truth } from '../condition/truth.ts';
import { isWithin, type Knowledge } from '../request/knowledge.ts';
import { LOCATION_FACT } from '../rule-set/area-test.ts';
import { describeMatching } from '../verdict/event-words.ts';
import { ADDRESS, missingNames } from '../verdict/rule-words.ts';
import { printFact } from '../verdict/verdict-of.ts';
import { type FactReference, factIndex, requestNameOf } from '../vocabulary/fact-index.ts';
import { YES } from '../vocabulary/flag-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ExplainedFacts } from './explained-facts.ts';
import type { ExplainedTest, KnownValue } from './explanation.ts';

export function explainTest(leaf: Leaf, truth: Truth, facts: ExplainedFacts, vocabulary: Vocabulary): ExplainedTest {
  if (leaf.computed?.kind === 'area' && leaf.written.fact === LOCATION_FACT)
    return explainLocation(leaf, leaf.computed.area, truth, facts);
  if (leaf.computed) return explainComputed(leaf, leaf.computed, truth, facts, vocabulary);
  if (leaf.written.fact === LOCATION_FACT && !factIndex(vocabulary).names.includes(LOCATION_FACT))
    return explainZipcode(leaf, truth, facts);
  const { fact, operator, value: written, path } = leaf.written;
  const reference = factIndex(vocabulary).find(fact);
  const other = valueFact(written);
  const asCodes = isCounty(reference) && [written].flat().every((each) => /^\d{5}$/.test(String(each)));
  const knowledge = follow(facts.knownFacts.get(fact) ?? memberKnown(leaf, facts.knownFacts), path);
  const limit = other ? follow(facts.knownFacts.get(other.fact), other.path) : written;
  const unit = unitOf(reference);
  const inferred = knowledge !== undefined && facts.givenFacts.get(fact) === undefined;
  const label = factIndex(vocabulary).sets.get(fact)?.label ?? labelOf(fact, reference);
  // "claims in five years is more than 2" already contains the unit.
  const isNamed = unit !== undefined && label.split(' ').includes(unit);
  const print = (value: unknown) => printed(fact, value, isNamed ? undefined : unit, vocabulary);
  const limitText = other
    ? `${labelOf(other.fact, factIndex(vocabulary).find(other.fact))} (${print(limit)})`
    : print(limit);
  return {
    fact,
    operator,
    limit: other ? writeKnown(limit, isCounty(reference), asCodes) : limit,
    ...(other ? { limitFact: other.fact } : {}),
    field: reference ? requestNameOf(reference) : fact,
    label,
    ...(unit === undefined ? {} : { unit }),
    value: writeKnown(knowledge, isCounty(reference), asCodes),
    ...(inferred ? { inferred: true as const } : {}),
    truth,
    text: `${label} ${operatorWords(operator)} ${limitText}: ${heldWords[truth]}, ${
      knowledge === undefined ? 'it is not given' : `it is ${print(writeCounty(knowledge, reference, asCodes))}`
    }.`,
  };
}

/** Explains whether the location of the building is within an area. */
function explainLocation(leaf: Leaf, area: Area, truth: Truth, facts: ExplainedFacts): ExplainedTest {
  const { operator, value: name } = leaf.written;
  const compute = facts.knownFacts.get(COMPUTE) as Compute;
  const isEntire = leaf.computed?.kind === 'area' && leaf.computed.apply === 'entire';
  const miles = compute({ kind: 'area', apply: 'miles', area });
  const [min, max] =
    isWithin(miles) && miles.kind === 'between' ? [miles.min, miles.max] : [Number(miles), Number(miles)];
  const isUnknown = min === 0 && max >= MAX_MILES;
  const isPartly = isEntire && max === 0 && compute(leaf.computed!) !== 1;
  const finding = isUnknown
    ? 'it is not given'
    : max === 0
      ? isPartly
        ? `a part of it is${truth === 'undecided' ? ' perhaps' : ''} outside`
        : 'it is inside'
      : min === 0
        ? `it is inside or up to ${lengthText(max)} outside`
        : `it is ${lengthText(min, max)} outside`;
  return {
    fact: LOCATION_FACT,
    operator,
    limit: name,
    field: ADDRESS,
    label: LOCATION_FACT,
    unit: 'miles',
    value: isUnknown ? null : writeKnown(miles, false, false),
    truth,
    text: `${LOCATION_FACT} is ${areaWords(operator)} "${name}": ${heldWords[truth]}, ${finding}.`,
  };
}

/** Explains a test of an area that is a list of ZIP codes. */
function explainZipcode(leaf: Leaf, truth: Truth, facts: ExplainedFacts): ExplainedTest {
  const { operator, value: name } = leaf.written;
  const zipcode = facts.knownFacts.get('zipcode');
  return {
    fact: LOCATION_FACT,
    operator,
    limit: name,
    field: 'zipcode',
    label: LOCATION_FACT,
    value: writeKnown(zipcode, false, false),
    truth,
    text: `${LOCATION_FACT} is ${areaWords(operator)} "${name}": ${heldWords[truth]}, ${
      zipcode === undefined ? 'the ZIP code is not given' : `its ZIP code is ${String(zipcode)}`
    }.`,
  };
}

function areaWords(operator: string): string {
  const negations = operator.split('not:').length - 1;
  return `${negations % 2 === 1 ? 'not ' : ''}${operator.endsWith('entirelyWithin') ? 'entirely within' : 'within'}`;
}

const FEET_PER_MILE = 5280;
/** Shorter distances are in feet. */
const MIN_MILES = 0.1;

/** A distance in miles, or two if they differ when rounded. */
function lengthText(min: number, max = min): string {
  const isShort = max < MIN_MILES;
  const text = (miles: number) =>
    isShort ? Math.round(miles * FEET_PER_MILE).toLocaleString('en-US') : String(Math.round(miles * 100) / 100);
  const [from, to] = [text(min), text(max)];
  return `${from === to ? to : `${from} to ${to}`} ${isShort ? (to === '1' ? 'foot' : 'feet') : to === '1' ? 'mile' : 'miles'}`;
}

/** Explains a test of a number that is computed. */
function explainComputed(
  leaf: Leaf,
  computed: Computed,
  truth: Truth,
  facts: ExplainedFacts,
  vocabulary: Vocabulary,
): ExplainedTest {
  if (computed.kind === 'evidence' && computed.of === 'source')
    return explainSource(leaf, computed, truth, facts, vocabulary);
  const { operator, value: written } = leaf.written;
  const [left, right] = leaf.sides ?? [computed, undefined];
  const compute = facts.knownFacts.get(COMPUTE) as Compute;
  const unit = unitOfOperand(left, vocabulary);
  const label = describeComputed(left, vocabulary);
  const knowledgeOf = (operand: Operand): Knowledge => {
    if (operand.kind === 'number') return operand.value;
    if (operand.kind === 'fact') return facts.knownFacts.get(operand.fact) as Knowledge;
    const knowledge = compute(operand);
    return isAnything(knowledge, operand, vocabulary) ? undefined : knowledge;
  };
  const value = knowledgeOf(left);
  const isNone =
    left.kind === 'aggregate' && (left.apply === 'min' || left.apply === 'max') && value === valueOfNone(left);
  const limit = right ? knowledgeOf(right) : written;
  const fact =
    left.kind === 'fact'
      ? left.fact
      : left.kind === 'evidence'
        ? `${left.subject}.${left.of}`
        : usesArea(left)
          ? JSON.stringify(writeOperand(left))
          : nameOfComputed(left as Computed);
  const isTime = left.kind === 'moment' && left.fact === 'request_time';
  const print = (each: unknown): string =>
    each === undefined ? 'not given' : isTime ? printTime(each) : printNumber(each, unit);
  const limitText = right ? `${describeComputed(right, vocabulary)} (${print(limit)})` : print(limit);
  const matching = left.kind === 'aggregate' ? describeMatching(left, compute) : undefined;
  const reading = isNone ? 'there is none' : value === undefined ? 'it is not given' : `it is ${print(value)}`;
  const finding = matching === undefined ? reading : `${reading} (${matching})`;
  const [source = fact] = sourcesOf(computed).has(LOCATION) ? [ADDRESS] : missingNames(sourcesOf(computed), vocabulary);
  return {
    fact,
    operator,
    limit: right ? writeKnown(limit, false, false) : limit,
    ...(right ? { limitFact: right.kind === 'fact' ? right.fact : describeComputed(right, vocabulary) } : {}),
    field: source,
    label,
    ...(unit === undefined ? {} : { unit }),
    value: isNone ? null : writeKnown(value, false, false),
    truth,
    text: `${label} ${operatorWords(operator)} ${limitText}: ${heldWords[truth]}, ${finding}.`,
  };
}

/** Explains a test of the origin of a value. */
function explainSource(
  leaf: Leaf,
  computed: EvidenceFact,
  truth: Truth,
  facts: ExplainedFacts,
  vocabulary: Vocabulary,
): ExplainedTest {
  const { fact, operator, value: limit } = leaf.written;
  const source = (facts.knownFacts.get(COMPUTE) as Compute).source.evidence?.[computed.subject]?.source;
  const { words: _, ...whole } = computed;
  const label = describeComputed(whole, vocabulary);
  const [field = fact] = missingNames(sourcesOf(computed), vocabulary);
  const limitText = [limit].flat().join(', ');
  const finding = source === undefined ? 'it is not given' : `it is ${source}`;
  return {
    fact,
    operator,
    limit,
    field,
    label,
    value: source ?? null,
    truth,
    text: `${label} ${operatorWords(operator)} ${limitText}: ${heldWords[truth]}, ${finding}.`,
  };
}

function usesArea(operand: Operand): boolean {
  return sourcesOf(operand).has(LOCATION);
}

/** `2026-08-29T12:00:00Z`. */
function printTime(value: unknown): string {
  const ms = typeof value === 'number' ? value : Date.parse(String(value));
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** True if nothing restricts the number. */
function isAnything(knowledge: Knowledge, operand: Computed, vocabulary: Vocabulary): boolean {
  if (!isWithin(knowledge) || knowledge.kind !== 'between') return false;
  const { min, max } = domainOfComputed(operand, vocabulary, 2200);
  return knowledge.min <= min && knowledge.max >= max;
}

function printNumber(value: unknown, unit: string | undefined): string {
  if (Array.isArray(value)) return value.map((each) => printNumber(each, unit)).join(', ');
  const text = (number: number) => {
    const digits = unit === 'dollars' ? 0 : 2;
    return number.toLocaleString('en-US', {
      maximumFractionDigits: digits,
      useGrouping: Math.abs(number) >= 10_000 || unit === 'dollars',
    });
  };
  const words = isWithin(value)
    ? value.kind === 'between'
      ? rangeText(text(value.min), text(value.max))
      : value.words.join(' or ')
    : text(value as number);
  if (unit === undefined) return words;
  return `${words} ${value === 1 && unit.endsWith('s') ? unit.slice(0, -1) : unit}`;
}

/** Bounds that are equal when rounded are one number. */
function rangeText(min: string, max: string): string {
  return min === max ? min : `${min} to ${max}`;
}

/** For a partly known set: the tested word, if the set contains it. */
function memberKnown({ fact, written, operator }: Leaf, knownFacts: Facts): unknown {
  return fact !== written.fact && parseOperator(operator)?.base.shape === 'equality' && knownFacts.get(fact) === YES
    ? [written.value]
    : undefined;
}

const heldWords: Readonly<Record<Truth, string>> = { true: 'yes', false: 'no', undecided: 'not decided' };

function follow(value: unknown, path: string | undefined): unknown {
  return path === undefined ? value : resolvePath(value, path);
}

function isCounty(reference: FactReference | undefined): boolean {
  return reference?.kind === 'place' && reference.name === 'county';
}

function labelOf(fact: string, reference: FactReference | undefined): string {
  if (reference?.kind === 'derived') return reference.derived.label;
  if (reference?.kind === 'field') return reference.field.label;
  return fact.replaceAll('_', ' ');
}

function unitOf(reference: FactReference | undefined): string | undefined {
  if (reference?.kind === 'derived') return reference.derived.unit;
  return reference?.kind === 'field' ? reference.field.unit : undefined;
}

/** `is more than`, preceded by `not` if negated. Operators with other decorators keep their names. */
function operatorWords(operator: string): string {
  const parsed = parseOperator(operator);
  if (!parsed) return operator;
  if (parsed.decorators.some((decorator) => decorator !== 'not')) return operator;
  return parsed.decorators.length % 2 === 1 ? `not: ${parsed.base.words}` : parsed.base.words;
}

function printed(fact: string, value: unknown, unit: string | undefined, vocabulary: Vocabulary): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'nothing';
    const each = value.map((one) => printed(fact, one, unit, vocabulary));
    return each.join(each.some((text) => text.includes(',')) ? ' or ' : ', ');
  }
  if (typeof value === 'object' && value !== null && !isWithin(value)) return JSON.stringify(value);
  const text = printFact(fact, value, vocabulary);
  const counts = unit !== undefined && unit !== 'year' && (typeof value === 'number' || isWithin(value));
  if (!counts) return text;
  return `${text} ${value === 1 && unit.endsWith('s') ? unit.slice(0, -1) : unit}`;
}

/** A code, or a name with its state, as in the rule. */
function countyText(fips: string, asCode: boolean): string {
  const county = asCode ? undefined : countyByFips(fips);
  return county ? `${county.name}, ${county.state}` : fips;
}

function writeCounty(value: unknown, reference: FactReference | undefined, asCodes: boolean): unknown {
  if (!isCounty(reference)) return value;
  if (typeof value === 'string') return countyText(value, asCodes);
  if (!isWithin(value) || value.kind !== 'one of') return value;
  return { ...value, words: value.words.map((fips) => countyText(fips, asCodes)) };
}

function writeKnown(value: unknown, county: boolean, asCodes: boolean): KnownValue {
  if (value === undefined) return null;
  if (isWithin(value)) {
    if (value.kind === 'between') return { min: value.min, max: value.max };
    return { oneOf: county ? value.words.map((fips) => countyText(fips, asCodes)) : value.words };
  }
  return county && typeof value === 'string' ? countyText(value, asCodes) : (value as KnownValue);
}
