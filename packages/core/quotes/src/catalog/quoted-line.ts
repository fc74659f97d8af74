import { homeSales, type SoldLine, type SoldLines, soldLines } from '@leeward/terms';
import type { QuoteField } from './quote-field.ts';
import { quoteFields } from './quote-fields.ts';

/** A line of business: its products and the fields of its quotes. */
export interface QuotedLine extends SoldLine {
  readonly fields: readonly QuoteField[];
}

/** Homes and other lines, with the products and form types of all. */
export type QuotedLines = SoldLines<QuotedLine>;

/** Homeowners, the built-in line. */
export const homeQuotes: QuotedLine = { ...homeSales, fields: quoteFields };

/**
 * Combines homes and other lines. @throws {TypeError} if two lines sell the same form type.
 * @example
 * quotedLines().checkFormType('HO3'); // { value: 'ho3' }
 */
export function quotedLines(others: readonly QuotedLine[] = []): QuotedLines {
  return soldLines([homeQuotes, ...others]);
}

export const homesOnly: QuotedLines = quotedLines();
