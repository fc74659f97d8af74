/** How fast one token may ask: `perMinute` in the long run, `burst` at once. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

export const defaultRateLimit: RateLimit = { perMinute: 600, burst: 200 };

/**
 * Reads a setting: `600` a minute with the usual burst of 200 (or fewer, where the limit is lower), `600/50` with a
 * burst of its own, `0` for no limit (undefined). Throws a `RangeError` that names the value and the way out.
 */
export function parseRateLimit(text: string): RateLimit | undefined {
  const match = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(text.trim());
  const perMinute = Number(match?.[1]);
  const burst = match?.[2] === undefined ? Math.min(defaultRateLimit.burst, perMinute) : Number(match[2]);
  if (!match || (perMinute > 0 && burst < 1)) {
    throw new RangeError(
      `A rate limit is ${JSON.stringify(text)}; give requests a minute ("600"), with a burst ("600/200"), or "0" for none.`,
    );
  }
  return perMinute === 0 ? undefined : { perMinute, burst };
}
