import { PLACE } from '@leeward/engine/compiled';
import { wholeBox } from '../finding/boxes.ts';
import type { WitnessHome } from '../finding/finding.ts';
import type { Judgement } from '../finding/judge.ts';
import { type AnalysisContext, confirmedWitness, type RuleAcross } from './analysis-context.ts';
import type { NumericLimit } from './numeric-limits.ts';

/**
 * A home that meets what else a rule asks, with `value` for the fact of one of its limits; judged by the engine, and as
 * `accept` wants it.
 */
export function homeWith(
  context: AnalysisContext,
  { at }: RuleAcross,
  { reference, isWhole }: NumericLimit,
  value: number,
  accept: (judgement: Judgement) => boolean = () => true,
): WitnessHome | undefined {
  const name = reference.field.name;
  const wanted = isWhole ? Math.round(value) : value;
  for (const { program, compiled } of at) {
    const near = new Map([[name, fieldValueOf(reference, wanted, program.effectiveYear)]]);
    // A rule that no home meets asks nothing else.
    for (const term of compiled.terms.length > 0 ? compiled.terms : [[]]) {
      const box = [...wholeBox(program)];
      for (const { axis, cells } of term) {
        if (axis === PLACE || program.axes[axis]!.axis.name !== name) box[axis] = cells;
      }
      const found = confirmedWitness(context, program, box, accept, near);
      if (found) return found.home;
    }
  }
  return undefined;
}

/** What a field holds where the fact is `value`. */
function fieldValueOf(reference: NumericLimit['reference'], value: number, effectiveYear: number): number {
  if (reference.kind === 'field') return value;
  const { toField, cuts } = reference.derived;
  return toField ? toField(value) : (cuts(value, { effectiveYear })[0] ?? value);
}
