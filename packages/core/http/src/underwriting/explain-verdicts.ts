import {
  type Decider,
  type ExplainedTree,
  type Explanation,
  explainVerdict,
  type FactOptions,
  type Property,
  type Verdict,
  type WhatWouldChange,
  whatWouldChange,
} from '@leeward/engine';
import { nextTurn, type Turn } from '@leeward/engine/compiled';

/** Maximum number of explained verdicts in one answer, best first. */
export const MAX_EXPLAINED = 100;
/** Number of tests and nodes after which no further verdict is explained. */
const MAX_NODES = 20_000;
/** Maximum number of alternative changes for each verdict. */
const MAX_WAYS = 3;

/** The explanation of a verdict and, for an ineligible or a referral, the changes that would improve it. */
export interface VerdictExplanation {
  readonly explanation: Explanation;
  readonly wouldChange?: WhatWouldChange;
}

/** Explains verdicts in order, and yields between them. Verdicts beyond the limits of an answer are missing in the result. */
export async function explainVerdicts(
  decider: Decider,
  property: Property,
  verdicts: readonly Verdict[],
  turn: Turn,
  facts: Pick<FactOptions, 'almanac'> = {},
): Promise<ReadonlyMap<Verdict, VerdictExplanation>> {
  const explained = new Map<Verdict, VerdictExplanation>();
  let nodes = 0;
  for (const verdict of verdicts.slice(0, MAX_EXPLAINED)) {
    if (nodes > MAX_NODES) break;
    await nextTurn(turn);
    const { carrierKey, policyType, status } = verdict;
    const explanation = await explainVerdict(decider, property, { ...facts, carrierKey, policyType, tree: true });
    for (const rule of [...explanation.decidedBy, ...(explanation.rules ?? [])])
      nodes += rule.tests.length + (rule.tree ? nodesOf(rule.tree) : 0);
    const isChangeable = status === 'ineligible' || status === 'referral';
    explained.set(verdict, {
      explanation,
      ...(isChangeable
        ? { wouldChange: whatWouldChange(decider, property, { carrierKey, policyType, maxWays: MAX_WAYS }) }
        : {}),
    });
  }
  return explained;
}

function nodesOf(tree: ExplainedTree): number {
  return tree.kind === 'test' ? 1 : tree.children.reduce((sum, child) => sum + nodesOf(child), 1);
}
