import { countyByFips } from '@leeward/places/counties';
import { formatInstant, writeWord } from '@leeward/terms';
import { LOCATION } from '../area/area.ts';
import { atCertainty } from '../condition/at-certainty.ts';
import { shareMoment } from '../condition/computed.ts';
import type { Facts } from '../condition/fact-map.ts';
import { factsOfProperty } from '../condition/facts.ts';
import type { Truth } from '../condition/truth.ts';
import { findEvidence } from '../request/evidence.ts';
import { isWithin } from '../request/knowledge.ts';
import { type Property, withFallbacks } from '../request/property.ts';
import { isBetter } from '../rule-set/ladder.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import { factIndex, missingNameOf, unitOf } from '../vocabulary/fact-index.ts';
import { layoutOf } from '../vocabulary/layout.ts';
import type { ItemField, WrittenItem } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CarrierRules } from './carrier-rules.ts';
import { endOfMoratorium, quoteEvents } from './event-words.ts';
import type { Findings, Joint, LadderFindings } from './findings.ts';
import { noOffers, type OfferFindings } from './offers.ts';
import { ADDRESS, type RuleWords, wordsOf } from './rule-words.ts';
import { describeUnknown } from './unknown-fact.ts';
import type { Reason, Requirement, SettledStatus, TierVerdict, Verdict, VerdictTier } from './verdict.ts';
import { writeTerms } from './write-terms.ts';
import { type WrittenTerms, type WrittenTiers, WrittenVerdict } from './written-verdict.ts';

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Creates the verdict for the result of an evaluation, with messages. */
export function verdictOf(
  findings: Findings,
  carrier: CarrierRules,
  policyType: string,
  home: Property,
  facts: QuotedFacts = quotedFacts(atCertainty(home, carrier.ruleSet.certainty), policyType),
): Verdict {
  const { ruleSet } = carrier;
  const property = atCertainty(home, ruleSet.certainty);
  const { vocabulary } = property;
  const possibleStatuses = order.filter((status) => findings.possible.has(status));
  const settled = possibleStatuses.length === 1 ? possibleStatuses[0] : undefined;
  const pick = (outcome: Outcome, truth: Truth) => {
    const picked: Rule[] = [];
    for (const each of findings.rules) {
      if (each.truth === truth && each.rule.outcome === outcome) picked.push(each.rule);
    }
    return picked;
  };
  const declining = (truth: Truth): Reason[] => [
    ...(findings.territory === truth ? [territoryReason(findings.program, ruleSet, policyType, property)] : []),
    ...findings.moratoria
      .filter((each) => each.truth === truth)
      .map((each) => moratoriumReason(each.moratorium, facts, vocabulary)),
    ...pick('decline', truth).map((rule) => ruleReason(rule, facts, vocabulary)),
  ];
  const referring = (truth: Truth): Reason[] => pick('refer', truth).map((rule) => ruleReason(rule, facts, vocabulary));
  const jointly = findings.jointly
    ? jointReasons(findings, findings.jointly, ruleSet, policyType, property, facts)
    : [];
  const requirements = (outcome: Outcome, truth: Truth) =>
    pick(outcome, truth).map((rule) => ruleRequirement(rule, facts, vocabulary));
  return new WrittenVerdict(
    carrier,
    policyType,
    possibleStatuses,
    reasonsOf(settled, declining, referring, jointly),
    requirements('require', 'true'),
    requirements('require', 'undecided'),
    requirements('inform', 'true'),
    { names: settled ? [] : fieldsToAskFor(findings.missing, property), conservative: findings.conservative },
    termsOf(findings.offers, facts, property),
    findings.ladder && tiersOf(findings.ladder, (each) => verdictOf(each, carrier, policyType, property, facts)),
  );
}

/** Writes the tiers of a verdict. A tier is better if its rank is below that of the tier, or of the last possible one. */
function tiersOf(ladder: LadderFindings, verdictOfTier: (findings: Findings) => Verdict): WrittenTiers {
  const { possible, isSettled, last } = ladder;
  const alone = ladder.evaluate();
  const write = (each: (typeof alone)[number]): TierVerdict => {
    const { status, reasons, missingFields } = verdictOfTier(each.findings);
    return {
      ...verdictTier(each.program),
      status,
      reasons,
      ...(missingFields.length > 0 ? { missingFields } : {}),
    };
  };
  if (possible.length === 0) {
    const others = alone.filter(({ program }) => program !== last);
    return others.length > 0 ? { otherTiers: others.map(write) } : {};
  }
  const better = alone.filter(
    ({ program: tier }) => !possible.includes(tier) && possible.some((each) => isBetter({ tier }, { tier: each })),
  );
  return {
    ...(isSettled
      ? { tier: verdictTier(possible[0]!) }
      : { possibleTiers: alone.filter(({ program }) => possible.includes(program)).map(write) }),
    ...(better.length > 0 ? { betterTiers: better.map(write) } : {}),
  };
}

export function verdictTier({ id, tier }: Program): VerdictTier {
  const { of, rank, name } = tier!;
  return { of, rank, ...(name === undefined ? {} : { name }), programId: id };
}

/** Writes the terms of a verdict; undefined without offers. */
export function termsOf(offers: OfferFindings, facts: QuotedFacts, property: Property): WrittenTerms | undefined {
  if (offers === noOffers) return undefined;
  return writeTerms(
    offers,
    (rule) => ruleRequirement(rule, facts, property.vocabulary),
    (missing) => fieldsToAskFor(missing, property),
  );
}

/**
 * Returns the rules behind a status. If the status is certain but no single rule is, returns a minimal set in which one
 * must hold.
 */
function reasonsOf(
  settled: SettledStatus | undefined,
  declining: (truth: Truth) => Reason[],
  referring: (truth: Truth) => Reason[],
  jointly: Reason[],
): Reason[] {
  const certainElsePossible = (reasons: (truth: Truth) => Reason[]) => {
    const certain = reasons('true');
    if (certain.length > 0) return certain;
    return jointly.length > 0 ? jointly : reasons('undecided');
  };
  switch (settled) {
    case 'eligible':
      return [];
    case 'ineligible':
      return certainElsePossible(declining);
    case 'referral':
      return certainElsePossible(referring);
    case undefined:
      return [...declining('true'), ...referring('true')];
  }
}

/** Returns a set of reasons; one of them must hold. */
function jointReasons(
  { program }: Pick<Findings, 'program'>,
  joint: Joint,
  ruleSet: RuleSet,
  policyType: string,
  property: Property,
  facts: QuotedFacts,
): Reason[] {
  const { vocabulary } = property;
  return [
    ...(joint.territory ? [territoryReason(program, ruleSet, policyType, property)] : []),
    ...joint.moratoria.map((each) => moratoriumReason(each, facts, vocabulary)),
    ...joint.rules.map((rule) => ruleReason(rule, facts, vocabulary)),
  ];
}

/** Facts that messages may quote. Computed at the first use. */
export type QuotedFacts = () => Facts;

export function quotedFacts(property: Property, policyType: string): QuotedFacts {
  let facts: Facts | undefined;
  return () => {
    if (facts) return facts;
    // Messages quote given values and fallbacks: not values bounded by relations, and not a county that is uncertain.
    const values = withFallbacks(property.givenValues ?? property.values, layoutOf(property.vocabulary));
    const quoted: Property = { ...property, values };
    if (property.events) shareMoment(quoted, property);
    facts = factsOfProperty(quoted, policyType, property.counties?.length === 1 ? property.counties[0] : undefined);
    return facts;
  };
}

/** Returns a rule as a reason. Without quoted facts, it is the same object for every property. */
export function ruleReason(
  rule: Rule,
  facts: QuotedFacts,
  vocabulary: Vocabulary,
  words: RuleWords = wordsOf(rule, vocabulary),
): Reason {
  if (words.isMoratorium) return conditionalReason(rule, facts, vocabulary, words);
  return words.hasQuotes ? { ...words.reason, message: messageOf(rule, facts, vocabulary) } : words.reason;
}

/** Returns a moratorium with a condition as a reason. It ends with its window, or with its events. */
function conditionalReason(rule: Rule, facts: QuotedFacts, vocabulary: Vocabulary, words: RuleWords): Reason {
  const endMs = endOfMoratorium(rule.condition, facts());
  return {
    ...words.reason,
    message: messageOf(rule, facts, vocabulary),
    temporary: true,
    endsAt: Number.isFinite(endMs) ? formatInstant(endMs) : null,
  };
}

function messageOf({ message, condition }: Rule, facts: QuotedFacts, vocabulary: Vocabulary): string {
  return fillMessage(quoteEvents(message, condition, facts()), facts(), vocabulary);
}

/** Returns a rule as a requirement or note. Without quoted facts, it is the same object for every property. */
export function ruleRequirement(
  rule: Rule,
  facts: QuotedFacts,
  vocabulary: Vocabulary,
  words: RuleWords = wordsOf(rule, vocabulary),
): Requirement {
  if (!words.hasQuotes) return words.requirement;
  return { ...words.requirement, message: messageOf(rule, facts, vocabulary) };
}

export function territoryReason(program: Program, ruleSet: RuleSet, policyType: string, property: Property): Reason {
  const labels = (property.counties ?? []).map((fips) => countyByFips(fips)?.label ?? fips);
  const state = property.state.toUpperCase();
  const place = labels.length === 0 ? `everywhere in ${state}` : `in ${labels.join(' or ')}, ${state}`;
  const message = `${ruleSet.carrierName} does not write ${writeWord(policyType)} ${place}.`;
  return { code: 'territory', message, fields: ['county'], ruleId: program.id };
}

export function moratoriumReason(moratorium: Moratorium, facts: QuotedFacts, vocabulary: Vocabulary): Reason {
  return {
    code: 'moratorium',
    message: fillMessage(moratorium.message, facts(), vocabulary),
    fields: [],
    ruleId: moratorium.id,
    temporary: true,
    endsAt: Number.isFinite(moratorium.untilMs) ? formatInstant(moratorium.untilMs) : null,
  };
}

const FULL_DATE_LENGTH = 'YYYY-MM-DD'.length;
/** Name of the request field with the ground of a building. */
const FOOTPRINT = 'footprint';

/** Request names of a vocabulary that can be missing. Computed once. */
interface MissingNames {
  /** In reporting order. */
  readonly names: readonly string[];
  readonly positionOf: ReadonlyMap<string, number>;
  /** For each name, the positions of its fields in the vocabulary. */
  readonly fields: readonly (readonly number[])[];
  /**
   * For each name, the position of the name reported instead while the home is not located: the address of a distance.
   */
  readonly unlocated: readonly number[];
  /** Names that must be given together. */
  readonly pairs: readonly (readonly [number, number])[];
}

const byVocabulary = new WeakMap<Vocabulary, MissingNames>();

function missingNamesOf(vocabulary: Vocabulary): MissingNames {
  let result = byVocabulary.get(vocabulary);
  if (!result) {
    const names = [
      ...new Set([
        'county',
        ...vocabulary.fields.flatMap((each) => [each.requestName, missingNameOf(each)]),
        ...(vocabulary.lists ?? []).map(({ name }) => name),
      ]),
    ];
    const placeOf = new Map(names.map((name, place) => [name, place]));
    result = {
      names,
      positionOf: placeOf,
      fields: names.map((name) => [
        ...vocabulary.fields.flatMap((field, index) =>
          field.requestName === name || field.givenAs === name ? [index] : [],
        ),
      ]),
      unlocated: names.map((name, place) => {
        const field = vocabulary.fields.find(({ givenAs }) => givenAs === name);
        return field ? placeOf.get(field.requestName)! : place;
      }),
      pairs: vocabulary.givenTogether.flatMap((pair): [number, number][] => {
        const [a, b] = pair.map((name) => placeOf.get(name));
        return a === undefined || b === undefined ? [] : [[a, b]];
      }),
    };
    byVocabulary.set(vocabulary, result);
  }
  return result;
}

/**
 * Returns the missing request fields, in vocabulary order. Leaves out known fields (a test of one fact against another
 * depends on both names) and adds the partner of a field if both must be given together.
 */
export function fieldsToAskFor(missing: Iterable<string>, property: Property): string[] {
  const { names, positionOf: placeOf, fields, unlocated, pairs } = missingNamesOf(property.vocabulary);
  const missingPositions = new Set<number>();
  const others: string[] = [];
  let needsLocation = false;
  for (const name of missing) {
    const position = placeOf.get(name);
    if (name === LOCATION) {
      needsLocation = true;
      continue;
    }
    if (position !== undefined) {
      if (!isKnown(name, fields[position]!, property))
        missingPositions.add(property.isLocated ? position : unlocated[position]!);
    } else if (name !== 'state' && name !== 'policy_type' && !isEvidenceKnown(name, property)) others.push(name);
  }
  for (const [a, b] of pairs) if (missingPositions.has(a) || missingPositions.has(b)) missingPositions.add(a).add(b);
  const located = needsLocation && !property.isLocated ? placeOf.get(ADDRESS) : undefined;
  if (located !== undefined) missingPositions.add(located);
  const result = [...missingPositions]
    .sort((a, b) => a - b)
    .filter((position) => position === located || !isKnown(names[position]!, fields[position]!, property))
    .map((position) => names[position]!);
  // The footprint of the building is known better than the location of the house.
  if (needsLocation && property.isLocated) others.push(FOOTPRINT);
  else if (needsLocation && !result.includes(ADDRESS)) others.push(ADDRESS);
  return others.length > 0 ? [...result, ...[...new Set(others)].sort(evidenceLast(property.vocabulary))] : result;
}

/** True for the name of evidence that is given in full. */
function isEvidenceKnown(name: string, { evidence, vocabulary }: Property): boolean {
  const { subject, part } = findEvidence(name, vocabulary) ?? {};
  const own = subject && evidence?.[subject.name];
  if (!own) return false;
  return part === 'source' ? own.source !== undefined : own.asOf?.length === 'YYYY-MM-DD'.length;
}

/** Orders names of evidence after others, in alphabetical order. */
function evidenceLast(vocabulary: Vocabulary): (a: string, b: string) => number {
  const isEvidence = (name: string) => findEvidence(name, vocabulary) !== undefined;
  return (a, b) => {
    const [first, second] = [isEvidence(a), isEvidence(b)];
    if (first !== second) return first ? 1 : -1;
    return first ? (a < b ? -1 : 1) : 0;
  };
}

function isKnown(
  name: string,
  fields: readonly number[],
  { counties, values, givenValues = values, lists, vocabulary }: Property,
): boolean {
  if (name === 'county' && fields.length === 0) return counties?.length === 1;
  const list = fields.length === 0 ? factIndex(vocabulary).lists.get(name) : undefined;
  if (list) return lists?.[name]?.every((item) => list.fields.every((field) => isItemFieldKnown(field, item))) ?? false;
  for (const field of fields) {
    const value = givenValues[field] ?? (vocabulary.fields[field]!.fallback ? values[field] : undefined);
    if (typeof value !== 'number' && typeof value !== 'string') return false;
  }
  return true;
}

/** False for a date without a day. */
function isItemFieldKnown({ name, kind }: ItemField, item: WrittenItem): boolean {
  const value = item[name];
  return value !== undefined && (kind !== 'date' || String(value).length === FULL_DATE_LENGTH);
}

/** Fills in the facts in braces. An unknown fact is replaced by words. */
export function fillMessage(message: string, facts: Facts, vocabulary: Vocabulary): string {
  let text = '';
  let end = 0;
  for (const { 0: braces, 1: name, index } of message.matchAll(/\{([^{}]*)\}/g)) {
    if (!facts.has(name!) && !factIndex(vocabulary).names.includes(name!)) continue;
    text += message.slice(end, index);
    end = index + braces.length;
    if (facts.get(name!) != null) {
      text += printCached(name!, facts, vocabulary);
      continue;
    }
    const { words, replaced } = describeUnknown(name!, text, message.slice(end), vocabulary);
    text += words;
    end += replaced;
  }
  return text + message.slice(end);
}

const printed = new WeakMap<Facts, Map<string, string>>();

/** Caches printed facts: many carriers quote the same facts of a property. */
function printCached(name: string, facts: Facts, vocabulary: Vocabulary): string {
  let texts = printed.get(facts);
  if (!texts) {
    texts = new Map();
    printed.set(facts, texts);
  }
  let text = texts.get(name);
  if (text === undefined) {
    text = printFact(name, facts.get(name), vocabulary);
    texts.set(name, text);
  }
  return text;
}

/** Formats a fact for people: dollars with separators, distances rounded, bounds as a range. */
export function printFact(name: string, value: unknown, vocabulary: Vocabulary): string {
  if (value === undefined || value === null) return 'not given';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  if (isWithin(value)) {
    return value.kind === 'between'
      ? `${printFact(name, value.min, vocabulary)} to ${printFact(name, value.max, vocabulary)}`
      : value.words.join(' or ');
  }
  if (name === 'county' && typeof value === 'string') return countyByFips(value)?.name ?? value;
  if (typeof value !== 'number') return String(value);
  const reference = factIndex(vocabulary).find(name);
  if (reference?.kind === 'field' && reference.field.form) return String(reference.field.form.write(value));
  const unit = reference && unitOf(reference);
  // Fields given in feet keep two decimals; distances are measured in meters.
  const isGivenInFeet = unit === 'feet' && reference?.kind === 'field';
  if (isGivenInFeet) return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  if (unit === 'dollars' || unit === 'feet' || unit === 'meters') {
    return Math.round(value).toLocaleString('en-US');
  }
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100);
}
