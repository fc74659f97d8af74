import type { Rule } from './rule-set.ts';

/** Highest first. Stable. */
export function byPriority<T>(entries: readonly T[], ruleOf: (entry: T) => Rule): T[] {
  return [...entries].sort((a, b) => ruleOf(b).priority - ruleOf(a).priority);
}
