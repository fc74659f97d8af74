import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import type { DiffReport, MovedSum } from './diff-report.ts';

/** Rows of a table; `--summary` has all. */
const MOST_ROWS = 20;

/** What moved, for people: by move, reason, state, county, policy type and distance. */
export function diffTable(report: DiffReport, terminal: Pick<Terminal, 'columns' | 'inColor'>): string {
  const hasPremium = report.moved.premium !== undefined;
  const told = (number: number) => number.toLocaleString('en-US');
  const { policies, answers, premium } = report.moved;
  const money = premium === undefined ? '' : `, ${told(premium)} of premium`;
  const summary =
    report.changed_carriers.length === 0
      ? 'No carrier’s rules differ.\n'
      : `${told(policies)} of ${told(report.rows - report.rejected)} policies are answered otherwise by some carrier (${told(answers)} answers${money}).\n`;
  if (answers === 0) return summary;
  const section = (title: string, sums: readonly (readonly [string, MovedSum])[]): string => {
    const head = [title, 'answers', ...(hasPremium ? ['premium'] : [])];
    const rows = sums
      .slice(0, MOST_ROWS)
      .map(([name, sum]) => [name, told(sum.answers), ...(sum.premium === undefined ? [] : [told(sum.premium)])]);
    const aligns = head.map((_, place) => (place === 0 ? 'left' : 'right'));
    const more = sums.length > MOST_ROWS ? `\n… and ${sums.length - MOST_ROWS} more; --summary has all.` : '';
    return `${fittingTable({ head, rows, aligns }, terminal)}${more}`;
  };
  const move = ({ carrier_key: key, before, after }: DiffReport['moves'][number]) => `${key}: ${before} to ${after}`;
  return `${[
    section(
      'move',
      report.moves.map((each) => [move(each), each]),
    ),
    section('reason', Object.entries(report.by_reason)),
    section('state', Object.entries(report.by_state)),
    section('county', Object.entries(report.by_county)),
    section('policy type', Object.entries(report.by_policy_type)),
    section('distance to the coast', Object.entries(report.by_distance_band)),
  ].join('\n')}\n${summary}`;
}
