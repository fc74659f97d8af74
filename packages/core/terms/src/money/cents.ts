import { plainNumberText } from '../number/written-number.ts';

/** Whole cents. */
export type Cents = bigint;

/** Maximum premium: just under ten million dollars a year; higher answers of carriers are rejected. */
export const MAX_PREMIUM_CENTS: Cents = 999_999_999n;

/**
 * Formats dollars with two decimals.
 * @example
 * formatCents(184_350n); // '1843.50'
 */
export function formatCents(cents: Cents): string {
  const sign = cents < 0n ? '-' : '';
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Reads dollars with at most two decimals: text (`"$1,843.50"`) or a JSON number. Keeps the sign; undefined for anything else (NaN,
 * exponents, three decimals).
 * @example
 * parseCents('$1,843.5'); // 184350n
 */
export function parseCents(value: unknown): Cents | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(plainNumberText(String(value)) ?? '');
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const cents = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
