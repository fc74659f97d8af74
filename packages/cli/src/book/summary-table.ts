import type { StatusCounts } from '@leeward/engine';
import Table from 'cli-table3';
import { createColors } from 'picocolors';
import type { BookReport } from './book-report.ts';

const columns = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** A book's summary for people: by carrier, state and policy type, then why carriers decline where that was counted. */
export function summaryTable(report: BookReport, inColor: boolean): string {
  const colors = createColors(inColor);
  const section = (title: string, counts: readonly (readonly [string, StatusCounts])[]): string => {
    const table = new Table({
      head: [title, ...columns.map((name) => name.replace('_', ' '))].map((text) => colors.bold(text)),
      colAligns: ['left', ...columns.map(() => 'right' as const)],
      style: { head: [], border: [] },
    });
    for (const [key, each] of counts) table.push([key, ...columns.map((name) => print(each[name]))]);
    return table.toString();
  };
  const sections = [
    section(
      'carrier',
      report.carriers.map(({ carrier_key: key, counts }) => [key, counts]),
    ),
    section('state', Object.entries(report.by_state)),
    section('policy type', Object.entries(report.by_policy_type)),
  ];
  if (report.by_reason) {
    const reasons = new Table({
      head: ['declined for', 'policies × carriers'].map((text) => colors.bold(text)),
      colAligns: ['left', 'right'],
      style: { head: [], border: [] },
    });
    for (const [code, count] of Object.entries(report.by_reason)) reasons.push([code, print(count)]);
    sections.push(reasons.toString());
  }
  return `${sections.join('\n')}\n`;
}

function print(count: number): string {
  return count.toLocaleString('en-US');
}
