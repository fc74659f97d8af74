import { countyByFips } from '@leeward/places/counties';
import { capitalized, wordOf, writeRange, writeTime } from '@leeward/terms';
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
import { type FactReference, factIndex, requestNameOf, unitOf } from '../vocabulary/fact-index.ts';
import { YES } from '../vocabulary/flag-field.ts';
import { labelOf, writeValue } from '../vocabulary/labels.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { ExplainedFacts } from './explained-facts.ts';
import type { ExplainedTest, KnownValue } from './explanation.ts';
import { listWords, testSentence } from './test-sentence.ts';

export function explainTest(leaf: Leaf, truth: Truth, facts: ExplainedFacts, vocabulary: Vocabulary): ExplainedTest {
  if (leaf.computed?.kind === 'area' && leaf.written.fact === LOCATION_FACT)
    return explainLocation(leaf, leaf.computed.area, truth, facts);
  if (leaf.computed) return explainComputed(leaf, leaf.computed, truth, facts, vocabulary);
  if (leaf.written.fact === LOCATION_FACT && !factIndex(vocabulary).names.includes(LOCATION_FACT))
    return explainZipcode(leaf, truth, facts, vocabulary);
  const { fact, operator, value: written, path } = leaf.written;
  const reference = factIndex(vocabulary).find(fact);
  const other = valueFact(written);
  const asCodes = isCounty(reference) && [written].flat().every((each) => /^\d{5}$/.test(String(each)));
  const knowledge = follow(facts.knownFacts.get(fact) ?? memberKnown(leaf, facts.knownFacts), path);
  const limit = other ? follow(facts.knownFacts.get(other.fact), other.path) : written;
  const unit = reference && unitOf(reference);
  const inferred = knowledge !== undefined && facts.givenFacts.get(fact) === undefined;
  const label = labelOf(fact, vocabulary);
  // On the axis, counties have their codes.
  const shownLimit = isCounty(reference) && !other ? leaf.value : limit;
  const limitText = other
    ? `${labelOf(other.fact, vocabulary)} (${knownWords(other.fact, limit, vocabulary) ?? 'not given'})`
    : Array.isArray(shownLimit)
      ? listWords(shownLimit.map((each) => writeValue(fact, each, vocabulary)))
      : writeValue(fact, shownLimit, vocabulary);
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
    text: testSentence({
      label,
      value: knownWords(fact, knowledge, vocabulary),
      operator,
      limit: limitText,
      truth,
    }),
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
    ? 'not given'
    : max === 0
      ? isPartly
        ? `partly${truth === 'undecided' ? ', perhaps,' : ''} outside`
        : 'inside'
      : min === 0
        ? `inside or up to ${lengthText(max)} outside`
        : `${lengthText(min, max)} outside`;
  return {
    fact: LOCATION_FACT,
    operator,
    limit: name,
    field: ADDRESS,
    label: LOCATION_FACT,
    unit: 'miles',
    value: isUnknown ? null : writeKnown(miles, false, false),
    truth,
    text: isUnknown
      ? testSentence({ label: LOCATION_FACT, value: undefined, operator, limit: `"${String(name)}"`, truth })
      : `${capitalized(LOCATION_FACT)}: ${finding} "${String(name)}".`,
  };
}

/** Explains a test of an area that is a list of ZIP codes. */
function explainZipcode(leaf: Leaf, truth: Truth, facts: ExplainedFacts, vocabulary: Vocabulary): ExplainedTest {
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
    text: testSentence({
      label: labelOf('zipcode', vocabulary),
      value: knownWords('zipcode', zipcode, vocabulary),
      operator,
      limit: `"${String(name)}"`,
      truth,
    }),
  };
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
  const print = (each: unknown): string => (isTime ? printTime(each) : printNumber(each, unit));
  const limitText = right
    ? `${describeComputed(right, vocabulary)} (${limit === undefined ? 'not given' : print(limit)})`
    : print(limit);
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
    text: testSentence({
      label,
      value: isNone ? 'none' : value === undefined ? undefined : print(value),
      operator,
      limit: limitText,
      remark: left.kind === 'aggregate' ? describeMatching(left, compute) : undefined,
      truth,
    }),
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
  const words = (each: unknown) => wordOf('evidenceSource', String(each));
  return {
    fact,
    operator,
    limit,
    field,
    label,
    value: source ?? null,
    truth,
    text: testSentence({
      label,
      value: source === undefined ? undefined : words(source),
      operator,
      limit: listWords([limit].flat().map(words)),
      truth,
    }),
  };
}

function usesArea(operand: Operand): boolean {
  return sourcesOf(operand).has(LOCATION);
}

function printTime(value: unknown): string {
  return writeTime(typeof value === 'number' ? value : String(value));
}

/** True if nothing restricts the number. */
function isAnything(knowledge: Knowledge, operand: Computed, vocabulary: Vocabulary): boolean {
  if (!isWithin(knowledge) || knowledge.kind !== 'between') return false;
  const { min, max } = domainOfComputed(operand, vocabulary, 2200);
  return knowledge.min <= min && knowledge.max >= max;
}

/** Computed numbers have two decimals, dollars none. */
function printNumber(value: unknown, unit: string | undefined): string {
  if (Array.isArray(value)) return listWords(value.map((each) => printNumber(each, unit)));
  const { min, max } = boundsOf(value);
  const rounded = (number: number) => (unit === 'dollars' ? Math.round(number) : number);
  return writeRange(rounded(min), rounded(max), unit, { decimals: 2 });
}

function boundsOf(number: unknown): { readonly min: number; readonly max: number } {
  return isWithin(number) && number.kind === 'between' ? number : { min: number as number, max: number as number };
}

/** The knowledge of a fact in words, rounded; undefined if nothing is known. */
function knownWords(fact: string, knowledge: unknown, vocabulary: Vocabulary): string | undefined {
  if (knowledge === undefined) return undefined;
  const words = (each: unknown) => writeValue(fact, each, vocabulary);
  if (isWithin(knowledge) && knowledge.kind === 'one of') return knowledge.words.map(words).join(' or ');
  if (typeof knowledge !== 'number' && !isWithin(knowledge)) return words(knowledge);
  const { min, max } = boundsOf(knowledge);
  const reference = factIndex(vocabulary).find(fact);
  if (reference?.kind === 'field' && reference.field.form)
    return min === max ? words(min) : `${words(min)} to ${words(max)}`;
  const unit = reference && unitOf(reference);
  // Fields given in feet keep two decimals; distances are measured in meters.
  const isMeasured = unit === 'meters' || (unit === 'feet' && reference?.kind === 'derived');
  return writeRange(min, max, unit, { label: labelOf(fact, vocabulary), decimals: isMeasured ? 0 : 2 });
}

/** For a partly known set: the tested word, if the set contains it. */
function memberKnown({ fact, written, operator }: Leaf, knownFacts: Facts): unknown {
  return fact !== written.fact && parseOperator(operator)?.base.shape === 'equality' && knownFacts.get(fact) === YES
    ? [written.value]
    : undefined;
}

function follow(value: unknown, path: string | undefined): unknown {
  return path === undefined ? value : resolvePath(value, path);
}

function isCounty(reference: FactReference | undefined): boolean {
  return reference?.kind === 'place' && reference.name === 'county';
}

/** A code, or a name with its state, as in the rule. */
function countyText(fips: string, asCode: boolean): string {
  const county = asCode ? undefined : countyByFips(fips);
  return county ? `${county.name}, ${county.state}` : fips;
}

function writeKnown(value: unknown, county: boolean, asCodes: boolean): KnownValue {
  if (value === undefined) return null;
  if (isWithin(value)) {
    if (value.kind === 'between') return { min: value.min, max: value.max };
    return { oneOf: county ? value.words.map((fips) => countyText(fips, asCodes)) : value.words };
  }
  return county && typeof value === 'string' ? countyText(value, asCodes) : (value as KnownValue);
}
