import { countyByFips } from '@leeward/places/counties';
import { formatInstant } from '@leeward/terms';
import { type Facts, factsOfProperty } from '../condition/facts.ts';
import type { Truth } from '../condition/truth.ts';
import { isWithin } from '../request/knowledge.ts';
import type { Property } from '../request/property.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import { factIndex, missingNameOf, unitOf } from '../vocabulary/fact-index.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { CarrierRules } from './carrier-rules.ts';
import type { Findings, Joint } from './findings.ts';
import { type RuleWords, wordsOf } from './rule-words.ts';
import { describeUnknown } from './unknown-fact.ts';
import type { Reason, Requirement, SettledStatus, Verdict } from './verdict.ts';
import { WrittenVerdict } from './written-verdict.ts';

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Puts what was found into words. */
export function verdictOf(
  findings: Findings,
  carrier: CarrierRules,
  policyType: string,
  property: Property,
  facts: QuotedFacts = quotedFacts(property, policyType),
): Verdict {
  const { vocabulary } = property;
  const { ruleSet } = carrier;
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
  const asked = (outcome: Outcome, truth: Truth) =>
    pick(outcome, truth).map((rule) => ruleRequirement(rule, facts, vocabulary));
  return new WrittenVerdict(
    carrier,
    policyType,
    possibleStatuses,
    reasonsOf(settled, declining, referring, jointly),
    asked('require', 'true'),
    asked('require', 'undecided'),
    asked('inform', 'true'),
    { names: settled ? [] : fieldsToAskFor(findings.missing, property), conservative: findings.conservative },
  );
}

/**
 * The rules behind a status. Where it is certain though no single rule is, those of which one must hold.
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

/** The reasons of which one must hold. */
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

/** The facts that messages may quote, worked out when the first one does. */
export type QuotedFacts = () => Facts;

export function quotedFacts(property: Property, policyType: string): QuotedFacts {
  let facts: Facts | undefined;
  return () => {
    // Messages quote what was given: neither what relations say of it, nor a county that is not known.
    facts ??= factsOfProperty(
      { ...property, values: property.given ?? property.values },
      policyType,
      property.counties?.length === 1 ? property.counties[0] : undefined,
    );
    return facts;
  };
}

/** A rule as a reason. Where its message quotes no fact it is the same object for every property. */
export function ruleReason(
  rule: Rule,
  facts: QuotedFacts,
  vocabulary: Vocabulary,
  words: RuleWords = wordsOf(rule, vocabulary),
): Reason {
  return words.quotes ? { ...words.reason, message: fillMessage(rule.message, facts(), vocabulary) } : words.reason;
}

/** A rule as something asked for or said, likewise. */
export function ruleRequirement(
  rule: Rule,
  facts: QuotedFacts,
  vocabulary: Vocabulary,
  words: RuleWords = wordsOf(rule, vocabulary),
): Requirement {
  if (!words.quotes) return words.requirement;
  return { ...words.requirement, message: fillMessage(rule.message, facts(), vocabulary) };
}

export function territoryReason(program: Program, ruleSet: RuleSet, policyType: string, property: Property): Reason {
  const labels = (property.counties ?? []).map((fips) => countyByFips(fips)?.label ?? fips);
  const state = property.state.toUpperCase();
  const place = labels.length === 0 ? `everywhere in ${state}` : `in ${labels.join(' or ')}, ${state}`;
  const message = `${ruleSet.carrierName} does not write ${policyType} ${place}.`;
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

/** The names of a vocabulary that can be asked for, worked out once. */
interface AskedNames {
  /** In the order in which they are told. */
  readonly names: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** By name, the places of its fields in the vocabulary. */
  readonly fields: readonly (readonly number[])[];
  /** By name, what is asked for while the home is not located: the address of a distance. */
  readonly unlocated: readonly number[];
  /** Names that are only given together. */
  readonly pairs: readonly (readonly [number, number])[];
}

const byVocabulary = new WeakMap<Vocabulary, AskedNames>();

function askedNames(vocabulary: Vocabulary): AskedNames {
  let asked = byVocabulary.get(vocabulary);
  if (!asked) {
    const names = [
      ...new Set(['county', ...vocabulary.fields.flatMap((each) => [each.requestName, missingNameOf(each)])]),
    ];
    const placeOf = new Map(names.map((name, place) => [name, place]));
    asked = {
      names,
      placeOf,
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
    byVocabulary.set(vocabulary, asked);
  }
  return asked;
}

/**
 * What to ask for, in the vocabulary's order: not what is known already (a test of one fact against another
 * hangs on both names), and with a field its partner, where the two are only given together.
 */
export function fieldsToAskFor(missing: Iterable<string>, property: Property): string[] {
  const { names, placeOf, fields, unlocated, pairs } = askedNames(property.vocabulary);
  const wanted = new Uint8Array(names.length);
  const others: string[] = [];
  for (const name of missing) {
    const place = placeOf.get(name);
    if (place !== undefined) {
      if (!isKnown(name, fields[place]!, property)) wanted[property.isLocated ? place : unlocated[place]!] = 1;
    } else if (name !== 'state' && name !== 'policy_type') others.push(name);
  }
  for (const [a, b] of pairs) if (wanted[a] === 1 || wanted[b] === 1) wanted[a] = wanted[b] = 1;
  const result: string[] = [];
  for (let place = 0; place < names.length; place++) {
    if (wanted[place] === 1 && !isKnown(names[place]!, fields[place]!, property)) result.push(names[place]!);
  }
  return others.length > 0 ? [...result, ...new Set(others)] : result;
}

function isKnown(name: string, fields: readonly number[], { counties, values, given = values }: Property): boolean {
  if (name === 'county' && fields.length === 0) return counties?.length === 1;
  for (const field of fields) {
    const value = given[field];
    if (typeof value !== 'number' && typeof value !== 'string') return false;
  }
  return true;
}

/** Fills the facts in braces. A message with a fact that is unknown is worded without its value. */
export function fillMessage(message: string, facts: Facts, vocabulary: Vocabulary): string {
  let text = '';
  let end = 0;
  for (const { 0: braces, 1: name, index } of message.matchAll(/\{([^{}]*)\}/g)) {
    if (!facts.has(name!) && !factIndex(vocabulary).names.includes(name!)) continue;
    text += message.slice(end, index);
    end = index + braces.length;
    if (facts.get(name!) != null) {
      text += printedOnce(name!, facts, vocabulary);
      continue;
    }
    const { words, replaced } = describeUnknown(name!, text, message.slice(end), vocabulary);
    text += words;
    end += replaced;
  }
  return text + message.slice(end);
}

const printed = new WeakMap<Facts, Map<string, string>>();

/** Many carriers quote the same facts of one property. */
function printedOnce(name: string, facts: Facts, vocabulary: Vocabulary): string {
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

/** A fact as people write it: dollars with separators, distances with two decimals, bounds as a range. */
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
  // What is given in feet may hang on tenths of them; distances are measured in metres.
  const isGivenInFeet = unit === 'feet' && reference?.kind === 'field';
  if (isGivenInFeet) return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
  if (unit === 'dollars' || unit === 'feet' || unit === 'meters') {
    return Math.round(value).toLocaleString('en-US');
  }
  return Number.isInteger(value) ? String(value) : String(Math.round(value * 100) / 100);
}
