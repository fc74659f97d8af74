import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Finding,
  type Imported,
  type ImportOptions,
  importDecisionTable,
  importDmn,
  importJsonRulesEngine,
  printRuleSet,
  writeFinding,
} from '@leeward/authoring';
import { describeRecognized, openTable } from '@leeward/rows';
import type { KnownLines } from '../lines/known-lines.ts';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { inOrder, type LocatedFinding, locate } from './located-finding.ts';
import { count, type Format, printFindings } from './print-findings.ts';
import { readJson } from './rule-set-files.ts';
import { type CarrierWords, ownLine, startOptions } from './start-options.ts';
import { importWorkbook } from './workbook/import-workbook.ts';
import { writeOutput } from './write-output.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

interface ImportWords extends CarrierWords {
  readonly format: Format;
  readonly out?: string;
  readonly outcome?: readonly string[];
  readonly fact?: readonly string[];
  readonly withoutCases?: true;
}

/**
 * `rules import`: creates a rule set from a workbook (.xlsx), json-rules-engine rules (.json), DMN decision tables (.dmn) or a
 * decision table (CSV or NDJSON), and reports unusable parts. Exits with 1 if parts were left out. Writes no file if there are no usable
 * rules, because a rule set without rules accepts every home.
 */
export async function importRules(
  path: string,
  options: ImportWords,
  terminal: Terminal,
  lines: KnownLines,
): Promise<void> {
  const out = options.out === undefined ? undefined : resolve(terminal.folder, options.out);
  if (out !== undefined && existsSync(out)) {
    throw new WrongUse(`${nearPath(out, terminal.folder)} exists already; nothing was written.`);
  }
  if (/\.xlsx$/i.test(path)) return importWorkbook(path, { ...options, out }, terminal, lines);
  const { imported, findings } = /\.json$/i.test(path)
    ? fromJson(path, options, terminal, lines)
    : /\.(dmn|xml)$/i.test(path)
      ? fromDmn(path, options, terminal, lines)
      : await fromTable(path, options, terminal, lines);
  const { read, accepted } = imported;
  const isEmpty = accepted === 0;
  const text = printRuleSet(imported.ruleSet);
  if (out !== undefined && !isEmpty) {
    writeOutput(out, text);
  }
  const isWhole = read === accepted && !isEmpty && findings.every(({ severity }) => severity !== 'fault');
  if (options.format === 'json') {
    printFindings(findings, 'json', terminal, { read, taken: accepted, rule_set: isEmpty ? null : imported.ruleSet });
  } else {
    // Standard output may be a file, so messages go to standard error.
    if (out === undefined && !isEmpty) terminal.write(text);
    const report: Terminal = { ...terminal, write: out === undefined ? terminal.writeError : terminal.write };
    printFindings(findings, 'text', report);
    report.write(`${count(read, 'rule')} read, ${accepted} taken, ${read - accepted} left out.\n`);
    if (isEmpty) report.write('Nothing was taken, so nothing is written.\n');
    else sayWhatIsWritten(options, report, lines);
  }
  if (!isWhole) exitWith(1);
}

function sayWhatIsWritten(options: ImportWords, report: Terminal, lines: KnownLines): void {
  const { policyTypes, states, from } = startOptions(options, report, lines);
  const places = states.map((state) => state.toUpperCase()).join(', ');
  report.write(
    `They are written for ${policyTypes.join(', ')} in ${places} from ${from}; change this in "programs".\n`,
  );
  if (options.out !== undefined)
    report.write(`Wrote ${options.out}. Next: leeward rules check ${options.out}${ownLine(lines, report)}\n`);
}

function fromJson(path: string, options: ImportWords, terminal: Terminal, lines: KnownLines) {
  const { name, json, findings } = readJson(resolve(terminal.folder, path), terminal.folder);
  if (!json) {
    printFindings(findings, options.format, terminal);
    return exitWith(2);
  }
  const imported = importJsonRulesEngine(json.value, importOptions(options, terminal, lines));
  return { imported, findings: imported.findings.map((finding) => locate(finding, name, json)) };
}

function importOptions(options: ImportWords, terminal: Terminal, lines: KnownLines): ImportOptions {
  return {
    ...startOptions(options, terminal, lines),
    outcomes: Object.fromEntries((options.outcome ?? []).map(readOutcome)),
    facts: Object.fromEntries((options.fact ?? []).map(readFact)),
  };
}

function fromDmn(path: string, options: ImportWords, terminal: Terminal, lines: KnownLines) {
  const full = resolve(terminal.folder, path);
  if (!existsSync(full)) throw new WrongUse(`There is no file ${path}.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(full));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new WrongUse(`${path} is not UTF-8; save it in UTF-8, with encoding="UTF-8" in its first line.`);
  }
  const imported = importDmn(text, importOptions(options, terminal, lines));
  const file = nearPath(full, terminal.folder);
  const findings = imported.findings.map((finding): LocatedFinding => {
    return { ...writeFinding(finding), file, ...(imported.places.get(finding.path) ?? { line: 1, column: 1 }) };
  });
  return { imported, findings: inOrder(findings) };
}

function readOutcome(text: string): [string, string | { otherwise: string }] {
  const [, type, accepting, outcome] = /^(.+)=(otherwise:)?(decline|refer|require|inform)$/.exec(text) ?? [];
  if (type === undefined || outcome === undefined) {
    throw new WrongUse(
      `--outcome is "${text}"; give an event and what it means, like deny=decline or accept=otherwise:decline.`,
    );
  }
  return [type, accepting ? { otherwise: outcome } : outcome];
}

function readFact(text: string): [string, string] {
  const [, theirs, ours] = /^([^=]+)=([a-z][a-z0-9_]*)$/.exec(text) ?? [];
  if (theirs === undefined || ours === undefined)
    throw new WrongUse(`--fact is "${text}"; give a fact of the rules and its name here, like roofAge=roof_age.`);
  return [theirs, ours];
}

async function fromTable(
  path: string,
  options: ImportWords,
  terminal: Terminal,
  lines: KnownLines,
): Promise<{ imported: Imported; findings: LocatedFinding[] }> {
  const full = resolve(terminal.folder, path);
  if (!existsSync(full)) throw new WrongUse(`There is no file ${path}.`);
  const file = nearPath(full, terminal.folder);
  const table = await openTable(full, { name: path });
  const rows: { readonly line: number; readonly cells: readonly string[] }[] = [];
  const unread: LocatedFinding[] = [];
  for await (const { line, cells, fault } of table.rows) {
    if (cells) rows.push({ line, cells });
    else
      unread.push({
        code: fault.code,
        path: '',
        message: `Left out. ${fault.message}`,
        severity: 'fault',
        file,
        line,
        column: 1,
      });
  }
  const imported = importDecisionTable(
    [table.columns, ...rows.map(({ cells }) => cells)],
    startOptions(options, terminal, lines),
  );
  for (const sentence of describeRecognized(path, table.recognized())) terminal.writeError(`${sentence}\n`);
  const locatedFindings = imported.findings.map((finding: Finding): LocatedFinding => {
    const [, row, column] = finding.path.split('/');
    const line = row === undefined || row === 'heading' ? table.headerLine : rows[Number(row)]?.line;
    // In a table the column is that of the table, from 1.
    return { ...writeFinding(finding), file, line: line ?? 1, column: column === undefined ? 1 : Number(column) + 1 };
  });
  return {
    imported: { ...imported, read: imported.read + unread.length },
    findings: inOrder([...unread, ...locatedFindings]),
  };
}
