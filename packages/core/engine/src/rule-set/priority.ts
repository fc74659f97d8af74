import type { Rule } from './rule-set.ts';

/** Highest priority first; equal ones stay in their order. */
export function byPriority<T>(entries: readonly T[], ruleOf: (entry: T) => Rule): T[] {
  return [...entries].sort((a, b) => ruleOf(b).priority - ruleOf(a).priority);
}
