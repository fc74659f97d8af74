import type { ProblemCode } from './problem.ts';

/** For the page of a problem. CommonMark paragraphs. */
export interface ProblemHelp {
  readonly means: string;
  readonly wayOut: string;
}

export const problemHelp: Readonly<Record<ProblemCode, ProblemHelp>> = {
  malformed_request: {
    means: 'The message is not a valid HTTP request.',
    wayOut: 'Check for a proxy that rewrites requests, or for plain HTTP sent to a TLS port.',
  },
  malformed_json: {
    means: 'The body is not JSON; `detail` names the place.',
    wayOut: 'Send JSON in UTF-8, without comments or trailing commas. Sending the same body again fails again.',
  },
  unauthenticated: {
    means: 'The token is missing, unknown, expired or revoked. For security, the answer does not distinguish these.',
    wayOut:
      'Send `Authorization: Bearer <token>`. An operator or an administrator of the organization can create a token.',
  },
  forbidden: {
    means:
      'The token is valid, but it lacks the scope of this operation; `detail` names the scope. At a sign-in: the identity was refused; `errors` has the cause.',
    wayOut:
      'Use a token with the scope. The scopes of a token never change: create another token. After a refused sign-in, sign in again, or have an administrator add you.',
  },
  network_not_allowed: {
    means:
      'The token is valid, but not from the address of this request. For security, the answer does not list its networks.',
    wayOut:
      'Send the request from a network of the token. An administrator of the organization sees and changes its networks. Behind a proxy, the operator must name the proxy in `LEEWARD_TRUSTED_PROXIES`.',
  },
  not_found: {
    means:
      'There is no such path or resource, or the resource belongs to another tenant. The two are indistinguishable.',
    wayOut:
      'Check the path in the document and the identifier in a list. Use a token of the organization that owns the resource.',
  },
  method_not_allowed: {
    means: 'The path does not have this method.',
    wayOut: '`Allow` lists the methods. Most operations are `POST`.',
  },
  request_timeout: {
    means: 'The request did not arrive completely in time.',
    wayOut: 'Send it again; it was not processed.',
  },
  conflict: {
    means:
      'The resource was changed since you read it, or its state does not allow the change; `detail` has the reason.',
    wayOut: 'Read the resource again, and decide again.',
  },
  idempotency_conflict: {
    means: 'The `Idempotency-Key` was used in the last 24 hours with another body.',
    wayOut: 'Use a new key for a new request. A key belongs to one request, even if that is sent several times.',
  },
  gone: {
    means: 'The resource existed, but its personal data was erased.',
    wayOut: 'It cannot be restored. Request the document from the carrier instead.',
  },
  body_too_large: {
    means: 'The body is larger than the operation accepts; `detail` names the limit.',
    wayOut: 'Send less at a time. Use `leeward book run` for a whole book of policies.',
  },
  unsupported_media_type: {
    means: 'The body is not declared as JSON in UTF-8.',
    wayOut: 'Send `Content-Type: application/json`.',
  },
  expectation_failed: {
    means: 'The request has an `Expect` header field other than `100-continue`.',
    wayOut: 'Omit the header field.',
  },
  invalid_request: {
    means: 'The JSON is invalid: `errors` lists all faults, each with its place, the value received and the way out.',
    wayOut: 'Correct the faults in `errors`. Sending the same body again fails again.',
  },
  rate_limited: {
    means: 'The token, its organization or the client address has exceeded a limit.',
    wayOut:
      'Wait for the seconds in `Retry-After`. `RateLimit` and `RateLimit-Policy` of each answer show the remaining requests.',
  },
  headers_too_large: {
    means: 'The header fields are larger than the service accepts.',
    wayOut: 'Send fewer or shorter ones. Cookies of other applications are the usual cause.',
  },
  internal_error: {
    means: 'An error occurred in the service. The log has the details under `request_id`.',
    wayOut: 'Report the `request_id` to the operator of the service. You can repeat a request that changes nothing.',
  },
  coming_soon: {
    means: 'The operation or the line of business is announced, but not available yet.',
    wayOut: '`detail` names an available alternative.',
  },
  carrier_failed: {
    means: 'A carrier did not return the document, or returned something else; `detail` has the reason.',
    wayOut: 'Try again later. If it still fails, create the quote again, or contact the carrier.',
  },
  unavailable: {
    means: 'The service is overloaded, is stopping, or cannot reach a store, a queue or a geocoder.',
    wayOut:
      'Try again after the seconds in `Retry-After`, at growing intervals. `/readyz` shows an operator which part is unavailable.',
  },
  carrier_timeout: {
    means: 'A carrier did not start its answer in time.',
    wayOut: 'Try again later, at growing intervals.',
  },
};
