import type { Property, Rule, RuleSet, Status, Vocabulary } from '@leeward/engine';
import {
  compiledProgram,
  coversCounty,
  coversState,
  factsOfProperty,
  findLadderStatuses,
  findStatuses,
  isCompiled,
  isLadder,
  ladderParts,
  type Program,
  treeTruth,
} from '@leeward/engine/compiled';
import { spend, type Work } from './work-budget.ts';

/** The status of a complete home, and all rules that hold. */
export interface Evaluation {
  readonly status: Status;
  /** For a carrier with tiers: the rules of the tier, or of the last tier if all decline. */
  readonly holding: ReadonlySet<Rule>;
  /** The tier that takes or refers the home. */
  readonly tier?: Program;
}

/**
 * Evaluates complete homes twice to confirm findings: the engine computes the status, and the plain operators evaluate every condition
 * test by test, without boxes.
 */
export interface HomeEvaluator {
  /** Undefined if the two results differ, or one of them is undecided. */
  evaluate(property: Property): Evaluation | undefined;
}

/** Cost of evaluating one rule, in terms. */
const TERMS_A_RULE = 10;

/** Ignores the effective window of the rule set. */
export function createHomeEvaluator(ruleSet: RuleSet, vocabulary: Vocabulary, work?: Work): HomeEvaluator {
  const rules = ruleSet.rules.length + ruleSet.programs.reduce((sum, program) => sum + program.rules.length, 0);
  const compiledStatus = (property: Property): Status | undefined => {
    const program = compiledProgram(ruleSet, property.policyType!, property.effectiveYear, vocabulary);
    if (!program) return 'not_offered';
    if (!isCompiled(program) && !isLadder(program)) return undefined;
    const statuses = isLadder(program) ? findLadderStatuses(program, property) : findStatuses(program, property);
    if (!statuses) return 'not_offered';
    const [status, other] = statuses.possible;
    return other === undefined ? status : undefined;
  };
  return {
    evaluate(property) {
      spend(work, TERMS_A_RULE * (1 + rules));
      const plain = evaluatePlainly(ruleSet, property);
      return plain && compiledStatus(property) === plain.status ? plain : undefined;
    },
  };
}

/** Evaluates every condition by the plain operators. Undefined if some condition is undecided. */
export function evaluatePlainly(ruleSet: RuleSet, property: Property): Evaluation | undefined {
  const { policyType, state, counties } = property;
  const county = counties?.[0];
  if (policyType === undefined || county === undefined || counties?.length !== 1) return undefined;
  const offered = ruleSet.programs.filter(
    (program) => program.policyTypes.includes(policyType) && coversState(program.places, state),
  );
  if (offered.length === 0) return { status: 'not_offered', holding: new Set() };
  const programs = ladderParts(offered.filter(({ places }) => coversCounty(places, state, county)));
  if (programs.length === 0) return { status: 'ineligible', holding: new Set() };
  const facts = factsOfProperty(property, policyType, county);
  const isStopped = ruleSet.moratoria.some(
    ({ fromMs, untilMs, places, policyTypes }) =>
      fromMs <= property.asOfMs &&
      property.asOfMs < untilMs &&
      (policyTypes?.includes(policyType) ?? true) &&
      coversCounty(places, state, county),
  );
  const evaluations: Evaluation[] = [];
  for (const { tier, programs: own } of programs) {
    const holding = new Set<Rule>();
    for (const rule of [...ruleSet.rules, ...own.flatMap(({ rules }) => rules)]) {
      const truth = treeTruth(rule.condition, facts);
      if (truth === 'undecided') return undefined;
      if (truth === 'true') holding.add(rule);
    }
    const has = (outcome: Rule['outcome']) => [...holding].some((rule) => rule.outcome === outcome);
    const status = isStopped || has('decline') ? 'ineligible' : has('refer') ? 'referral' : 'eligible';
    evaluations.push({ status, holding, ...(tier && status !== 'ineligible' ? { tier } : {}) });
  }
  return (
    evaluations.find(({ status }) => status === 'eligible') ??
    evaluations.find(({ status }) => status === 'referral') ??
    evaluations.at(-1)
  );
}
