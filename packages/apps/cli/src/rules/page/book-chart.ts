import { formatCount } from '../../format-count.ts';
import { barTable } from '../../page/bars.ts';

import type { BookMoves, Moved } from '../book-moves.ts';

/** The effect of a change on a book: bars by move, reason, rule, state and policy type. */
export function bookChart({ policies, moved, unread }: BookMoves): string {
  const read = policies - unread.length;
  const share = read === 0 ? 0 : (100 * moved.length) / read;
  const summary = `<p>Of ${formatCount(read)} policies that were read, <strong>${formatCount(moved.length)}</strong> (${share.toFixed(1)} %) are answered otherwise, and ${formatCount(read - moved.length)} as before.</p>`;
  const missed =
    unread.length === 0
      ? ''
      : `<p class="care">▲ ${formatCount(unread.length)} of ${formatCount(policies)} lines could not be read; nothing is known of them.</p>`;
  if (moved.length === 0) return summary + missed;
  const charts = [
    bars('By move', moved, ({ before, after }) => [`${words(before)} → ${words(after)}`]),
    bars('By reason', moved, ({ codes }) => codes),
    bars('By rule', moved, ({ ruleIds }) => ruleIds),
    bars('By state', moved, ({ state }) => [state.toUpperCase()]),
    bars('By policy type', moved, ({ policyType }) => [policyType]),
  ];
  return `${summary}${missed}\n${charts.join('\n')}`;
}

function bars(title: string, moved: readonly Moved[], keysOf: (each: Moved) => readonly string[]): string {
  const counts = new Map<string, number>();
  for (const each of moved) for (const key of keysOf(each)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return barTable(
    title,
    [...counts].map(([name, count]) => ({ name, count })),
  );
}

function words(status: string): string {
  return status.replaceAll('_', ' ');
}
