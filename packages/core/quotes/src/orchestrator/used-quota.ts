import type { UsedQuota } from '../store/pace.ts';
import { type Circumstances, type Decision, endUnasked } from './decide.ts';

/** Of a request that was not made because a quota is used up. */
export const usedUpCode = 'quota_used_up';

export function usedUpMessage({ requests, per, resetsAt }: UsedQuota): string {
  return `The carrier's quota of ${requests} requests a ${per} is used up; it begins anew at ${resetsAt}.`;
}

/** It is waited for where the quote has the time. @param keepSent the carrier may have been asked by an earlier claim. */
export function decideAfterUsedQuota(
  { usedUp, waitMs }: { readonly usedUp: UsedQuota; readonly waitMs: number },
  keepSent: boolean,
  { remainingMs }: Circumstances,
): Decision {
  if (waitMs < remainingMs) return { kind: 'again', delayMs: waitMs, keepSent, uncounted: true, reason: usedUpCode };
  return endUnasked({ code: usedUpCode, message: usedUpMessage(usedUp) }, keepSent);
}
