import { type Decision, withDetails } from '../catalog/decision.ts';
import type { Decider } from '../catalog/organization-catalog.ts';
import { createAlmanac } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type ExplainOptions, explainVerdict } from './explain-verdict.ts';
import type { Explanation } from './explanation.ts';

/** A verdict with its explanation. */
export interface ExplainedVerdict extends Verdict {
  readonly explanation: Explanation;
}

/** A decision in which every verdict has its explanation. */
export interface ExplainedDecision extends Decision {
  readonly verdicts: readonly ExplainedVerdict[];
}

/**
 * Decides, and explains every verdict. Includes the tree of every rule by default.
 *
 * @example
 *  const { verdicts } = await explainDecision(catalog, property);
 *  for (const { carrierName, explanation } of verdicts) console.log(carrierName, explanation.decidedBy);
 */
export async function explainDecision(
  decider: Decider,
  property: Property,
  options: ExplainOptions = {},
): Promise<ExplainedDecision> {
  const { tree = true, almanac = createAlmanac(decider.options, property, options) } = options;
  const deciding = { ...options, almanac };
  const decision = await decider.decide(property, deciding);
  const verdicts: ExplainedVerdict[] = [];
  for (const verdict of decision.verdicts) {
    const { carrierKey, policyType } = verdict;
    verdicts.push({
      ...verdict,
      explanation: await explainVerdict(decider, property, { ...deciding, carrierKey, policyType, tree }),
    });
  }
  const { counts, nextQuestions } = decision;
  return withDetails({ counts, verdicts, nextQuestions }, () => decision) as ExplainedDecision;
}
