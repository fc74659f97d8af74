import { type Decision, silently } from '../catalog/decision.ts';
import type { Decider } from '../catalog/organization-catalog.ts';
import { createAlmanac } from '../reference/almanac.ts';
import type { Property } from '../request/property.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type ExplainOptions, explainVerdict } from './explain-verdict.ts';
import type { Explanation } from './explanation.ts';

/** A verdict with why. */
export interface ExplainedVerdict extends Verdict {
  readonly explanation: Explanation;
}

/** A decision whose verdicts each carry their explanation. */
export interface ExplainedDecision extends Decision {
  readonly verdicts: readonly ExplainedVerdict[];
}

/** Decides, and explains every verdict; by default with the whole tree of each rule. */
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
  return silently({ counts, verdicts, nextQuestions }, () => decision) as ExplainedDecision;
}
