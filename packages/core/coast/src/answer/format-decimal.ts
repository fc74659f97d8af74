/**
 * Formats a number, rounded half away from zero by the shortest decimal that reads back as the number.
 * @example
 * formatDecimal(1.005, 2); // '1.01'
 */
export function formatDecimal(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return String(value);
  const [digits, exponent] = decimalDigits(Math.abs(value));
  const length = exponent + decimals;
  let whole = length > 0 ? digits.slice(0, length).padEnd(length, '0') : '';
  if (length >= 0 && (digits[length] ?? '0') >= '5') whole = (BigInt(whole || '0') + 1n).toString();
  whole = whole.padStart(decimals + 1, '0');
  const cut = whole.length - decimals;
  const text = decimals === 0 ? whole : `${whole.slice(0, cut)}.${whole.slice(cut)}`;
  return value < 0 && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The digits d₁d₂d₃… and the exponent of 0.d₁d₂d₃… × 10^exponent. */
function decimalDigits(value: number): [string, number] {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  return [mantissa.replace('.', ''), Number(power) + 1];
}

export function groupThousands(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}
