/** A positive denominator. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** `"1.045"`, `12`; undefined for signs, exponents, NaN and other values. */
export function parseDecimal(value: unknown): Rational | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  return { numerator: BigInt(match[1] + fraction), denominator: 10n ** BigInt(fraction.length) };
}

export function multiply(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
}

export function divide(a: Rational, b: Rational): Rational {
  return { numerator: a.numerator * b.denominator, denominator: a.denominator * b.numerator };
}

function add(a: Rational, b: Rational): Rational {
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

/** `from` + (`to` - `from`) × share, for a share in [0, 1]. */
export function between(from: Rational, to: Rational, share: Rational): Rational {
  const rise = {
    numerator: to.numerator * from.denominator - from.numerator * to.denominator,
    denominator: to.denominator * from.denominator,
  };
  return add(from, multiply(rise, share));
}

export function isLess(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

export type RoundingMode = 'half_up' | 'up' | 'down';

/** @returns the number of steps. The value is not negative. */
export function roundTo(value: Rational, step: Rational, mode: RoundingMode): bigint {
  const { numerator, denominator } = divide(value, step);
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  if (mode === 'down' || rest === 0n) return whole;
  return mode === 'up' || 2n * rest >= denominator ? whole + 1n : whole;
}
