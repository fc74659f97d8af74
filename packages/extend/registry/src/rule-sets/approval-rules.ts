import type { FindingSeverity } from '../rule-set-review.ts';

/** Conditions for publishing a version. */
export interface ApprovalRules {
  /** True if a person other than the proposer must approve. */
  readonly fourEyes: boolean;
  /** With four eyes: whether `carriers` and `overrides` may still put rules of an organization in force without approval. */
  readonly allowsDirectRules: boolean;
  /** Findings from this severity up must be explained in the file; `null`: none. */
  readonly explainFrom: FindingSeverity | null;
}

export const defaultApprovalRules: ApprovalRules = { fourEyes: true, allowsDirectRules: true, explainFrom: 'warning' };

/** Severities that must be explained. */
export function severitiesFrom(severity: FindingSeverity | null): readonly FindingSeverity[] {
  const all = ['fault', 'warning', 'note'] as const;
  return severity === null ? [] : all.slice(0, all.indexOf(severity) + 1);
}
