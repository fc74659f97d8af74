import { countyByFips } from '@leeward/places/counties';
import { factsOf } from '../condition/condition.ts';
import { instantText } from '../request/instants.ts';
import type { Property } from '../request/property.ts';
import type { Moratorium, Rule, RuleSet } from '../rule-set/rule-set.ts';
import type { Outcome } from '../rule-set/schema.ts';
import { factIndex, requestNameOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { type Facts, factsOfProperty } from './facts.ts';
import type { Findings } from './findings.ts';
import { fillMessage } from './message.ts';
import type { Truth } from './truth.ts';
import type { Reason, Requirement, RuleSetIdentity, SettledStatus, Source, Verdict } from './verdict.ts';

/** A rule set as one organization sees it. */
export interface CarrierRules {
  readonly ruleSet: RuleSet;
  readonly source: Source;
  readonly overrideSha256?: string;
}

const order: readonly SettledStatus[] = ['eligible', 'referral', 'ineligible'];

/** Puts what was found into words. */
export function verdictOf(findings: Findings, carrier: CarrierRules, policyType: string, property: Property): Verdict {
  const { vocabulary } = property;
  const { ruleSet, source, overrideSha256 } = carrier;
  // Messages quote what was given: neither what relations say of it, nor a county that is not known.
  const facts = factsOfProperty(
    { ...property, values: property.given ?? property.values },
    policyType,
    property.counties?.length === 1 ? property.counties[0] : undefined,
  );
  const possibleStatuses = order.filter((status) => findings.possible.has(status));
  const settled = possibleStatuses.length === 1 ? possibleStatuses[0] : undefined;
  const sorted = [...findings.rules].sort((a, b) => b.rule.priority - a.rule.priority);
  const pick = (outcome: Outcome, truth: Truth) =>
    sorted.filter((each) => each.rule.outcome === outcome && each.truth === truth).map((each) => each.rule);
  const declining = (truth: Truth): Reason[] => [
    ...(findings.territory === truth ? [territoryReason(findings, ruleSet, policyType, property)] : []),
    ...findings.moratoria
      .filter((each) => each.truth === truth)
      .map((each) => moratoriumReason(each.moratorium, facts, vocabulary)),
    ...pick('decline', truth).map((rule) => ruleReason(rule, facts, vocabulary)),
  ];
  const referring = (truth: Truth): Reason[] => pick('refer', truth).map((rule) => ruleReason(rule, facts, vocabulary));
  const asked = (outcome: Outcome, truth: Truth) =>
    pick(outcome, truth).map((rule) => requirement(rule, facts, vocabulary));
  return {
    carrierKey: ruleSet.carrierKey,
    carrierName: ruleSet.carrierName,
    policyType,
    status: settled ?? 'needs_information',
    possibleStatuses,
    reasons: reasonsOf(settled, declining, referring),
    requirements: asked('require', 'true'),
    possibleRequirements: asked('require', 'undecided'),
    notes: asked('inform', 'true'),
    missingFields: settled ? [] : inVocabularyOrder(findings.missing, vocabulary),
    ...(findings.conservative && !settled ? { conservative: true as const } : {}),
    ruleSet: identityOf(ruleSet, overrideSha256),
    source,
  };
}

/**
 * The rules behind a status. Where it is certain though no single rule is (one of several must hold), all
 * that may hold are named.
 */
function reasonsOf(
  settled: SettledStatus | undefined,
  declining: (truth: Truth) => Reason[],
  referring: (truth: Truth) => Reason[],
): Reason[] {
  const certainElsePossible = (reasons: (truth: Truth) => Reason[]) => {
    const certain = reasons('true');
    return certain.length > 0 ? certain : reasons('undecided');
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

function ruleReason(rule: Rule, facts: Facts, vocabulary: Vocabulary): Reason {
  return {
    code: rule.code,
    message: fillMessage(rule.message, facts, vocabulary),
    fields: inVocabularyOrder(requestNames(factsOf(rule.condition), vocabulary), vocabulary),
    ruleId: rule.id,
  };
}

function requirement(rule: Rule, facts: Facts, vocabulary: Vocabulary): Requirement {
  return { code: rule.code, message: fillMessage(rule.message, facts, vocabulary), ruleId: rule.id };
}

function territoryReason({ program }: Findings, ruleSet: RuleSet, policyType: string, property: Property): Reason {
  const labels = (property.counties ?? []).map((fips) => countyByFips(fips)?.label ?? fips);
  const state = property.state.toUpperCase();
  const place = labels.length === 0 ? state : `${labels.join(' or ')}, ${state}`;
  const message = `${ruleSet.carrierName} does not write ${policyType} in ${place}.`;
  return { code: 'territory', message, fields: ['county'], ruleId: program.id };
}

function moratoriumReason(moratorium: Moratorium, facts: Facts, vocabulary: Vocabulary): Reason {
  return {
    code: 'moratorium',
    message: fillMessage(moratorium.message, facts, vocabulary),
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

/** Names under which a caller gives these facts. */
export function requestNames(facts: Iterable<string>, vocabulary: Vocabulary): Set<string> {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    names.add(reference ? requestNameOf(reference) : fact);
  }
  return names;
}

function inVocabularyOrder(names: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  const known = ['county', ...new Set(vocabulary.fields.map((field) => field.requestName))];
  return [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !known.includes(name))];
}
