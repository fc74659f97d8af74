import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { askedAt, carriersOf, checkCases, checkLaw, type Law, mainTimeZone, readLaw } from '@leeward/authoring';
import type { Vocabulary } from '@leeward/engine';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { inOrder, type LocatedFinding, locate } from './located-finding.ts';
import { count, printFindings } from './print-findings.ts';
import type { ReportFormat } from './report/format.ts';
import { printReport } from './report/print-report.ts';
import {
  casesBeside,
  findRuleSetFiles,
  type JsonFile,
  type RuleSetFile,
  readJson,
  readRuleSet,
  ruleSetsBeside,
} from './rule-set-files.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

interface CheckOptions {
  readonly format: ReportFormat;
  /** Law files that every rule set is checked against. @default none */
  readonly law?: readonly string[];
}

/** `rules check`: format, vocabulary and cases of every rule set, all faults at once. */
export async function check(
  paths: readonly string[],
  { format, law: lawPaths = [] }: CheckOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const { folder } = terminal;
  const files = findRuleSetFiles(paths, folder).map((path) => readRuleSet(path, folder, lines));
  const findings: LocatedFinding[] = files.flatMap((file) => file.findings);
  findings.push(...sameDates(files));
  const laws = lawPaths.map((path) => readLawFile(path, folder));
  findings.push(...checkLaws(laws, files, terminal));
  const caseFiles = new Map<string, RuleSetFile>();
  for (const file of files) {
    const cases = casesBeside(file.path);
    if (cases !== undefined && !caseFiles.has(cases)) caseFiles.set(cases, file);
  }
  let run = 0;
  for (const [cases, file] of caseFiles) {
    const checked = await checkCasesFile(cases, file, files, folder, lines);
    run += checked.run;
    findings.push(...checked.findings);
  }
  const sorted = inOrder(findings);
  const faults = sorted.filter(({ severity }) => severity === 'fault').length;
  const warnings = sorted.filter(({ severity }) => severity === 'warning').length;
  const fileFindings =
    faults === 0 && warnings === 0 ? 'no faults' : `${count(faults, 'fault')}, ${count(warnings, 'warning')}`;
  const checkedLaws = laws.length === 0 ? '' : `, ${count(laws.length, 'law')}`;
  const summary = `${count(files.length, 'rule set')}, ${count(run, 'case')}${checkedLaws}: ${fileFindings}.`;
  const names = [
    ...[...files, ...laws].map(({ name }) => name),
    ...[...caseFiles.keys()].map((path) => nearPath(path, folder)),
  ];
  const fails = ({ severity }: LocatedFinding) => severity === 'fault';
  if (!printReport({ command: 'check', findings: sorted, files: names, summary, fails }, format, terminal)) {
    printFindings(sorted, format, terminal);
    if (format === 'text') terminal.write(`${summary}\n`);
  }
  if (faults > 0) exitWith(1);
}

function readLawFile(path: string, folder: string): JsonFile {
  const full = resolve(folder, path);
  if (!statSync(full, { throwIfNoEntry: false })?.isFile()) throw new WrongUse(`--law: there is no file ${path}.`);
  return readJson(full, folder);
}

/** Findings of all rule sets against all laws. A law with faults has not been kept: its faults fail the check. */
function checkLaws(laws: readonly JsonFile[], files: readonly RuleSetFile[], terminal: Terminal): LocatedFinding[] {
  const findings: LocatedFinding[] = [];
  for (const { name, json, findings: faults } of laws) {
    findings.push(...faults);
    if (!json) continue;
    const reported = new Set<string>();
    const read = new Map<Vocabulary, Law | undefined>();
    const lawFor = (vocabulary: Vocabulary): Law | undefined => {
      if (read.has(vocabulary)) return read.get(vocabulary);
      const { law, faults: lawFaults } = readLaw(json.value, vocabulary);
      for (const fault of lawFaults) {
        if (reported.has(`${fault.path} ${fault.message}`)) continue;
        reported.add(`${fault.path} ${fault.message}`);
        findings.push(locate({ ...fault, severity: 'fault' }, name, json));
      }
      read.set(vocabulary, law);
      return law;
    };
    for (const file of files) {
      if (!file.ruleSet || !file.json) continue;
      const { vocabulary } = file;
      const law = lawFor(vocabulary);
      if (!law) continue;
      const at = askedAt(terminal.now().getTime(), mainTimeZone(file.ruleSet));
      for (const finding of checkLaw(file.ruleSet, law, { at, vocabulary }))
        findings.push(locate(finding, file.name, file.json));
    }
  }
  return findings;
}

/** Cases are evaluated with all versions of the carrier: the checked ones and others next to them. */
async function checkCasesFile(
  path: string,
  file: RuleSetFile,
  files: readonly RuleSetFile[],
  folder: string,
  lines: KnownLines,
): Promise<{ run: number; findings: LocatedFinding[] }> {
  const cases = readJson(path, folder);
  const { json } = cases;
  if (!json) return { run: 0, findings: [...cases.findings] };
  const versions = ruleSetsBeside(file.path).map(
    (each) => files.find((knownFile) => knownFile.path === each) ?? readRuleSet(each, folder, lines),
  );
  const ruleSets = versions.flatMap(({ ruleSet }) => (ruleSet ? [ruleSet] : []));
  // A version that cannot be read would leave its cases to another.
  const carriers = carriersOf(ruleSets.map((ruleSet) => ({ ruleSet, source: 'catalog' })));
  if (ruleSets.length < versions.length || carriers.length !== 1) {
    // The faults of the checked version are reported already.
    if (versions.some((each) => each.ruleSet === undefined && files.includes(each))) return { run: 0, findings: [] };
    const why =
      carriers.length > 1
        ? `The rule sets next to these cases belong to several carriers (${carriers.map(({ key }) => key).join(', ')}); give each a separate folder.`
        : 'The cases were not run: a rule set next to them has faults.';
    const severity = carriers.length > 1 ? 'fault' : 'warning';
    const finding = { code: 'cases_not_run', path: '', message: why, severity } as const;
    return { run: 0, findings: [locate(finding, cases.name, json)] };
  }
  const checked = await checkCases(carriers[0]!, json.value, file.vocabulary);
  return {
    run: checked.cases.length,
    findings: checked.findings.map((finding) => locate(finding, cases.name, json)),
  };
}

/** Two versions of one carrier in a folder with the same start date are ambiguous. */
function sameDates(files: readonly RuleSetFile[]): LocatedFinding[] {
  const first = new Map<string, RuleSetFile>();
  const findings: LocatedFinding[] = [];
  for (const file of files) {
    const { ruleSet, json } = file;
    if (!ruleSet || !json || !ruleSetsBeside(file.path).some((each) => files.some(({ path }) => path === each)))
      continue;
    const key = JSON.stringify([
      file.path.slice(0, -file.path.split(/[\\/]/).at(-1)!.length),
      ruleSet.carrierKey,
      ruleSet.effectiveFrom,
    ]);
    const other = first.get(key);
    if (!other) {
      first.set(key, file);
      continue;
    }
    const message = `"${ruleSet.carrierKey}" has another version from ${ruleSet.effectiveFrom} (${other.name}); give one of them another date.`;
    findings.push(
      locate({ code: 'same_effective_date', path: '/effective/from', message, severity: 'fault' }, file.name, json),
    );
  }
  return findings;
}
