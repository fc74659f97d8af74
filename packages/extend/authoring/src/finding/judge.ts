import type { Property, Rule, RuleSet, Status, Vocabulary } from '@leeward/engine';
import {
  compiledProgram,
  coversCounty,
  coversState,
  factsOfProperty,
  findStatuses,
  isCompiled,
  treeTruth,
} from '@leeward/engine/compiled';
import { spend, type Work } from './work.ts';

/** What a rule set says of a complete home: its status, and every rule that holds. */
export interface Judgement {
  readonly status: Status;
  readonly holding: ReadonlySet<Rule>;
}

/**
 * Judges complete homes for the analysis: the engine gives the status, and every condition is also put to
 * the plain operators, test by test, without the boxes that the analysis reasons with.
 */
export interface Judge {
  /** Undefined where the engine and the plain reading do not say the same, or something is left open. */
  judge(property: Property): Judgement | undefined;
}

/** Judging a home by a rule takes as long as looking at so many terms. */
const TERMS_A_RULE = 10;

/**
 * The windows of the rule set are put aside: it is judged as though it were in force. Single homes are judged by the terms of
 * its compiled programs: laying out tables for them would take longer than the whole analysis.
 */
export function createJudge(ruleSet: RuleSet, vocabulary: Vocabulary, work?: Work): Judge {
  const rules = ruleSet.rules.length + ruleSet.programs.reduce((sum, program) => sum + program.rules.length, 0);
  const compiledStatus = (property: Property): Status | undefined => {
    const program = compiledProgram(ruleSet, property.policyType!, property.effectiveYear, vocabulary);
    if (!program) return 'not_offered';
    if (!isCompiled(program)) return undefined;
    const found = findStatuses(program, property);
    if (!found) return 'not_offered';
    const [status, other] = found.possible;
    return other === undefined ? status : undefined;
  };
  return {
    judge(property) {
      spend(work, TERMS_A_RULE * (1 + rules));
      const plain = judgePlainly(ruleSet, property);
      return plain && compiledStatus(property) === plain.status ? plain : undefined;
    },
  };
}

/** Reads every condition as it is written; undefined where something is left undecided. */
export function judgePlainly(ruleSet: RuleSet, property: Property): Judgement | undefined {
  const { policyType, state, counties } = property;
  const county = counties?.[0];
  if (policyType === undefined || county === undefined || counties?.length !== 1) return undefined;
  const offered = ruleSet.programs.filter(
    (program) => program.policyTypes.includes(policyType) && coversState(program.places, state),
  );
  if (offered.length === 0) return { status: 'not_offered', holding: new Set() };
  const program = offered.find(({ places }) => coversCounty(places, state, county));
  if (!program) return { status: 'ineligible', holding: new Set() };
  const facts = factsOfProperty(property, policyType, county);
  const holding = new Set<Rule>();
  for (const rule of [...ruleSet.rules, ...program.rules]) {
    const truth = treeTruth(rule.condition, facts);
    if (truth === 'undecided') return undefined;
    if (truth === 'true') holding.add(rule);
  }
  const stopped = ruleSet.moratoria.some(
    ({ fromMs, untilMs, places, policyTypes }) =>
      fromMs <= property.asOfMs &&
      property.asOfMs < untilMs &&
      (policyTypes?.includes(policyType) ?? true) &&
      coversCounty(places, state, county),
  );
  const has = (outcome: Rule['outcome']) => [...holding].some((rule) => rule.outcome === outcome);
  const status = stopped || has('decline') ? 'ineligible' : has('refer') ? 'referral' : 'eligible';
  return { status, holding };
}
