import { parseOperator } from '@leeward/engine/compiled';
import { writeQuantity } from '@leeward/terms';
import type { ExampleHome } from '../finding/finding.ts';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';
import { homeWith } from './home-with.ts';
import { type NumericLimit, numericLimits } from './numeric-limits.ts';

interface LimitOfRule {
  readonly across: RuleAcross;
  readonly limit: NumericLimit;
}

/**
 * Finds values between the limits of two rules: one rule tests more than 20, another less than 20, and none tests 20. One of the two
 * limits should probably include it.
 */
export function findMissedValues(context: AnalysisContext, rules: readonly RuleAcross[]): void {
  const vocabulary = context.programs[0]?.vocabulary;
  if (!vocabulary) return;
  const byValue = Map.groupBy(
    rules.flatMap((across) => numericLimits(across.rule, vocabulary).map((limit): LimitOfRule => ({ across, limit }))),
    ({ limit }) => `${limit.fact} ${limit.value}`,
  );
  for (const limits of byValue.values()) {
    const above = limits.find(({ limit }) => sideOf(limit) === 'above');
    const below = limits.find(({ limit }) => sideOf(limit) === 'below');
    const isIncluded = limits.some(({ limit }) => sideOf(limit) === undefined);
    if (!above || !below || isIncluded || above.across === below.across || !meetSomewhere(above, below)) continue;
    const { label, value, unit } = above.limit;
    const at = writeQuantity(value, unit, { label });
    const example = exampleOf(context, above, below);
    if (!example) continue;
    const { rule } = below.across;
    context.findings.push({
      code: 'value_between_limits',
      path: rule.path,
      ruleId: rule.id,
      otherRuleIds: [above.across.rule.id],
      severity: 'warning',
      message: `"${above.across.rule.id}" tests whether ${above.limit.words}, and "${rule.id}" whether ${below.limit.words}: neither holds at ${at} itself. Make one of them include it.`,
      policyTypes: below.across.at.map(({ program }) => program.policyType),
      example,
    });
  }
}

/** The side on which a strict limit holds. Undefined for a test that includes its number. */
function sideOf({ written, cut }: NumericLimit): 'above' | 'below' | undefined {
  const parsed = parseOperator(written.operator);
  if (!cut || parsed === undefined || parsed.decorators.length > 0) return undefined;
  if (parsed.base.name === 'greaterThan') return 'above';
  return parsed.base.name === 'lessThan' ? 'below' : undefined;
}

/** True if both rules belong to one program. */
function meetSomewhere(one: LimitOfRule, other: LimitOfRule): boolean {
  return one.across.at.some(({ program, compiled }) =>
    other.across.at.some(
      (each) =>
        each.program === program &&
        (compiled.program === undefined ||
          each.compiled.program === undefined ||
          compiled.program === each.compiled.program),
    ),
  );
}

/** A home with the value itself for which neither rule holds, although one of them holds a little above and below it. */
function exampleOf(context: AnalysisContext, above: LimitOfRule, below: LimitOfRule): ExampleHome | undefined {
  const { value, isWhole } = below.limit;
  const step = isWhole ? 1 : Math.max(Math.abs(value) / 100, 0.01);
  const homeAt = (at: number, accept: Parameters<typeof homeWith>[4]) =>
    homeWith(context, below.across, below.limit, at, accept);
  const holdsBelow = homeAt(value - step, ({ holding }) => holding.has(below.across.rule));
  const holdsAbove = homeAt(value + step, ({ holding }) => holding.has(above.across.rule));
  if (!holdsBelow || !holdsAbove) return undefined;
  return homeAt(value, ({ holding }) => !holding.has(above.across.rule) && !holding.has(below.across.rule));
}
