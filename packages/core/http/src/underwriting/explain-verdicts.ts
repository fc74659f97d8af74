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

/** Maximum number of explained verdicts, best first. */
export const MAX_EXPLAINED = 100;
/** Tests and nodes after which explaining stops. */
const MAX_NODES = 20_000;
/** Per verdict. */
const MAX_WAYS = 3;

/** With the changes that would improve an ineligible verdict or a referral. */
export interface VerdictExplanation {
  readonly explanation: Explanation;
  readonly wouldChange?: WhatWouldChange;
  /** By program id, the changes with which better tiers would take the home. */
  readonly tiers?: ReadonlyMap<string, WhatWouldChange>;
}

/** Yields between verdicts. Those beyond the limits are missing. */
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
    const change = (tier?: string) =>
      whatWouldChange(decider, property, { carrierKey, policyType, maxWays: MAX_WAYS, ...(tier ? { tier } : {}) });
    const tiers = new Map(verdict.betterTiers?.map(({ programId }) => [programId, change(programId)]));
    explained.set(verdict, {
      explanation,
      ...(isChangeable ? { wouldChange: change() } : {}),
      ...(tiers.size > 0 ? { tiers } : {}),
    });
  }
  return explained;
}

function nodesOf(tree: ExplainedTree): number {
  return tree.kind === 'test' ? 1 : tree.children.reduce((sum, child) => sum + nodesOf(child), 1);
}
