/** A rate: `perMinute` sustained, `burst` at once. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

/** Limit of requests for each token. */
export const defaultRateLimit: RateLimit = { perMinute: 600, burst: 200 };
/** Limit of items for each token and for each organization. */
export const defaultItemLimit: RateLimit = { perMinute: 60_000, burst: 5_000 };

/** Limit of requests without a valid token, for each address. A whole office that opens the page may share one address. */
export const defaultAddressRateLimit: RateLimit = { perMinute: 1_200, burst: 600 };

/** The limit of an organization, as a multiple of that of a token. */
const TOKENS_AN_ORGANIZATION = 5;

/**
 * The default limit for all tokens of an organization: five times that of a token.
 *
 * @example
 * organizationLimitOf({ perMinute: 600, burst: 200 }); // { perMinute: 3000, burst: 1000 }
 */
export function organizationLimitOf({ perMinute, burst }: RateLimit): RateLimit {
  return { perMinute: TOKENS_AN_ORGANIZATION * perMinute, burst: TOKENS_AN_ORGANIZATION * burst };
}

/**
 * Reads a setting: `600` a minute with the default burst (or the limit, if it is lower), `600/50` with a burst of 50, `0` for no limit.
 *
 * @returns undefined for no limit
 *
 * @throws {RangeError} that names the value and the way out
 *
 * @example
 * parseRateLimit('600/50'); // { perMinute: 600, burst: 50 }
 */
export function parseRateLimit(text: string, { burst: usualBurst } = defaultRateLimit): RateLimit | undefined {
  const match = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(text.trim());
  const perMinute = Number(match?.[1]);
  const burst = match?.[2] === undefined ? Math.min(usualBurst, perMinute) : Number(match[2]);
  if (!match || (perMinute > 0 && burst < 1)) {
    throw new RangeError(
      `A rate limit is ${JSON.stringify(text)}; give how many a minute ("${defaultRateLimit.perMinute}"), with a burst ("${defaultRateLimit.perMinute}/${defaultRateLimit.burst}"), or "0" for none.`,
    );
  }
  return perMinute === 0 ? undefined : { perMinute, burst };
}
