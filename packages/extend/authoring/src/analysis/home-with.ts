import { PLACE } from '@leeward/engine/compiled';
import { wholeBox } from '../finding/boxes.ts';
import type { Evaluation } from '../finding/evaluate-home.ts';
import type { ExampleHome } from '../finding/finding.ts';
import { type AnalysisContext, confirmedExample, type RuleAcross } from './analysis-context.ts';
import type { NumericLimit } from './numeric-limits.ts';

/** A home that has `value` for the fact of a limit and meets the other tests of the rule, and whose evaluation `accept` accepts. */
export function homeWith(
  context: AnalysisContext,
  { at }: RuleAcross,
  { reference, isWhole }: NumericLimit,
  value: number,
  accept: (evaluation: Evaluation) => boolean = () => true,
): ExampleHome | undefined {
  const name = reference.field.name;
  const target = isWhole ? Math.round(value) : value;
  for (const { program, compiled } of at) {
    const near = new Map([[name, fieldValueOf(reference, target, program.effectiveYear)]]);
    // If no home can meet the rule, ignore its other tests.
    for (const term of compiled.terms.length > 0 ? compiled.terms : [[]]) {
      const box = [...wholeBox(program)];
      for (const { axis, cells } of term) {
        if (axis === PLACE || program.axes[axis]!.axis.name !== name) box[axis] = cells;
      }
      const example = confirmedExample(context, program, box, accept, near);
      if (example) return example.home;
    }
  }
  return undefined;
}

function fieldValueOf(reference: NumericLimit['reference'], value: number, effectiveYear: number): number {
  if (reference.kind === 'field') return value;
  const { toField, cuts } = reference.derived;
  return toField ? toField(value) : (cuts(value, { effectiveYear })[0] ?? value);
}
