/** Styles of numbers, shown by an example: separator of thousands and decimal mark. */
export const numberStyles = ['1,234.56', '1.234,56', '1 234,56'] as const;
/** One of {@link numberStyles}. */
export type NumberStyle = (typeof numberStyles)[number];

/** How to read a written number. */
export interface WrittenNumberOptions {
  /** @default '1,234.56' */
  readonly style?: NumberStyle | undefined;
  /** Rejects `250.000` unless `style` is set. @default false */
  readonly isWhole?: boolean;
}

const digitsPatterns: Readonly<Record<NumberStyle, RegExp>> = {
  '1,234.56': /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(?:\.(\d{1,15}))?$/,
  '1.234,56': /^(\d{1,15}|\d{1,3}(?:\.\d{3}){1,4})?(?:,(\d{1,15}))?$/,
  '1 234,56': /^(\d{1,15}|\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4})?(?:,(\d{1,15}))?$/,
};
const frame = /^([+-]?)(?:(?:US)?\$|USD)?\s?([+-]?)([\d.,\s]+?)(?:\s?(?:USD|\$))?$/i;
const MAX_CHARACTERS = 40;

/**
 * Reads `250000.00`, `250,000`, `$250,000`, `6.0`, with separators in the right places; undefined for other text.
 * @example
 * readWrittenNumber('$250,000.00'); // 250000
 */
export function readWrittenNumber(text: string, options: WrittenNumberOptions = {}): number | undefined {
  if (options.isWhole && options.style === undefined && /\d\.000$/.test(text.trim())) return undefined;
  const plain = plainNumberText(text, options.style);
  return plain === undefined ? undefined : Number(plain) + 0;
}

/**
 * Returns digits, a decimal point and a minus; undefined for other text.
 * @example
 * plainNumberText('1.234,50', '1.234,56'); // '1234.50'
 */
export function plainNumberText(text: string, style: NumberStyle = '1,234.56'): string | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const framed = frame.exec(text.trim());
  if (framed === null) return undefined;
  const [, before = '', after = '', written = ''] = framed;
  const digits = digitsPatterns[style].exec(written);
  if (digits === null || (before !== '' && after !== '')) return undefined;
  const whole = (digits[1] ?? '0').replaceAll(/\D/g, '');
  const fraction = digits[2] === undefined ? '' : `.${digits[2]}`;
  return `${before === '-' || after === '-' ? '-' : ''}${whole}${fraction}`;
}
