import type { JobRef } from '../ports/queue-backend.ts';

/** A rate dispatched again after a claim has another key, so that no queue confuses the jobs. */
export function jobOf(rateId: string, fence: number, carrierKey: string): JobRef {
  return { key: `${rateId}-${fence}`, queue: carrierKey };
}

/** An empty `rateId` for a foreign key. */
export function parseJobKey(key: string): { readonly rateId: string; readonly fence: number } {
  const match = /^(.{1,64})-(\d{1,9})$/.exec(key);
  return { rateId: match?.[1] ?? '', fence: Number(match?.[2] ?? -1) };
}
