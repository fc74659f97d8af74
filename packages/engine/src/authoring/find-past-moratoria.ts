import { formatInstant } from '@leeward/terms';
import { isEmpty } from '../compiled/cell-set.ts';
import { covers } from '../compiled/place-axis.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';
import { wholeBox } from './boxes.ts';
import type { WitnessHome } from './finding.ts';

/** Moratoria that have ended: they stop nobody any more, and the next storm's may have been meant. */
export function findPastMoratoria(context: AnalysisContext): void {
  for (const [index, moratorium] of context.ruleSet.moratoria.entries()) {
    const { id, untilMs, places, policyTypes } = moratorium;
    if (untilMs > context.at.asOfMs) continue;
    let witness: WitnessHome | undefined;
    const stopped = context.programs.filter(({ policyType }) => policyTypes?.includes(policyType) ?? true);
    for (const program of stopped) {
      const cells = program.place.cellsWhere((place) => covers(places, place));
      if (isEmpty(cells)) continue;
      witness ??= confirmed(context, program, wholeBox(program, cells), ({ status }) => status !== 'not_offered');
    }
    context.findings.push({
      code: 'moratorium_over',
      path: `/moratoria/${index}/until`,
      severity: 'note',
      message: `The moratorium "${id}" ended at ${formatInstant(untilMs)} and stops nobody any more: take it out, or give the end that was meant.`,
      policyTypes: stopped.map(({ policyType }) => policyType),
      ...(witness ? { witness } : {}),
    });
  }
}
