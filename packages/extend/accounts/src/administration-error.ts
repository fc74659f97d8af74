import type { Fault } from '@leeward/terms';

const statusByCode = {
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  idempotency_conflict: 409,
  invalid_request: 422,
} as const;
const defaultMessages = {
  forbidden: 'This token lacks the scope that this takes.',
  not_found: 'There is no such resource.',
  conflict: 'The resource was changed since you read it.',
  idempotency_conflict: 'The idempotency key was used before.',
  invalid_request: 'The request is invalid.',
} as const;

/** Each kind has one HTTP status. */
export type AdministrationErrorCode = keyof typeof statusByCode;

/** A refused change. Safe to show and log. */
export class AdministrationError extends Error {
  override readonly name = 'AdministrationError';
  readonly code: AdministrationErrorCode;
  readonly status: 403 | 404 | 409 | 422;
  /** All faults at once; empty for `not_found`. */
  readonly faults: readonly Fault[];

  constructor(code: AdministrationErrorCode, faults: readonly Fault[] = []) {
    super(faults.length === 0 ? defaultMessages[code] : summary(faults).join(' '));
    this.code = code;
    this.status = statusByCode[code];
    this.faults = faults;
  }
}

/** The first faults on one line. A path may contain any text of the request. */
function summary(faults: readonly Fault[]): string[] {
  const lines = faults.slice(0, 10).map(({ path, message }) => {
    // A message that does not start with a capital continues the name of its field.
    const isSentence = /^\p{Lu}/u.test(message);
    return (isSentence ? message : `${path || '/'} ${message}`).replace(/[\p{C}\p{Z}]+/gu, ' ');
  });
  return faults.length > lines.length ? [...lines, `And ${faults.length - lines.length} more.`] : lines;
}

/** Also for records of other organizations. */
export function notFound(): AdministrationError {
  return new AdministrationError('not_found');
}

/** Status 422. */
export function invalid(path: string, code: string, message: string): AdministrationError {
  return new AdministrationError('invalid_request', [{ path, code, message }]);
}

/** Status 409. */
export function conflict(path: string, code: string, message: string): AdministrationError {
  return new AdministrationError('conflict', [{ path, code, message }]);
}
