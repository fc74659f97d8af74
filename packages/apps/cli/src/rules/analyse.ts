import { type AskedAt, analyseRuleSet, analysisCodes, askedAt, mainTimeZone, readAskedAt } from '@leeward/authoring';
import type { RuleSet } from '@leeward/engine';
import { writeTime } from '@leeward/terms';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { inOrder, type LocatedFinding, locate } from './located-finding.ts';
import { count, printFindings } from './print-findings.ts';
import type { ReportFormat } from './report/format.ts';
import { printReport } from './report/print-report.ts';
import { findRuleSetFiles, readRuleSet } from './rule-set-files.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

interface AnalyseOptions {
  readonly format: ReportFormat;
  readonly asOf?: string;
  readonly failOn?: string;
  readonly allOverlaps?: boolean;
  readonly boxes?: string;
}

/** `rules analyse`: finds likely mistakes of a rule set. */
export function analyse(
  paths: readonly string[],
  options: AnalyseOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): void {
  const at = asOfOption(options.asOf, terminal);
  const failing = failOnOption(options.failOn, analysisCodes);
  const boxes = boxesOption(options.boxes);
  const { folder } = terminal;
  const findings: LocatedFinding[] = [];
  let text = '';
  const files = findRuleSetFiles(paths, folder).map((path) => readRuleSet(path, folder, lines));
  for (const { name, json, ruleSet, vocabulary, findings: faults } of files) {
    // A rule set with faults means nothing yet; its warnings come again from the analysis.
    if (!json || !ruleSet) {
      findings.push(...faults);
      text += `${name}: not analysed; mend its faults first.\n`;
      continue;
    }
    const { allOverlaps } = options;
    const analysis = analyseRuleSet(ruleSet, {
      at: at(ruleSet),
      vocabulary,
      ...(allOverlaps ? { allOverlaps } : {}),
      ...(boxes === undefined ? {} : { boxes }),
    });
    findings.push(...analysis.findings.map((finding) => locate(finding, name, json)));
    text += `${name}: ages and homes as of effective date ${analysis.at.effectiveDate}.\n`;
  }
  const sorted = inOrder(findings);
  const { format } = options;
  const summaryText = summary(sorted, files.length);
  // Findings that the file explains do not fail.
  const fails = ({ code, severity, allowed }: LocatedFinding) => allowed === undefined && failing(code, severity);
  const report = {
    command: 'analyse',
    findings: sorted,
    files: files.map(({ name }) => name),
    summary: summaryText,
    details: [`As of ${writeTime(at().asOf)}.`, ...text.trimEnd().split('\n')],
    fails,
  };
  if (!printReport(report, format, terminal)) {
    if (format === 'text') terminal.write(`As of ${writeTime(at().asOf)}.\n${text}\n`);
    printFindings(sorted, format, terminal, { as_of: at().asOf });
    if (format === 'text') terminal.write(`${summaryText}\n`);
  }
  // A file that was not analysed has not passed.
  const isUnread = files.some(({ ruleSet }) => !ruleSet);
  if (isUnread || sorted.some(fails)) exitWith(1);
}

function summary(findings: readonly LocatedFinding[], files: number): string {
  const byCode = new Map<string, number>();
  for (const { code } of findings) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const counts = [...byCode].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, number]) => `${number} ${code}`);
  return `${count(files, 'rule set')}: ${counts.length === 0 ? 'nothing found' : counts.join(', ')}.`;
}

/** Time of evaluation: the given instant or now, with the date in the main time zone of each rule set. */
export type AskedOption = (ruleSet?: RuleSet) => AskedAt;

export function asOfOption(text: string | undefined, terminal: Terminal): AskedOption {
  const nowMs = terminal.now().getTime();
  if (text === undefined) return (ruleSet) => askedAt(nowMs, ruleSet && mainTimeZone(ruleSet));
  if (readAskedAt(text)) return (ruleSet) => readAskedAt(text, ruleSet && mainTimeZone(ruleSet))!;
  throw new WrongUse(`--as-of is "${text}"; give a date like 2026-11-20, or an instant like 2026-11-20T12:00:00Z.`);
}

/** Parses `--fail-on`: a comma-separated list of codes or severities, or `any`. */
export function failOnOption(
  text: string | undefined,
  codes: readonly string[],
): (code: string, severity: string) => boolean {
  if (text === undefined) return () => false;
  const codesToFail = text.split(',').map((each) => each.trim());
  const knownCodes = ['any', 'fault', 'warning', 'note', ...codes];
  const strange = codesToFail.find((each) => !knownCodes.includes(each));
  if (strange !== undefined)
    throw new WrongUse(`--fail-on knows no "${strange}"; there are: ${knownCodes.join(', ')}.`);
  return (code, severity) =>
    codesToFail.includes('any') || codesToFail.includes(code) || codesToFail.includes(severity);
}

function boxesOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new WrongUse(`--boxes is "${text}"; give a whole number, like 2000000.`);
}
