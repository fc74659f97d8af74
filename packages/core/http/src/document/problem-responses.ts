import type { Operation } from '../operation/operation.ts';
import { Problem, type ProblemCode, problemKinds } from '../problem/problem.ts';
import { problemDocument } from '../problem/problem-document.ts';
import { rateLimitHeaders, requestIdHeader } from './response-headers.ts';

const ofBody: readonly ProblemCode[] = [
  'malformed_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
];
const ofTokens = ['unauthenticated', 'network_not_allowed'] as const;
const guarded: readonly ProblemCode[] = [...ofTokens, 'forbidden', 'rate_limited', ...ofBody];
/** Problems of every operation. */
const everywhere: readonly ProblemCode[] = ['internal_error', 'unavailable'];

/** Operations share responses as components, named after their problems. */
export function createProblemResponses(basePath: string) {
  const components: Record<string, object> = {};
  return {
    components,
    /** By status, lowest first. */
    of(operation: Operation): Record<string, { readonly $ref: string }> {
      const byStatus = Map.groupBy(new Set(problemsOf(operation)), (code) => problemKinds[code].status);
      return Object.fromEntries(
        [...byStatus].map(([status, codes]) => {
          const name = codes.map(pascalCase).join('Or');
          components[name] ??= problemResponse(status, codes, basePath);
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      );
    },
  };
}

function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { access, path, problems = [] } = operation;
  if ('locate' in operation)
    return [...guarded, ...(path.includes('{') ? (['not_found'] as const) : []), ...problems, ...everywhere];
  if (access === 'signed') return ['rate_limited', 'request_timeout', 'body_too_large', ...problems, ...everywhere];
  if (access === 'anyone')
    return [
      ...(operation.isUnlimited ? [] : (['rate_limited'] as const)),
      ...(operation.requestBody ? ofBody : []),
      ...problems,
      ...everywhere,
    ];
  if (access === 'token') return [...ofTokens, 'rate_limited', ...problems, ...everywhere];
  const guards = [...ofTokens, 'forbidden', 'rate_limited'] as const;
  return [...guards, ...problems, ...everywhere];
}

/** With an example of each problem. */
function problemResponse(status: number, codes: readonly ProblemCode[], basePath: string) {
  return {
    description: codes.map((code) => `\`${code}\`: ${problemKinds[code].title}.`).join(' '),
    headers: { ...requestIdHeader, ...headersOf(status) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: problemKinds[code].title, value: problemExample(code, basePath) }]),
        ),
      },
    },
  };
}

function headersOf(status: number): object {
  const field = (description: string) => ({ description, required: true, schema: { type: 'string' } });
  if (status === 401) return { 'WWW-Authenticate': field('`Bearer`.') };
  if (status === 429)
    return { ...rateLimitHeaders, 'Retry-After': field('Seconds until the next request is accepted.') };
  if (status === 503) return { 'Retry-After': field('Seconds to wait before the next try.') };
  return {};
}

const details: Partial<Record<ProblemCode, string>> = {
  malformed_json: "Expected property name or '}' in JSON at position 1 (line 1 column 2).",
  unauthenticated: 'The token is unknown, expired or revoked.',
  request_timeout: 'The body did not arrive in time; send it again.',
  forbidden: 'The token lacks the scope "underwrite".',
  network_not_allowed:
    'This token is not valid from the network of this request. An administrator can change its networks.',
  not_found: 'There is no such resource, or it belongs to another tenant.',
  gone: 'The quote was erased, with the references to its documents.',
  carrier_failed: 'The carrier answered 404 to the request for this document.',
  carrier_timeout: 'The carrier did not send this document within 20000 ms.',
  body_too_large: 'The body is larger than 262144 bytes; send less at a time.',
  unsupported_media_type: 'The body came with Content-Type "text/plain"; send application/json in UTF-8.',
  invalid_request: 'roof_type is required when roof_age is given; give both, or neither.',
  rate_limited: 'This token may send 600 requests a minute, with bursts of 200; the next in 1 s.',
  internal_error: 'An internal error occurred; the log has it under this request_id.',
  unavailable: 'The store of accounts is unavailable at the moment; try again in a few seconds.',
  coming_soon: 'This line of business is announced and not available yet. Home is available.',
  conflict: 'The resource was changed since you read it (revision 2, now 3). Read it again.',
  idempotency_conflict: 'This Idempotency-Key belongs to another request.',
};

function problemExample(code: ProblemCode, basePath: string) {
  const detail = details[code] ?? problemKinds[code].title;
  const errors = [{ path: '/roof_type', code: 'required_with', message: detail }];
  const problem = new Problem(code, detail, code === 'invalid_request' ? { errors } : {});
  return problemDocument(problem, '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f', basePath);
}

/** `not_found` → `NotFound`. */
export function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
}
