import type { ProblemCode } from './problem.ts';

/** What a kind of problem means, and what whoever gets it can do: for the page that its `type` leads to. CommonMark, a paragraph each. */
export interface ProblemHelp {
  readonly means: string;
  readonly wayOut: string;
}

export const problemHelp: Readonly<Record<ProblemCode, ProblemHelp>> = {
  malformed_request: {
    means: 'What arrived cannot be read as an HTTP request.',
    wayOut:
      'Look at what stands between your client and the service: a proxy that rewrites, or plain HTTP sent to a TLS port.',
  },
  malformed_json: {
    means: 'The body is not JSON; `detail` names the place.',
    wayOut: 'Send what a JSON writer gives, in UTF-8, without comments or trailing commas. The same body fails again.',
  },
  unauthenticated: {
    means: 'No token came along, or it is unknown, expired or revoked: which of these is not told.',
    wayOut:
      'Send `Authorization: Bearer <token>`. An operator or an administrator of the organization makes a new token.',
  },
  forbidden: {
    means: 'The token is good and lacks the scope that this operation needs; `detail` names it.',
    wayOut: 'Ask with a token that has the scope. Scopes of a token never change: make another.',
  },
  not_found: {
    means: 'There is no such path or thing, or it is another tenant’s: the two look alike on purpose.',
    wayOut:
      'Check the path against the document and the identifier against a list; ask with the token of whom it belongs to.',
  },
  method_not_allowed: {
    means: 'The path is there under another method.',
    wayOut: '`Allow` names the methods. Most operations are `POST`.',
  },
  request_timeout: {
    means: 'The request did not arrive whole in its time.',
    wayOut: 'Send it again; it was not carried out.',
  },
  conflict: {
    means: 'What you change is no longer what you read, or its state does not allow the change; `detail` says which.',
    wayOut: 'Read it again, and decide again.',
  },
  idempotency_conflict: {
    means: 'The `Idempotency-Key` was used in the last 24 hours with another body.',
    wayOut: 'Use a new key for a new request; a key stands for one request, however often it is sent.',
  },
  gone: {
    means: 'It was there and is no more: its personal data was erased.',
    wayOut: 'Nothing brings it back. Whoever needs the document asks the carrier for it.',
  },
  body_too_large: {
    means: 'The body is larger than the operation takes; `detail` names the limit.',
    wayOut: 'Send less at a time. A whole book goes through `leeward book run`, not through HTTP.',
  },
  unsupported_media_type: {
    means: 'The body is not declared as JSON in UTF-8.',
    wayOut: 'Send `Content-Type: application/json`.',
  },
  expectation_failed: {
    means: 'The request came with an `Expect` header field other than `100-continue`.',
    wayOut: 'Leave the header field out.',
  },
  invalid_request: {
    means:
      'The body is JSON and does not fit: `errors` names every fault at once, each with where it is, what was found and the way out.',
    wayOut: 'Mend what `errors` names. The same body fails again.',
  },
  rate_limited: {
    means: 'The token, or its organization, asked more than its share.',
    wayOut:
      'Wait for the seconds in `Retry-After`. `RateLimit` and `RateLimit-Policy` of each answer tell what is left.',
  },
  headers_too_large: {
    means: 'The header fields together are larger than the service takes.',
    wayOut: 'Send fewer or shorter ones; cookies of other applications are the usual cause.',
  },
  internal_error: {
    means: 'Something failed that is not your fault. Nothing more is told; the log has it under `request_id`.',
    wayOut: 'Name the `request_id` to whoever runs the service. What changes nothing can be asked again.',
  },
  coming_soon: {
    means: 'The operation, or the line of business, is announced and not there yet.',
    wayOut: '`detail` says what is there today.',
  },
  carrier_failed: {
    means: 'A carrier does not give what was asked for, or gives something else; `detail` says what it did.',
    wayOut: 'Ask again later. Where it stays so, make the quote again, or turn to the carrier.',
  },
  unavailable: {
    means: 'The service has more to do than it can bear, is stopping, or cannot reach a store, a queue or a geocoder.',
    wayOut:
      'Ask again after the seconds in `Retry-After`, in growing intervals. `/readyz` tells an operator what is out of reach.',
  },
  carrier_timeout: {
    means: 'A carrier took too long to begin with what was asked for.',
    wayOut: 'Ask again later, in growing intervals.',
  },
};
