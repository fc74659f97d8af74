/** Header fields of every answer. */
export const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } } as const;

/** For counted requests. */
export const rateLimitHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
} as const;

/** For answers that state their versions. */
export const versionsHeader = { 'Leeward-Versions': { $ref: '#/components/headers/Versions' } } as const;

export const headerComponents = {
  Versions: {
    description:
      'The versions that determine the answer, as a dictionary of RFC 9651: `engine`, `rules` (hash of all rule sets and overrides), `coastline`, `addresses`. Versions that the answer does not use are absent. A long value is replaced by its hash.',
    schema: { type: 'string', maxLength: 1024 },
    example: 'engine="1.0.0", rules="9f86d081884c7d659a2feaa0c55ad015", coastline="osm-us 2024"',
  },
  RequestId: {
    description:
      'The identifier of this request: the caller’s own, or a new one if the caller’s is missing or was replaced. Quote it when you report a problem.',
    required: true,
    schema: { type: 'string', maxLength: 128, pattern: '^[A-Za-z0-9][A-Za-z0-9._:~-]*$' },
    example: '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
  },
  RateLimitPolicy: {
    description:
      'The limits: `q` in `w` seconds, for requests of the token (`sustained`, `burst`), for requests of all tokens of its organization (`organization`, `organization-burst`), and for items of operations on many things (`items`, `items-burst`). Absent if nothing is counted.',
    schema: { type: 'string' },
    example: '"sustained";q=600;w=60, "burst";q=200;w=20, "organization";q=3000;w=60, "organization-burst";q=1000;w=20',
  },
  RateLimit: {
    description: 'The limit that will be reached first: `r` remain now, and all are available again in `t` seconds.',
    schema: { type: 'string' },
    example: '"burst";r=199;t=1',
  },
} as const;

export const parameterComponents = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'The caller’s identifier of the request. Up to 128 letters, digits and `._:~-`; any other value, or one like a token or personal data, is replaced. The answer has the one in use.',
    schema: { type: 'string' },
    example: 'trip-2026-11-20-1',
  },
} as const;
