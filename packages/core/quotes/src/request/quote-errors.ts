import type { Fault } from '@leeward/terms';
import type { NotRetryable, RefusedRetry } from '../store/change-quotes.ts';

/** A malformed request (422), with all faults. */
export class InvalidQuoteRequestError extends Error {
  override readonly name = 'InvalidQuoteRequestError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => `${fault.path === '' ? '' : `${fault.path}: `}${fault.message}`).join(' '));
    this.faults = faults;
  }
}

/** A key used with another body (409). */
export class IdempotencyConflictError extends Error {
  override readonly name = 'IdempotencyConflictError';

  constructor() {
    super('This Idempotency-Key was used within 24 hours with another body. Send the same body, or a new key.');
  }
}

export function messageOf({ code, retriedAs }: RefusedRetry): string {
  return retriedAs === undefined ? whyNotRetryable[code] : `The rate was retried already, as ${retriedAs}.`;
}

const whyNotRetryable: Readonly<Record<NotRetryable, string>> = {
  not_finished: 'The rate has not ended yet.',
  not_retryable: 'The rate did not end with a fault that a retry could resolve (error.retryable is not true).',
  may_repeat: 'The carrier may have done its work: contact it first. An operator can retry it anyway (may_repeat).',
  already_retried: 'The rate was retried already.',
  erased: 'The personal data that a carrier would need has been erased.',
};

/** `code` names the reason. */
export class RateNotRetryableError extends Error {
  override readonly name = 'RateNotRetryableError';
  readonly code: NotRetryable;
  /** The rate that replaced it. */
  readonly retriedAs: string | undefined;

  constructor(code: NotRetryable, retriedAs?: string) {
    super(messageOf({ code, retriedAs }));
    this.code = code;
    this.retriedAs = retriedAs;
  }
}
