import type { BookDiff, Moved } from '@leeward/engine/authoring';
import { escaped } from '../../coast/picture/draw-map.ts';
import { told } from './page.ts';

/** Rows of a chart; the rest are told as one. */
const MAX_ROWS = 12;

/** What a change does to a book: bars by move, reason, rule, state and policy type. */
export function bookChart({ policies, moved, unread }: BookDiff): string {
  const read = policies - unread.length;
  const share = read === 0 ? 0 : (100 * moved.length) / read;
  const summary = `<p>Of ${told(read)} policies that were read, <strong>${told(moved.length)}</strong> (${share.toFixed(1)} %) are answered otherwise, and ${told(read - moved.length)} as before.</p>`;
  const missed =
    unread.length === 0
      ? ''
      : `<p class="care">▲ ${told(unread.length)} of ${told(policies)} lines could not be read; nothing is known of them.</p>`;
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
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (sorted.length === 0) return '';
  const rest = sorted.slice(MAX_ROWS);
  const more = rest.reduce((sum, [, number]) => sum + number, 0);
  const shown = [...sorted.slice(0, MAX_ROWS), ...(rest.length > 0 ? [[`${rest.length} others`, more] as const] : [])];
  const most = Math.max(...shown.map(([, number]) => number));
  const rows = shown.map(([key, number]) => {
    const width = ((100 * number) / most).toFixed(1);
    return `<tr><th scope="row">${escaped(key)}</th><td><span class="bar" style="width:${width}%"></span></td><td class="number">${told(number)}</td></tr>`;
  });
  return `<h3>${title}</h3>\n<table class="bars"><tbody>${rows.join('\n')}</tbody></table>`;
}

function words(status: string): string {
  return status.replaceAll('_', ' ');
}
