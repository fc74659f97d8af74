/**
 * A number with a fixed count of decimals, rounded half away from zero. What is rounded is the number as it is written
 * (the shortest decimal that reads back as it): 1.005 gives 1.01, although its binary form lies a trifle below.
 */
export function formatDecimal(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [digits, exponent] = decimalDigits(Math.abs(value));
  // The digits stand for 0.d₁d₂d₃… × 10^exponent: keep those up to the wanted decimal, look at the next one.
  const kept = exponent + decimals;
  let whole = kept > 0 ? digits.slice(0, kept).padEnd(kept, '0') : '';
  if (kept >= 0 && (digits[kept] ?? '0') >= '5') whole = (BigInt(whole || '0') + 1n).toString();
  whole = whole.padStart(decimals + 1, '0');
  const cut = whole.length - decimals;
  const text = decimals === 0 ? whole : `${whole.slice(0, cut)}.${whole.slice(cut)}`;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The significant digits d₁d₂d₃… of a number and the exponent of 0.d₁d₂d₃… × 10^exponent. */
function decimalDigits(value: number): [string, number] {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  return [mantissa.replace('.', ''), Number(power) + 1];
}

/** Puts a comma before each group of three digits of the whole part. */
export function groupThousands(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}
