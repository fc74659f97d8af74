import { countyByFips } from '@leeward/places/counties';
import { factsOf } from '../condition/condition.ts';
import { undecidedFacts } from '../condition/tree-truth.ts';
import { instantText } from '../request/instants.ts';
import type { Property } from '../request/property.ts';
import type { Moratorium, Program, Rule, RuleSet } from '../rule-set/rule-set.ts';
import { factIndex, requestNameOf, type Vocabulary } from '../vocabulary/vocabulary.ts';
import { type CountyClass, countyClasses, programsFor } from './county-classes.ts';
import type { Evaluator } from './evaluator.ts';
import { type Facts, factsOfProperty } from './facts.ts';
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

/**
 * One carrier's verdict for one policy type; undefined where it is not offered. Where the county is
 * unknown the property is judged for each county it can be, and the answers are put together.
 */
export async function judge(
  carrier: CarrierRules,
  policyType: string,
  property: Property,
  evaluator: Evaluator,
): Promise<Verdict | undefined> {
  const { ruleSet } = carrier;
  const programs = programsFor(ruleSet, policyType, property.state);
  const firstProgram = programs[0];
  if (!firstProgram) return undefined;
  const classes = countyClasses(ruleSet, policyType, property.state, property.counties);
  const answers: ClassAnswer[] = [];
  for (const each of classes)
    answers.push(await judgeClass(each, firstProgram, ruleSet, policyType, property, evaluator));
  return combine(answers, carrier, policyType, property);
}

/** What the rules say in one class of counties. */
interface ClassAnswer {
  readonly possible: ReadonlySet<SettledStatus>;
  readonly declining: readonly Reason[];
  readonly referring: readonly Reason[];
  readonly requirements: readonly Requirement[];
  readonly possibleRequirements: readonly Requirement[];
  readonly notes: readonly Requirement[];
  readonly missing: ReadonlySet<string>;
}

async function judgeClass(
  { county, program, moratoria }: CountyClass,
  firstProgram: Program,
  ruleSet: RuleSet,
  policyType: string,
  property: Property,
  evaluator: Evaluator,
): Promise<ClassAnswer> {
  const { vocabulary } = property;
  const facts = factsOfProperty(property, policyType, county);
  // A class stands for many counties: its representative must not be named in a message.
  const told = new Map(facts).set('county', property.counties?.length === 1 ? property.counties[0] : undefined);
  const stopped = moratoria
    .filter((each) => each.fromMs <= property.asOfMs && property.asOfMs < each.untilMs)
    .map((each) => moratoriumReason(each, told, vocabulary));
  if (!program) {
    const message = `${ruleSet.carrierName} does not write ${policyType} in ${placeName(property)}.`;
    const territory = { code: 'territory', message, fields: ['county'], ruleId: firstProgram.id };
    return { ...emptyAnswer, possible: new Set(['ineligible']), declining: [territory, ...stopped] };
  }
  const rules = [...ruleSet.rules, ...program.rules];
  const truths = await evaluator.evaluate(rules, facts);
  const sorted = rules
    .map((rule, index) => ({ rule, truth: truths[index]! }))
    .sort((a, b) => b.rule.priority - a.rule.priority);
  const pick = (outcome: Rule['outcome'], truth: Truth) =>
    sorted.filter((each) => each.rule.outcome === outcome && each.truth === truth).map((each) => each.rule);
  const reason = (rule: Rule): Reason => ({
    code: rule.code,
    message: fillMessage(rule.message, told, vocabulary),
    fields: inVocabularyOrder(new Set(requestNames(factsOf(rule.condition), vocabulary)), vocabulary),
    ruleId: rule.id,
  });
  const requirement = (rule: Rule): Requirement => ({
    code: rule.code,
    message: fillMessage(rule.message, told, vocabulary),
    ruleId: rule.id,
  });
  const declining = [...stopped, ...pick('decline', 'true').map(reason)];
  const referring = pick('refer', 'true').map(reason);
  const maybeDeclining = pick('decline', 'undecided');
  const maybeReferring = pick('refer', 'undecided');
  const possible = new Set<SettledStatus>();
  const hanging = new Set<string>();
  if (declining.length > 0) possible.add('ineligible');
  else {
    possible.add(referring.length > 0 ? 'referral' : 'eligible');
    if (maybeDeclining.length > 0) possible.add('ineligible');
    if (referring.length === 0 && maybeReferring.length > 0) possible.add('referral');
    for (const rule of [...maybeDeclining, ...(referring.length > 0 ? [] : maybeReferring)]) {
      undecidedFacts(rule.condition, facts, undefined, hanging);
    }
  }
  return {
    possible,
    declining,
    referring,
    requirements: pick('require', 'true').map(requirement),
    possibleRequirements: pick('require', 'undecided').map(requirement),
    notes: pick('inform', 'true').map(requirement),
    missing: new Set(requestNames(hanging, vocabulary)),
  };
}

const emptyAnswer: ClassAnswer = {
  possible: new Set(),
  declining: [],
  referring: [],
  requirements: [],
  possibleRequirements: [],
  notes: [],
  missing: new Set(),
};

function combine(
  answers: readonly ClassAnswer[],
  carrier: CarrierRules,
  policyType: string,
  property: Property,
): Verdict {
  const possible = order.filter((status) => answers.some((answer) => answer.possible.has(status)));
  const settled = possible.length === 1 ? possible[0]! : undefined;
  const status = settled ?? 'needs_information';
  const missing = new Set(answers.flatMap((answer) => [...answer.missing]));
  if (!settled && answers.some((answer) => !sameSet(answer.possible, answers[0]!.possible))) missing.add('county');
  const declining = common(answers.map((answer) => answer.declining));
  const referring = common(answers.map((answer) => answer.referring));
  const required = common(answers.map((answer) => answer.requirements));
  const requirements = settled === 'ineligible' ? required.some : required.every;
  const possibleRequirements = uniqueById([
    ...answers.flatMap((answer) => answer.possibleRequirements),
    ...required.some,
  ]).filter((each) => !requirements.some((certain) => certain.ruleId === each.ruleId));
  const anyOf = (found: { every: Reason[]; some: Reason[] }) => (found.every.length > 0 ? found.every : found.some);
  const reasons =
    settled === 'ineligible'
      ? anyOf(declining)
      : settled === 'referral'
        ? anyOf(referring)
        : settled === 'eligible'
          ? []
          : [...declining.every, ...referring.every];
  const { ruleSet, source, overrideSha256 } = carrier;
  return {
    carrierKey: ruleSet.carrierKey,
    carrierName: ruleSet.carrierName,
    policyType,
    status,
    possibleStatuses: possible,
    reasons,
    requirements,
    possibleRequirements,
    notes: common(answers.map((answer) => answer.notes)).every,
    missingFields: settled ? [] : inVocabularyOrder(missing, property.vocabulary),
    ruleSet: identityOf(ruleSet, overrideSha256),
    source,
  };
}

export function identityOf(ruleSet: RuleSet, overrideSha256: string | undefined): RuleSetIdentity {
  return {
    version: ruleSet.version,
    sha256: ruleSet.sha256,
    ...(overrideSha256 === undefined ? {} : { overrideSha256 }),
  };
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

function placeName(property: Property): string {
  const labels = (property.counties ?? []).map((fips) => countyByFips(fips)?.label ?? fips);
  return labels.length === 0 ? property.state.toUpperCase() : `${labels.join(' or ')}, ${property.state.toUpperCase()}`;
}

/** Names under which a caller gives these facts, without repetition. */
export function requestNames(facts: Iterable<string>, vocabulary: Vocabulary): string[] {
  const index = factIndex(vocabulary);
  const names = new Set<string>();
  for (const fact of facts) {
    const reference = index.find(fact);
    names.add(reference ? requestNameOf(reference) : fact);
  }
  return [...names];
}

function inVocabularyOrder(names: ReadonlySet<string>, vocabulary: Vocabulary): string[] {
  const known = ['county', ...new Set(vocabulary.fields.map((field) => field.requestName))];
  return [...known.filter((name) => names.has(name)), ...[...names].filter((name) => !known.includes(name))];
}

/** Entries that stand in every list, and those that stand in some, by rule. */
function common<T extends { readonly ruleId: string }>(lists: readonly (readonly T[])[]): { every: T[]; some: T[] } {
  const some = uniqueById(lists.flat());
  return {
    some,
    every: some.filter((each) => lists.every((list) => list.some((other) => other.ruleId === each.ruleId))),
  };
}

function uniqueById<T extends { readonly ruleId: string }>(entries: readonly T[]): T[] {
  return [...new Map(entries.map((entry) => [entry.ruleId, entry])).values()];
}

function sameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
