import { countyByFips } from '@leeward/places/counties';
import { instantText } from '@leeward/terms';
import { type Facts, factsOfProperty } from '../condition/facts.ts';
import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Findings, Joint } from './findings.ts';
import { fillMessage } from './message.ts';
import { fieldsToAskFor } from './missing-fields.ts';
import { type RuleWords, wordsOf } from './rule-words.ts';
import type { Reason, Requirement, RuleSetIdentity, SettledStatus, Source, Verdict } from './verdict.ts';

/** A rule set as one organization sees it. */
export interface CarrierRules {
  readonly ruleSet: RuleSet;
  readonly source: Source;
  readonly overrideSha256?: string;
}

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Puts what was found into words. */
export function verdictOf(
  findings: Findings,
  carrier: CarrierRules,
  policyType: string,
  property: Property,
  facts: ToldFacts = toldFacts(property, policyType),
): Verdict {
  const { vocabulary } = property;
  const { ruleSet, source, overrideSha256 } = carrier;
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
  return {
    carrierKey: ruleSet.carrierKey,
    carrierName: ruleSet.carrierName,
    policyType,
    status: settled ?? 'needs_information',
    possibleStatuses,
    reasons: reasonsOf(settled, declining, referring, jointly),
    requirements: asked('require', 'true'),
    possibleRequirements: asked('require', 'undecided'),
    notes: asked('inform', 'true'),
    missingFields: settled ? [] : fieldsToAskFor(findings.missing, property),
    ...(findings.conservative ? { conservative: true as const } : {}),
    ruleSet: identityOf(ruleSet, overrideSha256),
    source,
  };
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
  facts: ToldFacts,
): Reason[] {
  const { vocabulary } = property;
  return [
    ...(joint.territory ? [territoryReason(program, ruleSet, policyType, property)] : []),
    ...joint.moratoria.map((each) => moratoriumReason(each, facts, vocabulary)),
    ...joint.rules.map((rule) => ruleReason(rule, facts, vocabulary)),
  ];
}

/** The facts that messages may quote, worked out when the first one does. */
export type ToldFacts = () => Facts;

export function toldFacts(property: Property, policyType: string): ToldFacts {
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
  facts: ToldFacts,
  vocabulary: Vocabulary,
  words: RuleWords = wordsOf(rule, vocabulary),
): Reason {
  return words.quotes ? { ...words.reason, message: fillMessage(rule.message, facts(), vocabulary) } : words.reason;
}

/** A rule as something asked for or said, likewise. */
export function ruleRequirement(
  rule: Rule,
  facts: ToldFacts,
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

export function moratoriumReason(moratorium: Moratorium, facts: ToldFacts, vocabulary: Vocabulary): Reason {
  return {
    code: 'moratorium',
    message: fillMessage(moratorium.message, facts(), vocabulary),
    fields: [],
    ruleId: moratorium.id,
    temporary: true,
    endsAt: Number.isFinite(moratorium.untilMs) ? instantText(moratorium.untilMs) : null,
  };
}

export function identityOf(ruleSet: RuleSet, overrideSha256: string | undefined): RuleSetIdentity {
  return {
    version: ruleSet.version,
    sha256: ruleSet.sha256,
    ...(overrideSha256 === undefined ? {} : { overrideSha256 }),
  };
}
