/** One thing wrong with a request: where (a JSON Pointer), what kind, and a sentence that shows the way out. */
export interface RequestFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Every kind of problem that an answer can name. Titles never change; details do. */
export const problemKinds = {
  malformed_request: { status: 400, title: 'Malformed HTTP request' },
  malformed_json: { status: 400, title: 'Malformed JSON' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Permission denied' },
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

/** The kinds of problem, as `code` names them. */
export type ProblemCode = keyof typeof problemKinds;

/** What a problem carries beside its sentence. */
export interface ProblemOptions {
  /** All faults of the request at once. */
  readonly errors?: readonly RequestFault[];
  /** Header fields that belong to the answer, such as `allow` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** Thrown wherever a request ends early; answered as RFC 9457 problem details. */
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

/** No such thing, or another tenant's: the two must not be told apart, so they share one sentence. */
export function notFound(): Problem {
  return new Problem('not_found', 'There is no such thing here, or it is not yours.');
}

/** 422 with every fault of a request at once. The detail is the first fault, and how many there are. */
export function invalidRequest(errors: readonly RequestFault[]): Problem {
  const first = errors[0]?.message ?? 'The request does not fit its schema.';
  const others = errors.length > 1 ? ` This is the first of ${errors.length} faults; correct them all.` : '';
  return new Problem('invalid_request', `${first}${others}`, { errors });
}

/** A store, queue or geocoder is out of reach. `what` is named to the caller: no address, no cause. */
export function unavailable(what: string, cause?: unknown): Problem {
  return new Problem('unavailable', `${what} is out of reach at the moment; try again in a few seconds.`, {
    headers: { 'retry-after': '5' },
    cause,
  });
}
