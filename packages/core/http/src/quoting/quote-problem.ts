import {
  IdempotencyConflictError,
  InvalidQuoteRequestError,
  isUnavailable,
  RateNotRetryableError,
} from '@leeward/quotes';
import { invalidRequest, Problem, unavailable } from '../problem/problem.ts';

/**
 * Returns other errors unchanged.
 *
 * @example
 * const rate = await quotes.retry(teamId, rateId).catch((error) => {
 *   throw asQuoteProblem(error);
 * });
 */
export function asQuoteProblem(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof InvalidQuoteRequestError) return invalidRequest(error.faults);
  if (error instanceof IdempotencyConflictError) return new Problem('idempotency_conflict', error.message);
  if (error instanceof RateNotRetryableError) {
    return invalidRequest([{ path: '', code: error.code, message: error.message }]);
  }
  return isUnavailable(error) ? unavailable('The store of quotes', error) : error;
}
