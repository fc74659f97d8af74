/** On every answer. */
export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;

/** On every answer to a token whose requests are counted. */
export const rateLimitHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
} as const;

/** Header fields of answers, where operations share them. */
export const headerComponents = {
  RequestId: {
    description: 'The caller’s own `X-Request-Id` when sane, else a new one. Name it when you ask for help.',
    required: true,
    schema: { type: 'string' },
    example: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
  },
  RateLimitPolicy: {
    description:
      'What may be asked: `q` in `w` seconds, of requests of the token (`sustained`, `burst`), of requests of all tokens of its organization (`organization`, `organization-burst`), and, of operations on many things, of items (`items`, `items-burst`). Left out where nothing is counted.',
    schema: { type: 'string' },
    example: '"sustained";q=600;w=60, "burst";q=200;w=20, "organization";q=3000;w=60, "organization-burst";q=1000;w=20',
  },
  RateLimit: {
    description:
      'What is left of the limit that will be reached first: `r` at this moment, all of them again in `t` seconds.',
    schema: { type: 'string' },
    example: '"burst";r=199;t=1',
  },
} as const;

/** Header fields of requests, where operations share them. */
export const parameterComponents = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of the caller’s own for the request: up to 128 letters, digits and `._:~-`.',
    schema: { type: 'string', maxLength: 128, pattern: '^[A-Za-z0-9][A-Za-z0-9._:~-]*$' },
    example: 'trip-2026-11-20-1',
  },
} as const;
