import { homeVocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import type { FullRate, QuoteStatusResponse, WireMessage } from '@leeward/quotes';
import { wordOf, writeWord } from '@leeward/terms';
import { createColors } from 'picocolors';
import { fittingTable } from '../table/fitting-table.ts';
import { dollars, plainText } from './plain-text.ts';

export interface RateTableLayout {
  readonly columns: number;
  readonly inColor: boolean;
}

/** Premiums first, lowest first, then the others with their reason. */
export function rateTable(quote: QuoteStatusResponse, { columns, inColor }: RateTableLayout): string {
  const colors = createColors(inColor);
  const rates = (quote.rates as readonly FullRate[]).toSorted(byPremium);
  const paint = { success: colors.green, error: colors.red } as const;
  const table = fittingTable(
    {
      head: ['outcome', 'premium', 'carrier', 'type', 'message'],
      aligns: ['left', 'right', 'left', 'left', 'left'],
      rows: rates.map((rate) => [
        outcomeOf(rate),
        premiumOf(rate),
        plainText(rate.carrier),
        writeWord(rate.form_type),
        saidBy(rate),
      ]),
      paint: (line, row, column) => {
        const status = rates[row]!.status;
        return column > 0 ? line : (status === 'success' || status === 'error' ? paint[status] : colors.cyan)(line);
      },
    },
    { columns, inColor },
  );
  const { counts, min_quote, max_quote } = quote;
  const lines = rates.length === 0 ? [] : [table, ''];
  if (min_quote !== null && max_quote !== null) {
    lines.push(`Lowest ${colors.bold(dollars(min_quote))}, highest ${colors.bold(dollars(max_quote))} a year.`);
  }
  const waiting = counts.processing > 0 ? `, ${counts.processing} still to answer` : '';
  lines.push(`${counts.success} with a premium, ${counts.error} without${waiting}.`);
  return `${lines.join('\n')}\n`;
}

function byPremium(a: FullRate, b: FullRate): number {
  if (a.premium === null || b.premium === null) return Number(a.premium === null) - Number(b.premium === null);
  // Premiums are digits: compare the length, then the text.
  return a.premium.length - b.premium.length || (a.premium < b.premium ? -1 : 1);
}

function premiumOf({ premium }: FullRate): string {
  return premium === null ? '' : dollars(premium);
}

function outcomeOf(rate: FullRate): string {
  const outcome = rate.outcome ?? rate.status;
  return rate.rate_type === 'indication' && outcome === 'quoted' ? 'indication' : wordOf('quoteOutcome', outcome);
}

function saidBy({ carrier_quote_number: number, carrier_response_messages: messages, error }: FullRate): string {
  const isMissing = ({ code, field }: WireMessage) => code === 'missing_field' && field !== null;
  const missing = (messages ?? []).filter(isMissing).map(({ field }) => labelOf(field!, homeVocabulary));
  const parts = [
    ...(number === null ? [] : [number]),
    ...(error === null ? [] : [error.message]),
    ...(messages ?? []).filter((each) => !isMissing(each)).map(({ message }) => message),
    ...(missing.length === 0 ? [] : [`? needs ${missing.join(', ')}`]),
  ];
  return parts.map((part) => plainText(part)).join('\n');
}
