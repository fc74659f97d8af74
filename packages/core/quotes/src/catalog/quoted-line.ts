import { homeSales, type SoldLine, type SoldLines, soldLines } from '@leeward/terms';
import type { QuoteField } from './quote-field.ts';
import { quoteFields } from './quote-fields.ts';

/** A line of business as it is quoted: what is sold, and what `fields` of a quote say of it. */
export interface QuotedLine extends SoldLine {
  /** In the order of the reference: who is insured and where (`insuredFields`), then the line's own. */
  readonly fields: readonly QuoteField[];
}

/** Homes and other lines, with the products and form types of all. */
export type QuotedLines = SoldLines<QuotedLine>;

/** Homes as they are quoted. */
export const homeQuotes: QuotedLine = { ...homeSales, fields: quoteFields };

/**
 * Homes and other lines.
 *
 * @throws {TypeError} if two lines sell the same form type.
 * @example
 * quotedLines().checkFormType('HO3'); // { value: 'ho3' }
 */
export function quotedLines(others: readonly QuotedLine[] = []): QuotedLines {
  return soldLines([homeQuotes, ...others]);
}

/** Homes alone. */
export const homesOnly: QuotedLines = quotedLines();
