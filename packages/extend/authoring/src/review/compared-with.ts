import type { RuleSet } from '@leeward/engine';

/** The version in force to compare a new version with: the one that it replaces, else the one that applies on its first day. */
export function comparedWith(ruleSet: RuleSet, inForce: readonly RuleSet[]): RuleSet | undefined {
  return inForce.find((each) => replaces(ruleSet, each)) ?? appliesOn(inForce, ruleSet.effectiveFrom);
}

/** True if the newer version has the name or the first day of the older one. */
export function replaces(newer: RuleSet, older: RuleSet): boolean {
  return newer.version === older.version || newer.effectiveFrom === older.effectiveFrom;
}

function appliesOn(versions: readonly RuleSet[], date: string): RuleSet | undefined {
  const applying = versions.filter(({ effectiveFrom }) => effectiveFrom <= date);
  return applying.sort((a, b) => (a.effectiveFrom < b.effectiveFrom ? 1 : -1))[0];
}
