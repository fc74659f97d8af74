import { resolve } from 'node:path';
import { type AskedAt, changes, diffRuleSets } from '@leeward/authoring';
import { writeTime } from '@leeward/terms';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { asOfOption } from './analyse.ts';
import { type BookMoves, compareBook, type Moved } from './book-moves.ts';
import { locate } from './located-finding.ts';
import { type ComparedVersions, diffPage } from './page/diff-page.ts';
import { count, printFindings } from './print-findings.ts';
import type { ReportFormat } from './report/format.ts';
import { printReport } from './report/print-report.ts';
import { type RuleSetFile, readRuleSet } from './rule-set-files.ts';
import { exitWith } from './wrong-use.ts';

interface DiffOptions {
  readonly format: ReportFormat | 'html';
  readonly asOf?: string;
  readonly book?: string;
}

const MAX_SHOWN = 20;
const changeCodes: ReadonlySet<string> = new Set(changes);

/** `rules diff`: which homes are answered otherwise, and what was edited. */
export async function diff(
  older: string,
  newer: string,
  options: DiffOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const askedAt = asOfOption(options.asOf, terminal);
  const before = usable(older, options.format, terminal, lines);
  const after = usable(newer, options.format, terminal, lines);
  const at = askedAt(after.ruleSet);
  const compared = await compareVersions(before, after, { at, book: options.book }, terminal);
  const { findings, book } = compared;
  const { format } = options;
  const moving = findings.filter(({ code }) => changeCodes.has(code)).length;
  const report = {
    command: 'diff',
    findings,
    files: [before.name, after.name],
    summary:
      findings.length === 0
        ? 'both give the same answer for every home.'
        : `${count(moving, 'set')} of homes answered otherwise, ${count(findings.length - moving, 'edit')}.`,
    details: [
      `As of ${writeTime(at.asOf)}, ages as of effective date ${at.effectiveDate}, both as though in force.`,
      ...(book ? bookInWords(book).trim().split('\n') : []),
    ],
    fails: () => false,
  };
  if (format === 'html') terminal.write(diffPage(compared));
  else if (printReport(report, format, terminal)) {
    // Formats for pull requests and builds.
  } else if (format === 'json') {
    printFindings(findings, 'json', terminal, {
      as_of: at.asOf,
      effective_date: at.effectiveDate,
      ...(book ? { book: writeBook(book) } : {}),
    });
  } else {
    terminal.write(
      `As of ${writeTime(at.asOf)}, ages as of effective date ${at.effectiveDate}, both as though in force.\n\n`,
    );
    printFindings(findings, 'text', terminal);
    if (findings.length === 0) terminal.write('Both give the same answer for every home.\n');
    if (book) terminal.write(bookInWords(book));
  }
  // A book without readable rows proves nothing.
  if (book && book.policies === book.unread.length) exitWith(1);
}

type Usable = RuleSetFile &
  Required<Pick<RuleSetFile, 'ruleSet' | 'json'>> & {
    readonly ruleSet: NonNullable<RuleSetFile['ruleSet']>;
    readonly json: NonNullable<RuleSetFile['json']>;
  };

/** The changes of the newer version, and the affected policies of a book. */
export async function compareVersions(
  before: Usable,
  after: Usable,
  { at, book: path }: { readonly at: AskedAt; readonly book: string | undefined },
  terminal: Terminal,
): Promise<ComparedVersions> {
  const { vocabulary } = after;
  const { findings: edits } = diffRuleSets(before.ruleSet, after.ruleSet, { at, vocabulary });
  const findings = edits.map(({ side, ...finding }) => {
    const { name, json } = side === 'older' ? before : after;
    return locate(finding, name, json);
  });
  const asOf = new Date(at.asOfMs);
  const book = path === undefined ? undefined : await compareBook(before, after, path, asOf, terminal);
  return { older: before.ruleSet, newer: after.ruleSet, at, findings, book };
}

/** A rule set without faults. Otherwise prints the faults and exits. */
export function usable(
  path: string,
  format: ReportFormat | 'html',
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Usable {
  const file = readRuleSet(resolve(terminal.folder, path), terminal.folder, lines);
  const { ruleSet, json } = file;
  if (ruleSet && json) return { ...file, ruleSet, json };
  const summary = `${file.name} has faults.`;
  const report = { command: 'check', findings: file.findings, files: [file.name], summary, fails: () => true };
  // Pages show rule sets only, so faults are printed as text.
  const faultFormat = format === 'html' ? 'text' : format;
  if (!printReport(report, faultFormat, terminal)) printFindings(file.findings, faultFormat, terminal);
  terminal.writeError(`leeward rules: ${file.name} has faults; mend them first.\n`);
  exitWith(2);
}

function tally(moved: readonly Moved[], keysOf: (each: Moved) => readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const each of moved) for (const key of keysOf(each)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

const byMove = ({ before, after }: Moved) => [`${before} to ${after}`];
const byState = ({ state }: Moved) => [state];
const byRule = ({ ruleIds }: Moved) => ruleIds;
const byCode = ({ codes }: Moved) => codes;

function writeBook({ policies, moved, unread }: BookMoves) {
  return {
    policies,
    moved: moved.length,
    unread,
    by_move: Object.fromEntries(tally(moved, byMove)),
    by_state: Object.fromEntries(tally(moved, byState)),
    by_code: Object.fromEntries(tally(moved, byCode)),
    by_rule: Object.fromEntries(tally(moved, byRule)),
    which: moved.map(({ line, policyType, state, before, after, codes, ruleIds }) => {
      return { line, policy_type: policyType, state, before, after, codes, rule_ids: ruleIds };
    }),
  };
}

function bookInWords({ policies, moved, unread }: BookMoves): string {
  const list = (title: string, keysOf: (each: Moved) => readonly string[]) =>
    `  ${title}: ${tally(moved, keysOf)
      .map(([key, number]) => `${key} ${number.toLocaleString('en-US')}`)
      .join(', ')}\n`;
  const answered = moved.length === 1 ? '1 is' : `${moved.length.toLocaleString('en-US')} are`;
  const missed = unread.length === 0 ? '' : `, and ${unread.length.toLocaleString('en-US')} could not be read`;
  let text = `\n${count(policies, 'policy', 'policies')} in the book: ${answered} answered differently${missed}.\n`;
  if (moved.length > 0) {
    text += list('by move', byMove) + list('by state', byState) + list('by reason', byCode) + list('by rule', byRule);
    for (const { line, policyType, state, before, after, ruleIds } of moved.slice(0, MAX_SHOWN)) {
      text += `  line ${line}: ${policyType} in ${state.toUpperCase()}, ${before} becomes ${after} (${ruleIds.join(', ')})\n`;
    }
    if (moved.length > MAX_SHOWN) text += `  … and ${moved.length - MAX_SHOWN} more; --format json names all.\n`;
  }
  for (const { line, message } of unread.slice(0, MAX_SHOWN)) text += `  line ${line} was not read: ${message}\n`;
  if (unread.length > MAX_SHOWN) text += `  … and ${unread.length - MAX_SHOWN} more lines were not read.\n`;
  return text;
}
