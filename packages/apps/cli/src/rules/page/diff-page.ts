import type { AskedAt } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { escaped } from '../../html/escaped.ts';
import { definitions, htmlPage, instantOf } from '../../page/html-page.ts';
import type { BookMoves } from '../book-moves.ts';
import type { LocatedFinding } from '../located-finding.ts';
import { bookChart } from './book-chart.ts';
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
