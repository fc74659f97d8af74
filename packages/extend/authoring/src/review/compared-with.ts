import type { RuleSet } from '@leeward/engine';

/** The version whose place another takes, or that applies until it does; undefined: none. */
export function comparedWith(ruleSet: RuleSet, inForce: readonly RuleSet[]): RuleSet | undefined {
  return inForce.find((each) => takesPlaceOf(ruleSet, each)) ?? appliesOn(inForce, ruleSet.effectiveFrom);
}

/** Versions of one name, or of one first day, are one after the other. */
export function takesPlaceOf(newer: RuleSet, older: RuleSet): boolean {
  return newer.version === older.version || newer.effectiveFrom === older.effectiveFrom;
}

function appliesOn(versions: readonly RuleSet[], date: string): RuleSet | undefined {
  const applying = versions.filter(({ effectiveFrom }) => effectiveFrom <= date);
  return applying.sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1))[0];
}
