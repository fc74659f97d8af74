import { CoastError } from '../coast-error.ts';
import type { CombinationRule } from '../shoreline/shoreline.ts';

/** Whether the preferred shoreline answers: unless the other one knows a shore so much nearer that this one must lack it. */
export function preferredAnswers(rule: CombinationRule, preferredMeters: number, checkMeters: number): boolean {
  return preferredMeters <= checkMeters + rule.excessMeters;
}

/** The radius of accuracy of two shorelines' answer: their disagreement tells it. */
export function combinedAccuracyMeters(rule: CombinationRule, preferredMeters: number, checkMeters: number): number {
  const disagreement = Math.abs(preferredMeters - checkMeters);
  const ceiling = preferredAnswers(rule, preferredMeters, checkMeters)
    ? rule.preferredCeilingMeters
    : rule.checkCeilingMeters;
  return Math.min(rule.baseMeters + rule.disagreementFactor * disagreement, ceiling);
}

/** Throws `invalid_option` unless all numbers of a rule are zero or more (ceilings may be infinite). */
export function checkCombinationRule(rule: CombinationRule): void {
  for (const [name, value] of Object.entries(rule)) {
    const finite = name.endsWith('CeilingMeters') || value !== Number.POSITIVE_INFINITY;
    if (typeof value === 'number' && value >= 0 && finite) continue;
    throw new CoastError('invalid_option', `combination rule: ${name} is ${String(value)}; expected zero or more`);
  }
}
