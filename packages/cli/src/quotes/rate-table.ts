import type { FullRate, QuoteStatusResponse, WireMessage } from '@leeward/quotes';
import Table from 'cli-table3';
import { createColors } from 'picocolors';
import { dollars, plainText } from './plain-text.ts';

export interface RateTableLayout {
  /** Characters a line. */
  readonly columns: number;
  readonly inColor: boolean;
}

const FRAME = 16;

/** What carriers answered, for people: premiums first, lowest first, then who gave none and why. */
export function rateTable(quote: QuoteStatusResponse, { columns, inColor }: RateTableLayout): string {
  const colors = createColors(inColor);
  const rates = (quote.rates as readonly FullRate[]).toSorted(byPremium);
  const widest = (texts: readonly string[], head: string) => Math.max(head.length, ...texts.map((text) => text.length));
  const outcome = widest(rates.map(outcomeOf), 'outcome');
  const premium = widest(rates.map(premiumOf), 'premium');
  const carrier = Math.min(
    30,
    widest(
      rates.map((rate) => plainText(rate.carrier)),
      'carrier',
    ),
  );
  const form = widest(
    rates.map((rate) => rate.form_type),
    'type',
  );
  const said = Math.max(20, columns - FRAME - outcome - premium - carrier - form);
  const table = new Table({
    head: ['outcome', 'premium', 'carrier', 'type', 'what the carrier says'].map((text) => colors.bold(text)),
    colAligns: ['left', 'right', 'left', 'left', 'left'],
    colWidths: [outcome, premium, carrier, form, said].map((width) => width + 2),
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const rate of rates) {
    const paint = rate.status === 'success' ? colors.green : rate.status === 'error' ? colors.red : colors.cyan;
    table.push([paint(outcomeOf(rate)), premiumOf(rate), plainText(rate.carrier), rate.form_type, saidBy(rate)]);
  }
  const { counts, min_quote, max_quote } = quote;
  const lines = rates.length === 0 ? [] : [table.toString(), ''];
  if (min_quote !== null && max_quote !== null) {
    lines.push(`Lowest ${colors.bold(dollars(min_quote))}, highest ${colors.bold(dollars(max_quote))} a year.`);
  }
  const waiting = counts.processing > 0 ? `, ${counts.processing} still to answer` : '';
  lines.push(`${counts.success} with a premium, ${counts.error} without${waiting}.`);
  return `${lines.join('\n')}\n`;
}

function byPremium(a: FullRate, b: FullRate): number {
  if (a.premium === null || b.premium === null) return Number(a.premium === null) - Number(b.premium === null);
  // Text of digits: the longer is the larger, and of the same length the later.
  return a.premium.length - b.premium.length || (a.premium < b.premium ? -1 : 1);
}

function premiumOf({ premium }: FullRate): string {
  return premium === null ? '' : dollars(premium);
}

function outcomeOf(rate: FullRate): string {
  const outcome = rate.outcome ?? rate.status;
  return rate.rate_type === 'indication' && outcome === 'quoted' ? 'indication' : outcome.replaceAll('_', ' ');
}

function saidBy({ carrier_quote_number: number, carrier_response_messages: messages, error }: FullRate): string {
  const isMissing = ({ code, field }: WireMessage) => code === 'missing_field' && field !== null;
  const missing = (messages ?? []).filter(isMissing).map(({ field }) => field);
  const parts = [
    ...(number === null ? [] : [number]),
    ...(error === null ? [] : [error.message]),
    ...(messages ?? []).filter((each) => !isMissing(each)).map(({ message }) => message),
    ...(missing.length === 0 ? [] : [`? needs ${missing.join(', ')}`]),
  ];
  return parts.map((part) => plainText(part).slice(0, 300)).join('\n');
}
