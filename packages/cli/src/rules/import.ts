import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Finding,
  type Imported,
  importDecisionTable,
  importJsonRulesEngine,
  printRuleSet,
  writeFinding,
} from '@leeward/engine/authoring';
import { CsvError, parse } from 'csv-parse/sync';
import { nearPath } from '../near-path.ts';
import type { Terminal } from '../terminal.ts';
import { type LocatedFinding, locate } from './located-finding.ts';
import { count, type Format, printFindings } from './print-findings.ts';
import { readJson } from './rule-set-files.ts';
import { type CarrierWords, startOptions } from './start-options.ts';
import { exitWith, WrongUse } from './wrong-use.ts';

interface ImportWords extends CarrierWords {
  readonly format: Format;
  readonly out?: string;
  readonly outcome?: readonly string[];
}

/** `rules import`: a rule set of json-rules-engine rules (JSON) or of a decision table (CSV), and what did not fit. */
export function importRules(path: string, options: ImportWords, terminal: Terminal): void {
  const { imported, findings } = /\.csv$/i.test(path)
    ? fromTable(path, options, terminal)
    : fromJson(path, options, terminal);
  const text = printRuleSet(imported.ruleSet);
  if (options.out !== undefined) {
    const out = resolve(terminal.folder, options.out);
    if (existsSync(out)) throw new WrongUse(`${nearPath(out, terminal.folder)} exists already; nothing was written.`);
    writeFileSync(out, text);
  }
  const { read, taken } = imported;
  if (options.format === 'json') {
    printFindings(findings, 'json', terminal, { read, taken, rule_set: imported.ruleSet });
    return;
  }
  // What is written to standard output can go into a file; what is said of it goes beside.
  if (options.out === undefined) terminal.write(text);
  const report: Terminal = { ...terminal, write: options.out === undefined ? terminal.writeError : terminal.write };
  printFindings(findings, 'text', report);
  report.write(`${count(read, 'rule')} read, ${taken} taken, ${read - taken} left out.\n`);
  const { policyTypes, states, from } = startOptions(options);
  const places = states.map((state) => state.toUpperCase()).join(', ');
  report.write(
    `They are written for ${policyTypes.join(', ')} in ${places} from ${from}; "programs" says so, and can say otherwise.\n`,
  );
  if (options.out !== undefined) report.write(`Wrote ${options.out}. Next: leeward rules check ${options.out}\n`);
}

function fromJson(path: string, options: ImportWords, terminal: Terminal) {
  const { name, json, findings } = readJson(resolve(terminal.folder, path), terminal.folder);
  if (!json) {
    printFindings(findings, options.format, terminal);
    return exitWith(2);
  }
  const outcomes = Object.fromEntries((options.outcome ?? []).map(readOutcome));
  const imported = importJsonRulesEngine(json.value, { ...startOptions(options), outcomes });
  return { imported, findings: imported.findings.map((finding) => locate(finding, name, json)) };
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

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function fromTable(
  path: string,
  options: ImportWords,
  terminal: Terminal,
): { imported: Imported; findings: LocatedFinding[] } {
  const full = resolve(terminal.folder, path);
  if (!existsSync(full)) throw new WrongUse(`There is no file ${path}.`);
  let rows: Row[];
  try {
    rows = parse(readFileSync(full), {
      bom: true,
      info: true,
      relax_column_count: true,
      trim: true,
    }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new WrongUse(`${path} is no CSV: ${error.message}`);
  }
  const imported = importDecisionTable(
    rows.map(({ record }) => record),
    startOptions(options),
  );
  const file = nearPath(full, terminal.folder);
  const findings = imported.findings.map((finding: Finding): LocatedFinding => {
    const [, row, column] = finding.path.split('/');
    const line = row === undefined || row === 'heading' ? 1 : (rows[Number(row) + 1]?.info.lines ?? 1);
    // In a table the column is that of the table, from 1.
    return { ...writeFinding(finding), file, line, column: column === undefined ? 1 : Number(column) + 1 };
  });
  return { imported, findings };
}
