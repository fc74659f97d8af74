import type { AskedAt } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { wordOf } from '@leeward/terms';
import { formatCount } from '../../format-count.ts';
import { escaped } from '../../html/escaped.ts';
import { barTable } from '../../page/bars.ts';
import { definitions, htmlPage, instantOf } from '../../page/html-page.ts';
import type { BookMoves, Moved } from '../book-moves.ts';
import type { LocatedFinding } from '../located-finding.ts';
import { findingList } from './finding-list.ts';

/** The changes from one version to another. */
export interface ComparedVersions {
  readonly older: RuleSet;
  readonly newer: RuleSet;
  readonly at: AskedAt;
  readonly findings: readonly LocatedFinding[];
  readonly book: BookMoves | undefined;
}

/** The change in words, with homes that show it, and what it does to a book. */
export function changeSections({ findings, book }: ComparedVersions): string {
  const regions = findings.length === 0 ? '<p>Both give the same answer for every home.</p>' : findingList(findings);
  return `<h2>What changes</h2>\n${regions}${book ? `\n<h2>What it does to the book</h2>\n${bookChart(book)}` : ''}`;
}

/** The changes as a self-contained page. */
export function diffPage(compared: ComparedVersions): string {
  const { older, newer, at } = compared;
  const head = definitions([
    ['before', `${escaped(older.version)} <code>${older.sha256.slice(0, 12)}</code>`],
    ['after', `${escaped(newer.version)} <code>${newer.sha256.slice(0, 12)}</code>`],
    ['as of', `${escaped(instantOf(at.asOf))}, ages on ${escaped(at.effectiveDate)}`],
  ]);
  return htmlPage(
    `${newer.carrierName}: what version ${newer.version} changes`,
    `<header><h1>${escaped(newer.carrierName)}</h1><p class="soft">What version ${escaped(newer.version)} changes</p></header>\n${head}\n${changeSections(compared)}`,
  );
}

/** The effect of a change on a book: bars by move, reason, rule, state and policy type. */
function bookChart({ policies, moved, unread }: BookMoves): string {
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
  return wordOf('status', status);
}
