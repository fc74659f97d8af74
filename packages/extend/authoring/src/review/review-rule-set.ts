import { checkRuleSet, homeVocabulary, type RuleSet, type Vocabulary } from '@leeward/engine';
import { carriersOf } from '@leeward/engine/compiled';
import type { Fault } from '@leeward/terms';
import { analyseRuleSet } from '../analysis/analyse.ts';
import { checkCases } from '../cases/check-cases.ts';
import { diffRuleSets } from '../diff/diff.ts';
import { askedAt, mainTimeZone } from '../finding/asked-at.ts';
import { type Severity, type WireFinding, writeFinding } from '../finding/finding.ts';
import { comparedWith, replaces } from './compared-with.ts';

/** A version to review before it goes into force. Plain JSON. */
export interface ReviewInput {
  readonly file: unknown;
  /** Content of `cases.json`; undefined without cases. */
  readonly cases: unknown;
  readonly inForce: readonly unknown[];
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Applies the limits for files from strangers. */
  readonly fromStranger: boolean;
  /** Maximum number of findings, of changes and of failed cases in the result. */
  readonly maxFindings: number;
  /** Maximum work of the analysis and of the comparison, each, in terms of rules. @default unlimited */
  readonly maxWork?: number | undefined;
}

/** The result of a review, as plain JSON. */
export interface Review {
  readonly faults: readonly Fault[];
  /** Absent if there are faults. */
  readonly reviewed?: {
    readonly identity: RuleSetLabels;
    readonly cases: { readonly run: number; readonly failures: readonly WireFinding[] };
    readonly findings: readonly WireFinding[];
    /** Changes against the version that it replaces, else the one that applies on its first day. */
    readonly changes: readonly WireFinding[];
    /** Number of findings and changes beyond `maxFindings`. */
    readonly omitted: number;
    /** Number of findings, including omitted ones, that the file's `allow` does not explain. */
    readonly unexplained: Readonly<Record<Severity, number>>;
  };
}

type RuleSetLabels = Pick<
  RuleSet,
  'carrierKey' | 'carrierName' | 'version' | 'effectiveFrom' | 'effectiveUntil' | 'sha256'
>;

/**
 * Reviews a version for an approval: checks it, runs its cases, analyses it, and compares it with the version in force.
 *
 * @example
 * const { faults, reviewed } = await reviewRuleSet({ file, cases, inForce, atMs: Date.now(), fromStranger: true, maxFindings: 100 });
 */
export async function reviewRuleSet(input: ReviewInput, vocabulary: Vocabulary = homeVocabulary): Promise<Review> {
  const { file, cases, atMs, fromStranger, maxFindings, maxWork } = input;
  const budget = () => (maxWork === undefined ? undefined : { left: maxWork });
  const { ruleSet, faults } = checkRuleSet(file, { vocabulary, fromStranger });
  if (ruleSet === undefined) return { faults };
  const inForce = input.inForce.flatMap((each) => {
    const version = checkRuleSet(each, { vocabulary }).ruleSet;
    return version?.carrierKey === ruleSet.carrierKey ? [version] : [];
  });
  const at = askedAt(atMs, mainTimeZone(ruleSet));
  const remaining = inForce.filter((each) => !replaces(ruleSet, each));
  const [carrier] = carriersOf([ruleSet, ...remaining].map((each) => ({ ruleSet: each, source: 'catalog' })));
  const checked = cases === undefined ? undefined : await checkCases(carrier!, cases, vocabulary);
  const older = comparedWith(ruleSet, inForce);
  const diff = older && diffRuleSets(older, ruleSet, { at, vocabulary, work: budget() });
  const changes = (diff?.findings ?? []).map(({ side, ...finding }) => writeFinding(finding));
  const isComparisonCut = diff?.isComplete === false;
  const findings = analyseRuleSet(ruleSet, { at, vocabulary, work: budget(), isComparisonCut }).findings.map(
    writeFinding,
  );
  const unexplained = { fault: 0, warning: 0, note: 0 };
  for (const { severity, allowed } of findings) {
    if (allowed === undefined) unexplained[severity]++;
  }
  const { carrierKey, carrierName, version, effectiveFrom, effectiveUntil, sha256 } = ruleSet;
  const omittedOf = (list: readonly unknown[]) => Math.max(0, list.length - maxFindings);
  return {
    faults: [],
    reviewed: {
      identity: { carrierKey, carrierName, version, effectiveFrom, effectiveUntil, sha256 },
      cases: {
        run: checked?.cases.length ?? 0,
        failures: (checked?.findings ?? []).slice(0, maxFindings).map(writeFinding),
      },
      findings: heaviestFirst(findings).slice(0, maxFindings),
      changes: changes.slice(0, maxFindings),
      omitted: omittedOf(findings) + omittedOf(changes),
      unexplained,
    },
  };
}

function heaviestFirst(findings: readonly WireFinding[]): WireFinding[] {
  const weights: Readonly<Record<Severity, number>> = { fault: 0, warning: 1, note: 2 };
  return [...findings].sort((a, b) => weights[a.severity] - weights[b.severity]);
}
