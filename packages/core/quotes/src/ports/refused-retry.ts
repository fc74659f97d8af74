/** Why a rate cannot be retried: 422 with the code. */
export type NotRetryable = 'not_finished' | 'not_retryable' | 'may_repeat' | 'already_retried' | 'erased';

/** A rate that was not retried, and the rate in its place where it was before: an answer that told of it may have been lost. */
export interface RefusedRetry {
  readonly code: NotRetryable;
  readonly retriedAs?: string | undefined;
}
