import { formatCount } from '../format-count.ts';
import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import type { DiffReport, MovedSum } from './diff-report.ts';

/** Maximum rows; `--summary` has all. */
const MAX_ROWS = 20;

/** Changes by move, reason, state, county, policy type and distance. */
export function diffTable(report: DiffReport, terminal: Pick<Terminal, 'columns' | 'inColor'>): string {
  const hasPremium = report.moved.premium !== undefined;
  const { policies, answers, premium } = report.moved;
  const money = premium === undefined ? '' : `, ${formatCount(premium)} of premium`;
  const summary =
    report.changed_carriers.length === 0
      ? 'No carrier’s rules differ.\n'
      : `${formatCount(policies)} of ${formatCount(report.rows - report.rejected)} policies are answered differently by some carrier (${formatCount(answers)} answers${money}).\n`;
  if (answers === 0) return summary;
  const section = (title: string, sums: readonly (readonly [string, MovedSum])[]): string => {
    const head = [title, 'answers', ...(hasPremium ? ['premium'] : [])];
    const rows = sums
      .slice(0, MAX_ROWS)
      .map(([name, sum]) => [
        name,
        formatCount(sum.answers),
        ...(sum.premium === undefined ? [] : [formatCount(sum.premium)]),
      ]);
    const aligns = head.map((_, place) => (place === 0 ? 'left' : 'right'));
    const more = sums.length > MAX_ROWS ? `\n… and ${sums.length - MAX_ROWS} more; --summary has all.` : '';
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
