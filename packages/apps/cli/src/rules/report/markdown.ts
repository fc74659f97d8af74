import type { LocatedFinding } from '../located-finding.ts';
import type { Report } from './report.ts';

/** More notes than this are folded away, where something weighs more. */
const MAX_NOTES_OPEN = 8;

const weights = { fault: 0, warning: 1, note: 2 } as const;

/** A report as a comment of a pull request: what weighs most first, a home that shows it under each. */
export function markdownOf({ command, findings, summary, details = [] }: Report): string {
  const weighed = [...findings].sort((a, b) => weights[a.severity] - weights[b.severity]);
  const first = weighed.findIndex(({ severity }) => severity === 'note');
  const open = first > 0 && weighed.length - first > MAX_NOTES_OPEN ? weighed.slice(0, first) : weighed;
  const folded = weighed.slice(open.length);
  const parts = [`### Rules ${command}: ${plain(summary)}\n`];
  if (details.length > 0) parts.push(details.map((line) => `${plain(line)}  \n`).join(''));
  if (open.length > 0) parts.push(open.map(itemOf).join(''));
  if (folded.length > 0)
    parts.push(`<details><summary>${folded.length} notes</summary>\n\n${folded.map(itemOf).join('')}\n</details>\n`);
  return parts.join('\n');
}

function itemOf({ severity, code, file, line, column, message, witness: example, allowed }: LocatedFinding): string {
  const mark = severity === 'note' ? '' : `**${severity}** `;
  const home = example === undefined ? '' : `  \n  home: ${codeSpan(JSON.stringify(example))}`;
  const why = allowed === undefined ? '' : `  \n  allowed: ${plain(allowed)}`;
  return `- ${mark}${codeSpan(code)} ${codeSpan(`${file}:${line}:${column}`)}  \n  ${plain(message)}${why}${home}\n`;
}

/** Escapes text, so that a rule's message cannot add markup or mentions. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*[\]<>|~#]|(?<!\w)_|_(?!\w)/g, '\\$&')
    .replaceAll('@', '@\u200B');
}

/** Code of one line, between more backticks than it holds. */
function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const maxTicks = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(maxTicks + 1);
  return maxTicks === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}
