import { checkRuleSet, homeVocabulary, type RuleSet, type Vocabulary } from '@leeward/engine';
import { carriersOf } from '@leeward/engine/compiled';
import type { Fault } from '@leeward/terms';
import { analyseRuleSet } from '../analysis/analyse.ts';
import { checkCases } from '../cases/check-cases.ts';
import { diffRuleSets } from '../diff/diff.ts';
import { askedAt, mainTimeZone } from '../finding/asked-at.ts';
import { type Severity, type WireFinding, writeFinding } from '../finding/finding.ts';
import { comparedWith, takesPlaceOf } from './compared-with.ts';

/** A version that is to go into force. All of it is plain JSON. */
export interface ReviewInput {
  readonly file: unknown;
  /** As they stand in `cases.json`; undefined: none. */
  readonly cases: unknown;
  /** Versions of the carrier that are in force. */
  readonly inForce: readonly unknown[];
  /** When ages are reckoned at, in epoch milliseconds. */
  readonly atMs: number;
  /** Whether the limits for files from strangers apply. */
  readonly fromStranger: boolean;
  /** Findings and changes kept at most, of each. */
  readonly maxFindings: number;
  /** Terms of rules that the analysis and the comparison may each look at; default any number. */
  readonly maxWork?: number | undefined;
}

/** What is found out about it, as plain JSON. */
export interface Review {
  readonly faults: readonly Fault[];
  /** Present where there are no faults. */
  readonly reviewed?: {
    readonly identity: RuleSetLabels;
    readonly cases: { readonly run: number; readonly failures: readonly WireFinding[] };
    readonly findings: readonly WireFinding[];
    /** Against the version whose place it takes, or that applies until it does. */
    readonly changes: readonly WireFinding[];
    readonly omitted: number;
    /** Findings that the file does not explain, those left out as well. */
    readonly unexplained: Readonly<Record<Severity, number>>;
  };
}

type RuleSetLabels = Pick<
  RuleSet,
  'carrierKey' | 'carrierName' | 'version' | 'effectiveFrom' | 'effectiveUntil' | 'sha256'
>;

/** Checks, runs the cases, analyses, and compares with what is in force: what an approval rests on. */
export async function reviewRuleSet(input: ReviewInput, vocabulary: Vocabulary = homeVocabulary): Promise<Review> {
  const { file, cases, atMs, fromStranger, maxFindings, maxWork } = input;
  const budget = () => (maxWork === undefined ? undefined : { left: maxWork });
  const { ruleSet, faults } = checkRuleSet(file, { vocabulary, fromStranger });
  if (ruleSet === undefined) return { faults };
  const inForce = input.inForce.flatMap((each) => {
    const checked = checkRuleSet(each, { vocabulary });
    return checked.ruleSet?.carrierKey === ruleSet.carrierKey ? [checked.ruleSet] : [];
  });
  const at = askedAt(atMs, mainTimeZone(ruleSet));
  const stays = inForce.filter((each) => !takesPlaceOf(ruleSet, each));
  const [carrier] = carriersOf([ruleSet, ...stays].map((each) => ({ ruleSet: each, source: 'catalog' })));
  const ran = cases === undefined ? undefined : await checkCases(carrier!, cases, vocabulary);
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
  const leftOut = (list: readonly unknown[]) => Math.max(0, list.length - maxFindings);
  return {
    faults: [],
    reviewed: {
      identity: { carrierKey, carrierName, version, effectiveFrom, effectiveUntil, sha256 },
      cases: { run: ran?.cases.length ?? 0, failures: (ran?.findings ?? []).slice(0, maxFindings).map(writeFinding) },
      findings: heaviestFirst(findings).slice(0, maxFindings),
      changes: changes.slice(0, maxFindings),
      omitted: leftOut(findings) + leftOut(changes),
      unexplained,
    },
  };
}

function heaviestFirst(findings: readonly WireFinding[]): WireFinding[] {
  const weights: Readonly<Record<Severity, number>> = { fault: 0, warning: 1, note: 2 };
  return [...findings].sort((a, b) => weights[a.severity] - weights[b.severity]);
}
