import type { StatusCounts } from '@leeward/books';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { type BookReport, describeSample } from './book-report.ts';

const columns = ['eligible', 'referral', 'needs_information', 'ineligible', 'not_offered'] as const;

/** Fields that are listed; the JSON has all. */
const MAX_QUESTIONS = 10;

/** Summary by carrier, state and policy type, with decline reasons if counted. */
export function summaryTable(report: BookReport, terminal: Pick<Terminal, 'columns' | 'inColor'>): string {
  const section = (title: string, counts: readonly (readonly [string, StatusCounts])[]): string => {
    const head = [title, ...columns.map((name) => name.replace('_', ' '))];
    const rows = counts.map(([key, each]) => [key, ...columns.map((name) => print(each[name]))]);
    return fittingTable({ head, rows, aligns: ['left', ...columns.map(() => 'right' as const)] }, terminal);
  };
  const sections = [
    section(
      'carrier',
      report.carriers.map(({ carrier_key: key, counts }) => [key, counts]),
    ),
    section('state', Object.entries(report.by_state)),
    section('policy type', Object.entries(report.by_policy_type)),
  ];
  const questions = Object.entries(report.open_questions.would_settle);
  if (questions.length > 0) {
    const head = [`missing field (${describeSample(report)})`, 'policies × carriers it would settle alone'];
    const rows = questions.slice(0, MAX_QUESTIONS).map(([field, count]) => [field, print(count)]);
    sections.push(fittingTable({ head, rows, aligns: ['left', 'right'] }, terminal));
  }
  if (report.by_reason) {
    const head = ['declined for', 'policies × carriers'];
    const rows = Object.entries(report.by_reason).map(([code, count]) => [code, print(count)]);
    sections.push(fittingTable({ head, rows, aligns: ['left', 'right'] }, terminal));
  }
  return `${sections.join('\n')}\n`;
}

function print(count: number): string {
  return count.toLocaleString('en-US');
}
