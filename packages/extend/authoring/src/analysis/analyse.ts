import { homeVocabulary, type RuleSet, type Vocabulary } from '@leeward/engine';
import {
  type Aggregate,
  type CompiledLadder,
  type CompiledProgram,
  type Computed,
  compiledProgram,
  factIndex,
  forEachLeaf,
  forEachRuleLeaf,
  isCompiled,
  isLadder,
  matchItem,
  sourcesOf,
  valueFact,
} from '@leeward/engine/compiled';
import { isObject, pointer, quoteValue, writeWord } from '@leeward/terms';
import { type AskedAt, withinWindow } from '../finding/asked-at.ts';
import { createHomeEvaluator, type HomeEvaluator } from '../finding/evaluate-home.ts';
import type { Finding } from '../finding/finding.ts';
import { sourcePaths } from '../finding/source-paths.ts';
import { isDoneWithin, type Work } from '../finding/work-budget.ts';
import { type AnalysisContext, type RuleAcross, rulesAcross } from './analysis-context.ts';
import { findClosedPrograms } from './find-closed-programs.ts';
import { findContradictingTerms } from './find-contradicting-terms.ts';
import { findCovered } from './find-covered.ts';
import { findGaps } from './find-gaps.ts';
import { findMissedValues } from './find-missed-values.ts';
import { findOddDates } from './find-odd-dates.ts';
import { findOddTests } from './find-odd-tests.ts';
import { findOddTexts } from './find-odd-texts.ts';
import { findOverlaps } from './find-overlaps.ts';
import { findTierFaults } from './find-tier-faults.ts';
import { findUnusualLimits } from './find-unusual-limits.ts';
import { findWrongMessages } from './find-wrong-messages.ts';

/** The dates of an analysis, and its limits. */
export interface AnalyseOptions {
  readonly at: AskedAt;
  /** The line of business of the rule set. @default homeVocabulary */
  readonly vocabulary?: Vocabulary;
  /** Maximum number of boxes for all searches together. @default 2_000_000 */
  readonly boxes?: number;
  /** Work budget of the whole analysis. @default unlimited */
  readonly work?: Work | undefined;
  /** True if the comparison with the version in force was cut short, so that the analysis is incomplete. @default false */
  readonly isComparisonCut?: boolean;
  /** Also report overlaps of rules that test no field in common. @default false */
  readonly allOverlaps?: boolean;
}

/** The findings of an analysis, and its cost. */
export interface Analysis {
  /** In the order of the file. */
  readonly findings: readonly Finding[];
  /** The dates of the options, with the effective date moved into the rule set's window. */
  readonly at: AskedAt;
  /** Number of boxes searched. */
  readonly boxes: number;
}

const BOXES = 2_000_000;
const BOXES_A_QUESTION = 20_000;

/** Codes of the findings of an analysis. */
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
  'tier_alone',
  'tier_never_reached',
  'gap_tiers',
  'outcomes_overlap',
  'terms_contradict',
  'value_out_of_domain',
  'test_always_holds',
  'test_never_holds',
  'items_never_match',
  'unusual_limit',
  'message_names_another_limit',
  'value_between_limits',
  'message_unfinished',
  'message_quotes_untested_fact',
  'outcome_weaker_than_message',
  'code_of_another_fact',
  'unused_condition',
  'certainty_without_distance',
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
 * Finds what the author of a rule set may not have meant: rules that never hold, rules covered by others, gaps, overlaps, odd limits,
 * messages and dates. The search is exact, and the engine confirms every example home. Findings of an incomplete search state that.
 *
 * @example
 * const { findings } = analyseRuleSet(ruleSet, { at: readAskedAt('2026-11-20')! });
 * findings[0]?.message; // Whenever "five" (decline) holds, "three" (decline) holds too: …
 */
export function analyseRuleSet(ruleSet: RuleSet, options: AnalyseOptions): Analysis {
  const total = options.boxes ?? BOXES;
  const context = createContext(ruleSet, options);
  const isDone = isDoneWithin(() => {
    const rules = rulesAcross(context);
    findOddTests(context, rules);
    findUnmatchedItems(context, rules);
    findUnusualLimits(context, rules);
    findWrongMessages(context, rules);
    findOddTexts(context, rules);
    findUnusedConditions(context);
    findUnusedCertainty(context);
    findOddDates(context);
    findContradictingTerms(context);
    const coveredBy = findCovered(context, rules);
    findOverlaps(context, rules, coveredBy, options.allOverlaps ?? false);
    findMissedValues(context, rules);
    findClosedPrograms(context);
    findGaps(context);
    findTierFaults(context);
  });
  const isComplete = isDone && options.isComparisonCut !== true;
  if (!isComplete) {
    const part = isDone ? 'The comparison with the version in force' : 'The analysis';
    const message = `${part} is incomplete: the rules need more work than the limit of one review. There may be more findings. Write fewer rules that test the same fields, or give the reason in "allow".`;
    context.findings.push({ code: 'analysis_incomplete', path: '', severity: 'fault', message });
  }
  for (const rule of context.ranOut) {
    context.findings.push({
      code: 'ran_out',
      path: rule.path,
      ruleId: rule.id,
      severity: 'warning',
      message: `The search for rules that together cover "${rule.id}" stopped after ${BOXES_A_QUESTION.toLocaleString('en-US')} boxes without a result.`,
    });
  }
  return {
    findings: withAllowances(ruleSet, context.findings.map(withTypesOnce), isComplete),
    at: context.at,
    boxes: total - context.allowance.left,
  };
}

/** Several tiers of a policy type are analysed separately. */
function withTypesOnce(finding: Finding): Finding {
  return finding.policyTypes ? { ...finding, policyTypes: [...new Set(finding.policyTypes)] } : finding;
}

/** Rules that never hold, or that change no answer because others hold whenever they do. */
export function findRulesThatDecideNothing(ruleSet: RuleSet, options: AnalyseOptions): readonly Finding[] {
  const context = createContext(ruleSet, options);
  findCovered(context, rulesAcross(context));
  return context.findings;
}

/** A program that cannot be compiled becomes a finding. */
function createContext(ruleSet: RuleSet, options: AnalyseOptions): AnalysisContext {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  const at = withinWindow(options.at, ruleSet);
  const programs: CompiledProgram[] = [];
  const ladders: CompiledLadder[] = [];
  const evaluators = new Map<CompiledProgram, HomeEvaluator>();
  const findings: Finding[] = [];
  const year = Number(at.effectiveDate.slice(0, 4));
  for (const policyType of vocabulary.policyTypes) {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (!program) continue;
    if (isCompiled(program)) programs.push(program);
    else if (isLadder(program)) {
      ladders.push(program);
      for (const { compiled, programs: own } of program.tiers) {
        programs.push(compiled);
        evaluators.set(compiled, createHomeEvaluator({ ...ruleSet, programs: own }, vocabulary, options.work));
      }
    } else {
      const message = `${writeWord(policyType)} was not analysed: ${program.reason}.`;
      findings.push({
        code: 'not_analysed',
        path: '/programs',
        severity: 'warning',
        message,
        policyTypes: [policyType],
      });
    }
  }
  const evaluator = createHomeEvaluator(ruleSet, vocabulary, options.work);
  return {
    ruleSet,
    at,
    askedAt: options.at,
    programs,
    ladders,
    evaluatorOf: (program) => evaluators.get(program) ?? evaluator,
    allowance: { left: options.boxes ?? BOXES, perQuestion: BOXES_A_QUESTION, work: options.work },
    findings,
    ranOut: new Set(),
  };
}

function findUnusedConditions({ ruleSet, findings }: AnalysisContext): void {
  const { file } = ruleSet;
  if (!isObject(file) || !isObject(file['conditions'])) return;
  const { conditions, ...others } = file;
  const shared = new Map(Object.entries(conditions));
  const used = new Set<string>();
  const open: unknown[] = [others];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    open.push(...Object.values(node));
    const name = isObject(node) ? node['condition'] : undefined;
    if (typeof name !== 'string' || used.has(name)) continue;
    used.add(name);
    open.push(shared.get(name));
  }
  for (const name of shared.keys()) {
    if (used.has(name)) continue;
    findings.push({
      code: 'unused_condition',
      path: `/conditions${pointer(name)}`,
      severity: 'warning',
      message: `No rule uses the shared condition "${name}": remove it, or use it in a rule.`,
    });
  }
}

/** A certainty without a test of a distance that is measured from the location. */
function findUnusedCertainty({ ruleSet, programs, findings }: AnalysisContext): void {
  const vocabulary = programs[0]?.vocabulary;
  if (ruleSet.certainty === undefined || !vocabulary) return;
  const index = factIndex(vocabulary);
  const isMeasured = (name: string) => {
    const reference = index.find(name);
    return reference !== undefined && reference.kind !== 'place' && reference.field.givenAs !== undefined;
  };
  let isUsed = false;
  forEachRuleLeaf(ruleSet, (leaf) => {
    const other = valueFact(leaf.value)?.fact;
    const names = leaf.computed ? [...sourcesOf(leaf.computed)] : [leaf.fact, ...(other === undefined ? [] : [other])];
    if (names.some(isMeasured)) isUsed = true;
  });
  if (isUsed) return;
  findings.push({
    code: 'certainty_without_distance',
    path: '/certainty',
    severity: 'warning',
    message: `The certainty ${ruleSet.certainty} has no effect, because no rule tests a distance to the shore: remove it, or add the rule.`,
  });
}

/**
 * Adds the reason of the file's `allow` to each finding that it allows. An allowance without a finding becomes a finding itself, because
 * it would hide the next mistake of its kind.
 */
function withAllowances({ allowed }: RuleSet, findings: readonly Finding[], isComplete = true): readonly Finding[] {
  if (allowed.length === 0) return findings;
  const used = new Set<number>();
  const results = findings.map((finding) => {
    const index = allowed.findIndex(({ code, ruleId }) => code === finding.code && ruleId === finding.ruleId);
    if (index < 0) return finding;
    used.add(index);
    return { ...finding, allowed: allowed[index]!.why };
  });
  // An incomplete analysis may have missed the finding.
  if (!isComplete) return results;
  const unused = allowed.flatMap(({ code, ruleId }, index): Finding[] => {
    if (used.has(index)) return [];
    const of = ruleId === undefined ? '' : ` of the rule ${quoteValue(ruleId)}`;
    const message = `The analysis has no finding ${quoteValue(code)}${of} for this allowance. Remove it.`;
    return [{ code: 'allowance_without_finding', path: `/allow/${index}`, severity: 'warning', message }];
  });
  return [...results, ...unused];
}

const MAX_TESTS_OF_SEARCH = 20_000;

/** Finds counts and sums whose condition no item meets. */
function findUnmatchedItems({ ruleSet, at, findings }: AnalysisContext, rules: readonly RuleAcross[]): void {
  const paths = sourcePaths(ruleSet.file);
  const reported = new Set<string>();
  for (const { rule } of rules) {
    forEachLeaf(rule.condition, ({ computed, written }) => {
      const unmatched = aggregatesIn(computed).find(
        (each) => matchItem(each, {}, at.effectiveDate, MAX_TESTS_OF_SEARCH).truth === 'false',
      );
      const path = paths.get(written) ?? rule.path;
      if (!unmatched || reported.has(path)) return;
      reported.add(path);
      findings.push({
        code: 'items_never_match',
        path,
        ruleId: rule.id,
        severity: 'warning',
        message: `No ${unmatched.list.itemLabel} can meet the "where" of this test of "${rule.id}": its tests exclude each other, or are outside the values of a field.`,
      });
    });
  }
}

type Operand = Computed | Extract<Computed, { readonly kind: 'operation' }>['of'][number];

function aggregatesIn(operand: Operand | undefined): readonly Aggregate[] {
  if (operand?.kind === 'operation') return operand.of.flatMap(aggregatesIn);
  return operand?.kind === 'aggregate' && operand.where ? [operand] : [];
}
