/** How a file writes numbers, shown by one: with which separator of thousands, and which decimal mark. */
export const numberStyles = ['1,234.56', '1.234,56', '1 234,56'] as const;
/** One of {@link numberStyles}. */
export type NumberStyle = (typeof numberStyles)[number];

/** How to read a number that a person or an export wrote. */
export interface WrittenNumberOptions {
  /** Default: as in the United States, `1,234.56`. */
  readonly style?: NumberStyle | undefined;
  /** True for a field of whole numbers: `250.000` is then refused unless `style` decides what it means. */
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
 * Reads a number as people and exports write it: `250000.00`, `250,000`, `$250,000`, `6.0`. Separators of thousands must
 * stand where they belong. Returns undefined for any other text; never guesses.
 */
export function readWrittenNumber(text: string, options: WrittenNumberOptions = {}): number | undefined {
  if (options.isWhole && options.style === undefined && /\d\.000$/.test(text.trim())) return undefined;
  const plain = plainNumberText(text, options.style);
  // −0 becomes 0.
  return plain === undefined ? undefined : Number(plain) + 0;
}

/** Returns the number as digits with a decimal point, and a minus below 0. */
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
