import type { BookSummary, StatusCounts } from '@leeward/engine';
import Table from 'cli-table3';
import { createColors } from 'picocolors';

const columns = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** A book's summary for people: by carrier, state and policy type, then why carriers decline. */
export function summaryTable(summary: BookSummary, inColor: boolean): string {
  const colors = createColors(inColor);
  const section = (title: string, counts: Readonly<Record<string, StatusCounts>>): string => {
    const table = new Table({
      head: [title, ...columns.map((name) => name.replace('_', ' '))].map((text) => colors.bold(text)),
      colAligns: ['left', ...columns.map(() => 'right' as const)],
      style: { head: [], border: [] },
    });
    for (const [key, each] of Object.entries(counts)) table.push([key, ...columns.map((name) => print(each[name]))]);
    return table.toString();
  };
  const reasons = new Table({
    head: ['declined for', 'policies × carriers'].map((text) => colors.bold(text)),
    colAligns: ['left', 'right'],
    style: { head: [], border: [] },
  });
  for (const [code, count] of Object.entries(summary.byReason)) reasons.push([code, print(count)]);
  return [
    section('carrier', summary.byCarrier),
    section('state', summary.byState),
    section('policy type', summary.byPolicyType),
    reasons.toString(),
    '',
  ].join('\n');
}

function print(count: number): string {
  return count.toLocaleString('en-US');
}
