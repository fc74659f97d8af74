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
 * Reads an amount of dollars: text of digits with at most two decimals (`"1843.5"`, `"$1,843.50"`), or a JSON number
 * that is exactly such. Anything else (NaN, exponents, three decimals) is undefined; a sign is kept.
 */
export function parseCents(value: unknown): Cents | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? parsePlain(String(value)) : undefined;
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = value.trim().replace(/^(-?)\$/, '$1');
  const separated = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text);
  return parsePlain(separated ? text.replaceAll(',', '') : text);
}

function parsePlain(text: string): Cents | undefined {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  const cents = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
