import { type Aggregate, type Computed, forEachLeaf, matchItem } from '@leeward/engine/compiled';
import { sourcePaths } from '../finding/source-paths.ts';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';

const MAX_TESTS_OF_SEARCH = 20_000;

/** Finds counts and sums whose condition no item meets. */
export function findUnmatchedItems({ ruleSet, at, findings }: AnalysisContext, rules: readonly RuleAcross[]): void {
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
