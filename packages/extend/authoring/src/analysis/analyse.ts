import { homeVocabulary, type RuleSet, type Vocabulary } from '@leeward/engine';
import { type CompiledProgram, compiledProgram, isCompiled } from '@leeward/engine/compiled';
import { type AskedAt, withinWindow } from '../finding/asked-at.ts';
import type { Finding } from '../finding/finding.ts';
import { createJudge } from '../finding/judge.ts';
import { isDoneWithin, type Work } from '../finding/work.ts';
import { type AnalysisContext, rulesAcross } from './analysis-context.ts';
import { findClosedPrograms } from './find-closed-programs.ts';
import { findCovered } from './find-covered.ts';
import { findGaps } from './find-gaps.ts';
import { findMissedValues } from './find-missed-values.ts';
import { findOddDates } from './find-odd-dates.ts';
import { findOddTests } from './find-odd-tests.ts';
import { findOddTexts } from './find-odd-texts.ts';
import { findOverlaps } from './find-overlaps.ts';
import { findUnusedConditions } from './find-unused-conditions.ts';
import { findUnusualLimits } from './find-unusual-limits.ts';
import { findWrongMessages } from './find-wrong-messages.ts';
import { withAllowances } from './with-allowances.ts';

/** When ages are reckoned at, and how far the searches go. */
export interface AnalyseOptions {
  readonly at: AskedAt;
  readonly vocabulary?: Vocabulary;
  /** Boxes that all searches together may look at; default 2,000,000. */
  readonly boxes?: number;
  /** Work budget of the whole analysis. @default unlimited */
  readonly work?: Work | undefined;
  /** True if the version could not be compared in full with what is in force: the analysis is then no complete one. */
  readonly isComparisonCut?: boolean;
  /** Also overlaps of rules that test no field in common. */
  readonly allOverlaps?: boolean;
}

/** What was found, and at what cost. */
export interface Analysis {
  /** In the order of the file. */
  readonly findings: readonly Finding[];
  /** As asked, with the effective date moved into the rule set's window. */
  readonly at: AskedAt;
  /** Boxes that the searches looked at. */
  readonly boxes: number;
}

const BOXES = 2_000_000;
const BOXES_A_QUESTION = 20_000;

/** The codes of findings that an analysis can make. */
export const analysisCodes = [
  'rule_never_holds',
  'rule_needs_inconsistent_home',
  'rule_covered_by_one',
  'rule_covered_by_several',
  'declines_everybody',
  'refers_everybody',
  'gap_rules',
  'gap_territory',
  'gap_policy_type',
  'outcomes_overlap',
  'value_out_of_domain',
  'test_always_holds',
  'test_never_holds',
  'unusual_limit',
  'message_names_another_limit',
  'value_between_limits',
  'message_unfinished',
  'message_quotes_untested_fact',
  'outcome_weaker_than_message',
  'code_of_another_fact',
  'unused_condition',
  'effective_far_ahead',
  'short_window',
  'moratorium_over',
  'moratorium_everywhere',
  'moratorium_without_end',
  'not_written',
  'opaque_test',
  'not_analysed',
  'ran_out',
  'analysis_incomplete',
  'allowance_without_finding',
] as const;

/**
 * Finds what a rule set says that its author may not have meant. Exact: by subtraction of boxes of cells,
 * every witness judged by the engine before it is named. What a budget cut short is said.
 */
export function analyseRuleSet(ruleSet: RuleSet, options: AnalyseOptions): Analysis {
  const total = options.boxes ?? BOXES;
  const context = analysisOf(ruleSet, options);
  const isDone = isDoneWithin(() => {
    const rules = rulesAcross(context);
    findOddTests(context, rules);
    findUnusualLimits(context, rules);
    findWrongMessages(context, rules);
    findOddTexts(context, rules);
    findUnusedConditions(context);
    findOddDates(context);
    const coveredBy = findCovered(context, rules);
    findOverlaps(context, rules, coveredBy, options.allOverlaps ?? false);
    findMissedValues(context, rules);
    findClosedPrograms(context);
    findGaps(context);
  });
  const isComplete = isDone && options.isComparisonCut !== true;
  if (!isComplete) {
    const missing = isDone ? 'The comparison with what is in force' : 'The analysis';
    const message = `${missing} is incomplete: the rules take more work than one review may do, so there may be more to find. Write fewer rules that test the same fields, or say in "allow" why this may stand.`;
    context.findings.push({ code: 'analysis_incomplete', path: '', severity: 'fault', message });
  }
  for (const rule of context.ranOut) {
    context.findings.push({
      code: 'ran_out',
      path: rule.path,
      ruleId: rule.id,
      severity: 'warning',
      message: `Whether other rules together cover "${rule.id}" was not settled within ${BOXES_A_QUESTION.toLocaleString('en-US')} boxes: nothing is claimed.`,
    });
  }
  return {
    findings: withAllowances(ruleSet, context.findings, isComplete),
    at: context.at,
    boxes: total - context.allowance.left,
  };
}

/** The rules of a rule set that decide nothing, because others do wherever they hold, or because no home meets them. */
export function findRulesThatDecideNothing(ruleSet: RuleSet, options: AnalyseOptions): readonly Finding[] {
  const context = analysisOf(ruleSet, options);
  findCovered(context, rulesAcross(context));
  return context.findings;
}

/** What an analysis begins with: every program compiled, and what could not be. */
function analysisOf(ruleSet: RuleSet, options: AnalyseOptions): AnalysisContext {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  const at = withinWindow(options.at, ruleSet);
  const programs: CompiledProgram[] = [];
  const findings: Finding[] = [];
  const year = Number(at.effectiveDate.slice(0, 4));
  for (const policyType of vocabulary.policyTypes) {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (!program) continue;
    if (isCompiled(program)) programs.push(program);
    else {
      const message = `${policyType} was not analysed: ${program.reason}.`;
      findings.push({
        code: 'not_analysed',
        path: '/programs',
        severity: 'warning',
        message,
        policyTypes: [policyType],
      });
    }
  }
  return {
    ruleSet,
    at,
    askedAt: options.at,
    programs,
    judge: createJudge(ruleSet, vocabulary, options.work),
    allowance: { left: options.boxes ?? BOXES, perQuestion: BOXES_A_QUESTION, work: options.work },
    findings,
    ranOut: new Set(),
  };
}
