import { CoastError } from '../coast-error.ts';
import type { CombinationRule } from '../shoreline/shoreline.ts';

/** The preferred shoreline answers unless the check has a shore nearer by more than `excessMeters`. */
export function isPreferred(rule: CombinationRule, preferredMeters: number, checkMeters: number): boolean {
  return preferredMeters <= checkMeters + rule.excessMeters;
}

/** Grows with the disagreement. */
export function combinedAccuracyMeters(rule: CombinationRule, preferredMeters: number, checkMeters: number): number {
  const disagreement = Math.abs(preferredMeters - checkMeters);
  const ceiling = isPreferred(rule, preferredMeters, checkMeters)
    ? rule.preferredCeilingMeters
    : rule.checkCeilingMeters;
  return Math.min(rule.baseMeters + rule.disagreementFactor * disagreement, ceiling);
}

/** Numbers must be zero or more; ceilings may be infinite. Throws `invalid_option`. */
export function checkCombinationRule(rule: CombinationRule): void {
  for (const [name, value] of Object.entries(rule)) {
    const isAllowed = name.endsWith('CeilingMeters') || value !== Number.POSITIVE_INFINITY;
    if (typeof value === 'number' && value >= 0 && isAllowed) continue;
    throw new CoastError('invalid_option', `combination rule: ${name} is ${String(value)}; expected zero or more`);
  }
}
