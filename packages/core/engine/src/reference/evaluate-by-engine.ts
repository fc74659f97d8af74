import { atCertainty } from '../condition/at-certainty.ts';
import type { Tree } from '../condition/condition.ts';
import { factsOfProperty } from '../condition/facts.ts';
import { undecidedFacts } from '../condition/tree-truth.ts';
import type { Truth } from '../condition/truth.ts';
import type { Property } from '../request/property.ts';
import type { Demand } from '../rule-set/demand.ts';
import { hasTiers, ladderParts } from '../rule-set/ladder.ts';
import { byPriority } from '../rule-set/priority.ts';
import type { Moratorium, Rule, RuleSet } from '../rule-set/rule-set.ts';
import type { Findings } from '../verdict/findings.ts';
import { combineTiers, type EvaluatedPart, type OfferSource } from '../verdict/ladder-findings.ts';
import { combineDemands, noOffers, type OfferedDemand } from '../verdict/offers.ts';
import { missingNames } from '../verdict/rule-words.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { Almanac } from './almanac.ts';
import { type CountyClass, countyClasses, programsFor } from './county-classes.ts';
import type { Evaluator } from './evaluator.ts';
import { testedFacts } from './fact-uses.ts';

interface DemandFinding {
  readonly truth: Truth;
  readonly missing: ReadonlySet<string>;
}

interface ClassFindings {
  readonly truths: ReadonlyMap<Rule, Truth>;
  readonly demands: ReadonlyMap<Demand, DemandFinding>;
  readonly territory: boolean;
  readonly moratoria: ReadonlySet<Moratorium>;
  readonly possible: ReadonlySet<SettledStatus>;
  readonly missing: ReadonlySet<string>;
}

/**
 * Evaluates one rule set with json-rules-engine. Combines the results of each possible county class, and of each tier. Undefined if the
 * policy type is not offered.
 */
export async function evaluateByEngine(
  ruleSet: RuleSet,
  policyType: string,
  home: Property,
  evaluator: Evaluator,
  almanac?: Almanac,
): Promise<Findings | undefined> {
  const property = atCertainty(home, ruleSet.certainty);
  const programs = programsFor(ruleSet, policyType, property.state);
  const [program] = programs;
  if (!program) return undefined;
  if (!hasTiers(programs)) return (await evaluatePart(ruleSet, policyType, property, evaluator, almanac)).findings;
  const parts: EvaluatedPart[] = [];
  for (const part of ladderParts(programs)) {
    const own = { ...ruleSet, programs: part.programs };
    parts.push({ ...part, ...(await evaluatePart(own, policyType, property, evaluator, almanac)) });
  }
  const rules = [...ruleSet.rules, ...programs.flatMap((each) => each.rules)];
  return combineTiers(parts, { rules, program });
}

/** Requires at most one program for a county. */
async function evaluatePart(
  ruleSet: RuleSet,
  policyType: string,
  property: Property,
  evaluator: Evaluator,
  almanac: Almanac | undefined,
): Promise<Pick<EvaluatedPart, 'findings' | 'offers'>> {
  const program = programsFor(ruleSet, policyType, property.state)[0]!;
  const classes: ClassFindings[] = [];
  for (const each of countyClasses(ruleSet, policyType, property.state, property.counties)) {
    classes.push(await findInClass(each, ruleSet, policyType, property, evaluator, almanac));
  }
  const rules = new Set(classes.flatMap((each) => [...each.truths.keys()]));
  const moratoria = new Set(classes.flatMap((each) => [...each.moratoria]));
  const possible = new Set(classes.flatMap((each) => [...each.possible]));
  const missing = new Set(classes.flatMap((each) => [...each.missing]));
  if (classes.some((each) => !sameSet(each.possible, classes[0]!.possible))) missing.add('county');
  const offers = offerSource([...rules], classes);
  const findings: Findings = {
    rules: byPriority([...rules], (rule) => rule).map((rule) => ({
      rule,
      truth: combine(classes.map((each) => each.truths.get(rule) ?? 'false')),
    })),
    territory: combine(classes.map((each) => (each.territory ? 'true' : 'false'))),
    program,
    moratoria: [...moratoria].map((moratorium) => ({
      moratorium,
      truth: combine(classes.map((each) => (each.moratoria.has(moratorium) ? 'true' : 'false'))),
    })),
    offers: offers.demands.length === 0 ? noOffers : combineDemands(offers.demands, offers.oracle),
    possible,
    missing,
    conservative: false,
  };
  return { findings, offers };
}

function offerSource(rules: readonly Rule[], classes: readonly ClassFindings[]): OfferSource {
  const demands = rules.flatMap((rule) => (rule.demands ?? []).map((demand) => ({ rule, demand })));
  const truthIn = ({ demands: findings }: ClassFindings, some: readonly OfferedDemand[]): Truth => {
    const truths = some.map(({ demand }) => findings.get(demand)?.truth ?? 'false');
    return truths.includes('true') ? 'true' : truths.includes('undecided') ? 'undecided' : 'false';
  };
  return {
    demands,
    oracle: {
      truthOf: (some) => ({ truth: combine(classes.map((each) => truthIn(each, some))), isExact: true }),
      missingOf: (some) => [
        ...some.flatMap(({ demand }) => classes.flatMap((each) => [...(each.demands.get(demand)?.missing ?? [])])),
        ...(new Set(classes.map((each) => truthIn(each, some))).size > 1 ? ['county'] : []),
      ],
    },
  };
}

/** Reads the host facts of several rule sets concurrently, so that the slowest fact determines the duration. */
export async function readHostFacts(
  ruleSets: readonly RuleSet[],
  policyType: string,
  property: Property,
  almanac: Almanac,
): Promise<void> {
  const rules = ruleSets.flatMap((ruleSet) => {
    if (programsFor(ruleSet, policyType, property.state).length === 0) return [];
    const classes = countyClasses(ruleSet, policyType, property.state, property.counties);
    const offered = programsFor(ruleSet, policyType, property.state);
    const programs = new Set(
      hasTiers(offered) ? offered : classes.flatMap(({ program }) => (program ? [program] : [])),
    );
    return programs.size === 0 ? [] : [...ruleSet.rules, ...[...programs].flatMap((program) => program.rules)];
  });
  await almanac.read(testedFacts(rules, almanac), policyType);
}

async function findInClass(
  { county, program, moratoria }: CountyClass,
  ruleSet: RuleSet,
  policyType: string,
  property: Property,
  evaluator: Evaluator,
  almanac: Almanac | undefined,
): Promise<ClassFindings> {
  const inForce = moratoria.filter((each) => each.fromMs <= property.asOfMs && property.asOfMs < each.untilMs);
  const hasMoratorium = inForce.length > 0;
  if (!program) {
    return {
      truths: new Map(),
      demands: new Map(),
      territory: true,
      moratoria: new Set(inForce),
      possible: new Set(['ineligible']),
      missing: new Set(),
    };
  }
  const facts = factsOfProperty(property, policyType, county);
  const rules = [...ruleSet.rules, ...program.rules];
  const steps = rules.flatMap((rule) =>
    (rule.demands ?? []).flatMap((demand) => (demand.condition === rule.condition ? [] : [{ rule, demand }])),
  );
  const answers = await evaluator.evaluate(
    [...rules, ...steps.map(({ rule, demand: { condition } }) => ({ ...rule, condition }))],
    facts,
    almanac,
  );
  const truths = new Map(rules.map((rule, index) => [rule, answers[index]!]));
  const truthOfStep = new Map(steps.map(({ demand }, index) => [demand, answers[rules.length + index]!]));
  const rulesWith = (outcome: Rule['outcome'], truth: Truth) =>
    rules.filter((rule) => rule.outcome === outcome && truths.get(rule) === truth);
  const possible = new Set<SettledStatus>();
  const undecidedTrees: Tree[] = [];
  if (hasMoratorium || rulesWith('decline', 'true').length > 0) possible.add('ineligible');
  else {
    const isReferred = rulesWith('refer', 'true').length > 0;
    possible.add(isReferred ? 'referral' : 'eligible');
    if (rulesWith('decline', 'undecided').length > 0) possible.add('ineligible');
    if (!isReferred && rulesWith('refer', 'undecided').length > 0) possible.add('referral');
    undecidedTrees.push(
      ...[...rulesWith('decline', 'undecided'), ...(isReferred ? [] : rulesWith('refer', 'undecided'))].map(
        (rule) => rule.condition,
      ),
    );
  }
  const index = factIndex(property.vocabulary);
  const missingIn = (trees: readonly Tree[]) => {
    const missing = new Set<string>();
    for (const tree of trees) {
      const names = [...undecidedFacts(tree, facts, evaluator.findOperator)];
      // Host facts are named only if no field of the property is missing.
      const ofProperty = names.filter((name) => index.find(name));
      for (const name of ofProperty.length > 0 ? ofProperty : names) missing.add(name);
    }
    return missingNames(missing, property.vocabulary);
  };
  const demands = new Map<Demand, DemandFinding>();
  for (const rule of rules) {
    for (const demand of rule.demands ?? []) {
      const truth = truthOfStep.get(demand) ?? truths.get(rule)!;
      demands.set(demand, { truth, missing: missingIn(truth === 'undecided' ? [demand.condition] : []) });
    }
  }
  return {
    truths,
    demands,
    territory: false,
    moratoria: new Set(inForce),
    possible,
    missing: missingIn(undecidedTrees),
  };
}

function combine(truths: readonly Truth[]): Truth {
  return truths.every((truth) => truth === truths[0]) ? (truths[0] ?? 'false') : 'undecided';
}

function sameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
