/** One thing wrong with a request: where (a JSON Pointer), what kind, and a sentence that shows the way out. */
export interface RequestFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Every kind of problem that an answer can name. Titles never change; details do. */
export const problemKinds = {
  malformed_json: { status: 400, title: 'The body is not JSON' },
  unauthenticated: { status: 401, title: 'A valid token is needed' },
  forbidden: { status: 403, title: 'The token may not do this' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The path has other methods' },
  conflict: { status: 409, title: 'The change meets another' },
  idempotency_conflict: { status: 409, title: 'The Idempotency-Key belongs to another request' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  invalid_request: { status: 422, title: 'The request does not fit' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something failed here' },
  coming_soon: { status: 501, title: 'Coming soon' },
  unavailable: { status: 503, title: 'Out of reach for the moment' },
} as const;

export type ProblemCode = keyof typeof problemKinds;

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
