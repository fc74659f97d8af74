import type { FindingSeverity } from '../rule-set-review.ts';

/** Conditions for publishing a version. */
export interface ApprovalRules {
  /** True if another person must approve. */
  readonly fourEyes: boolean;
  /** With four eyes, whether `carriers` and `overrides` may put rules in force without approval. */
  readonly allowsDirectRules: boolean;
  /** Lowest severity that the file must explain; `null`: none. */
  readonly explainFrom: FindingSeverity | null;
}

export const defaultApprovalRules: ApprovalRules = { fourEyes: true, allowsDirectRules: true, explainFrom: 'warning' };

export function severitiesFrom(severity: FindingSeverity | null): readonly FindingSeverity[] {
  const all = ['fault', 'warning', 'note'] as const;
  return severity === null ? [] : all.slice(0, all.indexOf(severity) + 1);
}
