/** Crockford's base 32, in lower case. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * Makes identifiers of 26 characters that sort by time: ten digits of milliseconds and sixteen random ones, counted up within a
 * millisecond.
 */
export function createIdentifiers(now: () => number, randomBytes: (count: number) => Uint8Array): () => string {
  let lastMs = -1;
  let chance: number[] = [];
  return () => {
    const ms = Math.max(now(), lastMs);
    if (ms === lastMs) countUp(chance);
    else chance = Array.from(randomBytes(RANDOM_DIGITS), (byte) => byte % 32);
    lastMs = ms;
    return [...timeOf(ms), ...chance].map((digit) => digits[digit]).join('');
  };
}

/** The identifier or, unless it sorts after the earlier one, its random digits at a later time. */
export function identifierAfter(earlier: string, id: string): string {
  if (id > earlier) return id;
  const chance = id.slice(TIME_DIGITS);
  const time = Array.from(earlier.slice(0, TIME_DIGITS), (digit) => digits.indexOf(digit));
  if (chance <= earlier.slice(TIME_DIGITS)) countUp(time);
  return time.map((digit) => digits[digit]).join('') + chance;
}

/** Sorts before all identifiers made at this time or later. */
export function firstIdentifierAt(ms: number): string {
  return [...timeOf(ms), ...Array<number>(RANDOM_DIGITS).fill(0)].map((digit) => digits[digit]).join('');
}

/** Malformed identifiers are rejected without a query. */
export function isIdentifier(text: unknown): text is string {
  return typeof text === 'string' && /^[a-z0-9_]{1,64}$/.test(text);
}

function timeOf(ms: number): number[] {
  const time: number[] = [];
  for (let place = 0, rest = ms; place < TIME_DIGITS; place++, rest = Math.floor(rest / 32)) time.unshift(rest % 32);
  return time;
}

function countUp(value: number[]): void {
  for (let place = value.length - 1; place >= 0; place--) {
    value[place] = (value[place]! + 1) % 32;
    if (value[place] !== 0) return;
  }
}
