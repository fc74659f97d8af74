import { Problem, type RequestFault } from './problem.ts';

/** No such thing, or another tenant's: the two must not be told apart, so they share one sentence. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such thing here, or it is not yours.');
}

export function invalidRequest(errors: readonly RequestFault[]): Problem {
  const first = errors[0]?.message ?? 'The request does not fit its schema.';
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more under errors)` : '';
  return new Problem('invalid_request', `${first}${others}`, { errors });
}

/** A store, queue or geocoder is out of reach. `what` is named to the caller: no address, no cause. */
export function unavailable(what: string, cause?: unknown): Problem {
  return new Problem('unavailable', `${what} is out of reach at the moment; try again in a few seconds.`, {
    headers: { 'retry-after': '5' },
    cause,
  });
}
