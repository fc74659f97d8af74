import type { LineSource } from '@leeward/engine/check-thread';
import type { ReviewRules } from '../tool/tool.ts';

/** Like the review of an organization’s proposal. */
const MAX_WORK = 5_000_000;
const MAX_FINDINGS = 50;

/** The caller of a review, and its limits. */
export interface ReviewFor {
  /** Tenants take turns on the threads. */
  readonly tenant: string;
  readonly signal?: AbortSignal | undefined;
  /** Lines of business of one's own. @default [] */
  readonly lineModules?: readonly LineSource[] | undefined;
}

/**
 * Reviews on the threads that all work of the process shares. They are loaded with the first review.
 *
 * @example
 * const review = reviewOnThreads({ tenant: 'me' });
 */
export function reviewOnThreads({ tenant, signal, lineModules = [] }: ReviewFor): ReviewRules {
  return async ({ file, cases, inForce }) => {
    const [{ createReviewThread }, { sharedWorkerPool }] = await Promise.all([
      import('@leeward/authoring/review-thread'),
      import('@leeward/worker-pool'),
    ]);
    const { review } = createReviewThread({ pool: sharedWorkerPool(), lineModules });
    const limits = { fromStranger: true, maxFindings: MAX_FINDINGS, maxWork: MAX_WORK };
    return review({ file, cases, inForce, atMs: Date.now(), ...limits }, { tenant, signal });
  };
}
