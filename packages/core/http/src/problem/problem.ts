/** A JSON Pointer, a code, and a sentence with the way out. */
export interface RequestFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** By problem code. */
export const problemKinds = {
  malformed_request: { status: 400, title: 'Malformed HTTP request' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Permission denied' },
  network_not_allowed: { status: 403, title: 'Network not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict with another change' },
  idempotency_conflict: { status: 409, title: 'Idempotency key already used' },
  gone: { status: 410, title: 'Gone' },
  body_too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  expectation_failed: { status: 417, title: 'Unsupported expectation' },
  invalid_request: { status: 422, title: 'Invalid request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Header fields too large' },
  internal_error: { status: 500, title: 'Internal error' },
  coming_soon: { status: 501, title: 'Coming soon' },
  carrier_failed: { status: 502, title: 'Carrier failed' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  carrier_timeout: { status: 504, title: 'Carrier too slow' },
} as const;

/** The `code` of a problem. */
export type ProblemCode = keyof typeof problemKinds;

/** Further parts of a problem. */
export interface ProblemOptions {
  /** All faults. If omitted, there is no `errors`. */
  readonly errors?: readonly RequestFault[];
  /** `allow`, `retry-after`. If omitted, none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document. If omitted, none. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Logged, never sent. If omitted, the caller is at fault. */
  readonly cause?: unknown;
}

/**
 * Ends a request with RFC 9457 problem details.
 *
 * @example
 * throw new Problem('forbidden', 'The token lacks the scope "rules".');
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return problemKinds[this.code].status;
  }
}

/**
 * 404, also for resources of other tenants.
 *
 * @example
 * if (office === undefined) throw notFound();
 */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such resource, or it belongs to another tenant.');
}

/**
 * 422. The detail is the first fault and the number of faults.
 *
 * @example
 * throw invalidRequest([{ path: '/roof_age', code: 'too_big', message: 'roof_age is 900; give years.' }]);
 */
export function invalidRequest(errors: readonly RequestFault[]): Problem {
  const first = errors[0]?.message ?? 'The request does not fit its schema.';
  const others = errors.length > 1 ? ` This is the first of ${errors.length} faults; correct them all.` : '';
  return new Problem('invalid_request', `${first}${others}`, { errors });
}

/**
 * 503 with `Retry-After`.
 *
 * @param what Part for the caller, without address or cause: `The store of offices`.
 *
 * @example
 * throw unavailable('The store of offices', error);
 */
export function unavailable(what: string, cause?: unknown): Problem {
  return new Problem('unavailable', `${what} is unavailable at the moment; try again in a few seconds.`, {
    headers: { 'retry-after': '5' },
    cause,
  });
}
