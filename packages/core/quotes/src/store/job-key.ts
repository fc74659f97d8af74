import type { JobRef } from '../ports/queue-backend.ts';

/**
 * The key of a rate's job: a rate that is dispatched again after a claim has another key, so that no queue takes it
 * for the job it has already.
 */
export function jobOf(rateId: string, fence: number, carrierKey: string): JobRef {
  return { key: `${rateId}-${fence}`, queue: carrierKey };
}

/** An empty `rateId` where the key is not one of ours. */
export function parseJobKey(key: string): { readonly rateId: string; readonly fence: number } {
  const match = /^(.{1,64})-(\d{1,9})$/.exec(key);
  return { rateId: match?.[1] ?? '', fence: Number(match?.[2] ?? -1) };
}
