import { resolve } from 'node:path';
import {
  type AskedAt,
  type Coverage,
  carriersOf,
  checkCases,
  coverageCodes,
  coverageOf,
  type SuggestedCase,
} from '@leeward/authoring';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { asOfOption, failOnOption } from './analyse.ts';
import { inOrder, type LocatedFinding, locate } from './located-finding.ts';
import { heatMapPage } from './page/heat-map.ts';
import { count, printFindings } from './print-findings.ts';
import type { ReportFormat } from './report/format.ts';
import { printReport } from './report/print-report.ts';
import {
  casesBeside,
  findRuleSetFiles,
  type RuleSetFile,
  readJson,
  readRuleSet,
  ruleSetsBeside,
} from './rule-set-files.ts';
import { writeOutput } from './write-output.ts';
import { exitWith } from './wrong-use.ts';

interface CoverageOptions {
  readonly format: ReportFormat | 'html';
  readonly asOf?: string;
  readonly failOn?: string;
  /** True: print them; text: the file to write them to. */
  readonly suggest?: boolean | string;
}

/** `rules coverage`: which rules, outcomes and limits the cases reach, and cases for what they miss. */
export async function coverage(
  paths: readonly string[],
  options: CoverageOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const { folder } = terminal;
  const at = asOfOption(options.asOf, terminal);
  const failing = failOnOption(options.failOn, coverageCodes);
  const findings: LocatedFinding[] = [];
  const suggested: SuggestedCase[] = [];
  let summary = '';
  let isUnread = false;
  const files: string[] = [];
  const covered: Parameters<typeof heatMapPage>[0][number][] = [];
  for (const path of findRuleSetFiles(paths, folder)) {
    const file = readRuleSet(path, folder, lines);
    const { ruleSet, json, name } = file;
    files.push(name);
    if (!ruleSet || !json) {
      findings.push(...file.findings);
      summary += `${name}: not looked at; mend its faults first.\n`;
      isUnread = true;
      continue;
    }
    const { coverage, unread } = await coverFile(file, ruleSet, folder, at(ruleSet), lines);
    covered.push({ name, ruleSet, coverage });
    isUnread ||= unread.length > 0;
    findings.push(...unread, ...coverage.findings.map((finding) => locate(finding, name, json)));
    suggested.push(...coverage.suggested);
    summary += `${name}: ${coverage.rules.reached} of ${coverage.rules.all} rules hold in a case; ${coverage.borders.reached} of ${coverage.borders.all} sides of limits are reached.\n`;
  }
  const sorted = inOrder(findings);
  const text = `${JSON.stringify(suggested, null, 2)}\n`;
  if (typeof options.suggest === 'string') writeOutput(resolve(folder, options.suggest), text);
  const { format } = options;
  const report = {
    command: 'coverage',
    findings: sorted,
    files,
    summary: `${count(sorted.length, 'finding')}.`,
    details: summary.trimEnd().split('\n'),
    fails: ({ code, severity }: LocatedFinding) => failing(code, severity),
  };
  if (format === 'html') terminal.write(heatMapPage(covered));
  else if (!printReport(report, format, terminal)) {
    printFindings(sorted, format, terminal, options.suggest ? { suggested_cases: suggested } : {});
  }
  if (format === 'text') {
    terminal.write(summary);
    if (options.suggest === true && suggested.length > 0)
      terminal.write(`\nCases to add, as the rules answer today; read each before you believe it:\n${text}`);
    if (typeof options.suggest === 'string')
      terminal.write(`${suggested.length} cases to add are in ${options.suggest}; read each before you believe it.\n`);
  }
  // A file that was not read has not passed.
  if (isUnread || sorted.some(({ code, severity }) => failing(code, severity))) exitWith(1);
}

/** The coverage of a file by the cases next to it, and the faults of the cases. */
export async function coverFile(
  file: RuleSetFile,
  ruleSet: NonNullable<RuleSetFile['ruleSet']>,
  folder: string,
  at: AskedAt,
  lines: KnownLines,
): Promise<{
  coverage: Coverage;
  unread: readonly LocatedFinding[];
  cases: { readonly run: number; readonly findings: readonly LocatedFinding[] };
}> {
  const versions = ruleSetsBeside(file.path).flatMap((path) => {
    if (path === file.path) return [ruleSet];
    const beside = readRuleSet(path, folder, lines).ruleSet;
    return beside?.carrierKey === ruleSet.carrierKey ? [beside] : [];
  });
  const [carrier] = carriersOf(versions.map((each) => ({ ruleSet: each, source: 'catalog' as const })));
  const path = casesBeside(file.path);
  const cases = path === undefined ? undefined : readJson(path, folder);
  const { vocabulary } = file;
  const checked = await checkCases(carrier!, cases?.json?.value ?? [], vocabulary);
  const findings = [
    ...(cases?.findings ?? []),
    ...checked.findings.flatMap((finding) => (cases?.json ? [locate(finding, cases.name, cases.json)] : [])),
  ];
  return {
    coverage: await coverageOf(carrier!, ruleSet, checked, at, vocabulary),
    // A failing case counts for coverage; an unreadable one does not.
    unread: findings.filter(({ code }) => code !== 'case_fails'),
    cases: { run: checked.cases.length, findings },
  };
}
