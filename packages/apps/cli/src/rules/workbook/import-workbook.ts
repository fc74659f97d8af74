import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { cellName, inlineAreas, printRuleSet, readWorkbook, type WorkbookPlace } from '@leeward/authoring';
import { checkRuleSet } from '@leeward/engine';
import { areaReader } from '../../files/area-reader.ts';
import { type KnownLines, wordsOf } from '../../lines/known-lines.ts';
import { nearPath } from '../../near-path.ts';
import type { Terminal } from '../../terminal.ts';
import { inOrder, type LocatedFinding } from '../located-finding.ts';
import { count, type Format, printFindings } from '../print-findings.ts';
import { writeOutput } from '../write-output.ts';
import { exitWith, WrongUse } from '../wrong-use.ts';
import { readXlsxFile } from './xlsx-file.ts';

interface WorkbookOptions {
  readonly format: Format;
  /** Full path; undefined is standard output. */
  readonly out: string | undefined;
  /** Takes a workbook that has no sheet of cases. */
  readonly withoutCases?: true;
}

/**
 * `rules import FILE.xlsx`: reads the rule set of a workbook and its cases. All or nothing: a rule set that lacks a
 * decline accepts more than its author intended.
 */
export async function importWorkbook(
  path: string,
  { format, out, withoutCases }: WorkbookOptions,
  terminal: Terminal,
  lines: KnownLines,
): Promise<void> {
  const full = resolve(terminal.folder, path);
  if (!existsSync(full)) throw new WrongUse(`There is no file ${path}.`);
  const casesOut = out === undefined ? undefined : join(dirname(out), 'cases.json');
  const opened = await readXlsxFile(readFileSync(full));
  if ('problem' in opened) throw new WrongUse(`${path} cannot be read as a workbook: ${opened.problem}`);
  const read = readWorkbook(opened.sheets);
  const file = nearPath(full, terminal.folder);
  const at = ({ sheet, row, column }: WorkbookPlace) => {
    return { path: `${sheet}!${cellName(row, column)}`, file, line: row + 1, column: column + 1 };
  };
  const findings: LocatedFinding[] = [...opened.faults, ...read.faults].map(({ code, message, ...place }) => {
    return { code, message, severity: 'fault', ...at(place) };
  });
  const inlined = inlineAreas(read.file, areaReader(out === undefined ? full : resolve(terminal.folder, out)));
  for (const { code, message, path: pointer } of inlined.faults)
    findings.push({ code, message, severity: 'fault', ...at(read.placeOf(pointer)) });
  const checked = checkRuleSet(inlined.file, { vocabulary: wordsOf(lines, read.file['line']) });
  // Parts that are missing because of an unreadable cell are reported already.
  const isReported = findings.length > 0;
  for (const { code, message, path: pointer } of checked.faults) {
    if (inlined.faults.some((fault) => fault.path === pointer)) continue;
    if (isReported && (code.startsWith('missing') || code.startsWith('invalid_type'))) continue;
    findings.push({ code, message, severity: 'fault', ...at(read.placeOf(pointer)) });
  }
  for (const { code, message, path: pointer } of checked.warnings) {
    findings.push({ code, message, severity: 'warning', ...at(read.placeOf(pointer)) });
  }
  const { ruleSet } = checked;
  const isWhole = ruleSet !== undefined && findings.every(({ severity }) => severity !== 'fault');
  if (isWhole && read.cases && casesOut !== undefined && existsSync(casesOut)) {
    throw new WrongUse(
      `${nearPath(casesOut, terminal.folder)} exists already, and the workbook has cases; nothing was written.`,
    );
  }
  // A sheet that was deleted takes the tests of the rules with it, which must not go unnoticed.
  const lacksCases = isWhole && read.cases === undefined && !(casesOut !== undefined && existsSync(casesOut));
  if (lacksCases && !withoutCases) {
    throw new WrongUse(
      `${path} has no sheet "cases", so the rules would have no cases to hold them; nothing was written. Put the sheet back, or give --without-cases.`,
    );
  }
  const text = printRuleSet(read.file);
  if (isWhole && out !== undefined) {
    writeOutput(out, text);
    if (read.cases) writeOutput(casesOut!, printRuleSet(read.cases));
  }
  const sheetOrder = inOrder(findings);
  if (format === 'json') {
    printFindings(sheetOrder, 'json', terminal, {
      rule_set: isWhole ? read.file : null,
      cases: isWhole ? (read.cases ?? null) : null,
    });
  } else {
    if (out === undefined && isWhole) terminal.write(text);
    const report: Terminal = { ...terminal, write: out === undefined ? terminal.writeError : terminal.write };
    printFindings(sheetOrder, 'text', report);
    if (!isWhole) report.write('Not everything can be taken, so nothing is written.\n');
    else if (out !== undefined) {
      const names = [out, ...(read.cases ? [casesOut!] : [])]
        .map((each) => nearPath(each, terminal.folder))
        .join(' and ');
      if (!read.cases && !lacksCases)
        report.write(`The workbook has no cases; ${nearPath(casesOut!, terminal.folder)} is unchanged.\n`);
      report.write(`Wrote ${names}. Next: leeward rules check ${nearPath(out, terminal.folder)}\n`);
    } else if (read.cases) {
      report.write(`${count(read.cases.length, 'case')} left out: with --out they are written next to the rule set.\n`);
    }
  }
  const areCasesLost = read.cases !== undefined && out === undefined && format === 'text';
  if (!isWhole || areCasesLost) exitWith(1);
}
