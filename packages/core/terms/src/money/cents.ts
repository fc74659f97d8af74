import { plainNumberText } from '../number/written-number.ts';

/** Whole cents. Money is never a floating-point number here. */
export type Cents = bigint;

/**
 * The largest premium that is believed, in cents: under ten million dollars a year. A carrier that answers more has
 * answered nonsense.
 */
export const MAX_PREMIUM_CENTS: Cents = 999_999_999n;

/** Cents as a decimal amount with two decimals: `184350n` is `"1843.50"`. */
export function formatCents(cents: Cents): string {
  const sign = cents < 0n ? '-' : '';
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Reads an amount of dollars: text with at most two decimals (`"1843.5"`, `"$1,843.50"`), or a JSON number
 * that is exactly such. Anything else (NaN, exponents, three decimals) is undefined; a sign is kept.
 */
export function parseCents(value: unknown): Cents | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(plainNumberText(String(value)) ?? '');
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const cents = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
