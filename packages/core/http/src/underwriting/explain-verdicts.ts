import {
  type Decider,
  type ExplainedTree,
  type Explanation,
  explainVerdict,
  type FactOptions,
  nextTurn,
  type Property,
  type Turn,
  type Verdict,
  type WhatWouldChange,
  whatWouldChange,
} from '@leeward/engine';

/** Entries of one answer that are explained, best first. */
export const MAX_EXPLAINED = 100;
/** Tests and nodes told in one answer: the entry that goes beyond is the last to be explained. */
const MAX_NODES = 20_000;
/** Ways told of each entry, all of as few fields as it takes. */
const MAX_WAYS = 3;

/** Why one entry says what it says and, of a no or a referral, what would change it. */
export interface VerdictExplanation {
  readonly explanation: Explanation;
  readonly wouldChange?: WhatWouldChange;
}

/**
 * Explains verdicts in their order, as many as one answer holds; those without an entry in the map were too many.
 * Others have their turn in between.
 */
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
