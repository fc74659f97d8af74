import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { inlineAreas, readWorkbook, type WorkbookSheet, writeWorkbook } from '@leeward/authoring';
import { checkRuleSet } from '@leeward/engine';
import { areaReader } from '../../files/area-reader.ts';
import { type KnownLines, knownLines } from '../../lines/known-lines.ts';
import type { Terminal } from '../../terminal.ts';
import { usable } from '../diff.ts';
import { count, type Format, printFindings } from '../print-findings.ts';
import { casesBeside, readJson } from '../rule-set-files.ts';
import { writeOutput } from '../write-output.ts';
import { exitWith, WrongUse } from '../wrong-use.ts';
import { readXlsxFile, writeXlsxFile } from './xlsx-file.ts';

interface ExportOptions {
  readonly format: Format;
  readonly out: string;
}

/** Text of the last sheet. */
const help = [
  'A rule is a row, a test is a column: its heading names the fact, the operator and the unit, the cell the value. An empty cell is not a condition.',
  'Separate several words with bars: metal | tile. A column of another test may be added: "roof_age greaterThan" or "roof_age >".',
  'holds: "when all" of the tests hold, "when any" of them does, "unless all", "unless any". "when" and "unless" alone name a shared condition.',
  'program: the rule is of that program alone; empty, of every one.',
  'and also (JSON), other (JSON): conditions without a column. Import reads them unchanged.',
  'Merged cells and formulas are not taken. Sheets whose names begin with "notes", like this one, are not read.',
  'Back again: leeward rules import FILE.xlsx --out rule-set.json',
];

/** Maximum number of characters of a cell in a workbook. */
const MAX_CELL = 32_767;

/**
 * `rules export`: writes a rule set and its cases as a workbook. Reads it back first and reports anything that would be
 * lost.
 */
export async function exportRules(
  path: string,
  options: ExportOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const out = resolve(terminal.folder, options.out);
  if (!/\.xlsx$/i.test(out)) throw new WrongUse(`--out is "${options.out}"; give a name that ends in .xlsx.`);
  if (existsSync(out)) throw new WrongUse(`${options.out} exists already; nothing was written.`);
  const { ruleSet, vocabulary, path: file } = usable(path, options.format, terminal, lines);
  const casesPath = casesBeside(file);
  const cases = casesPath === undefined ? undefined : readJson(casesPath, terminal.folder).json?.value;
  // Areas in files stay there: the workbook names them.
  const sheets = writeWorkbook(readJson(file, terminal.folder).json?.value ?? ruleSet.file, { cases });
  const maxLength = Math.max(...sheets.flatMap(({ rows }) => rows.flat().map((cell) => String(cell ?? '').length)));
  if (maxLength > MAX_CELL) {
    const way =
      'put the outlines of areas into GeoJSON files next to the rule file: "areas": { "bay": { "file": "areas/bay.geojson" } }';
    throw new WrongUse(`A cell would have ${maxLength} characters, and a workbook allows ${MAX_CELL}; ${way}.`);
  }
  const notes: WorkbookSheet = {
    name: 'notes',
    rows: [['How to read and edit this workbook'], ...help.map((line) => [line])],
  };
  const choices = {
    outcome: ['decline', 'refer', 'require', 'offer', 'inform'],
    holds: ['when all', 'when any', 'unless all', 'unless any', 'when', 'unless'],
    program: ruleSet.programs.map(({ id }) => id),
  };
  const bytes = await writeXlsxFile([...sheets, notes], choices);
  const again = await readXlsxFile(bytes);
  const read = 'problem' in again ? undefined : readWorkbook(again.sheets);
  const isSame =
    read?.faults.length === 0 &&
    checkRuleSet(inlineAreas(read.file, areaReader(file)).file, { vocabulary }).ruleSet?.sha256 === ruleSet.sha256 &&
    (!Array.isArray(cases) || JSON.stringify(sorted(read.cases)) === JSON.stringify(sorted(cases)));
  if (!isSame) {
    terminal.writeError('leeward rules: a workbook cannot carry this rule set without a loss, so none is written.\n');
    exitWith(1);
  }
  writeOutput(out, bytes);
  const written = { written: options.out, sha256: ruleSet.sha256, sheets: sheets.map(({ name }) => name) };
  if (options.format === 'json') printFindings([], 'json', terminal, written);
  else {
    const carried = [count(numberOf(sheets, 'rules'), 'rule'), count(numberOf(sheets, 'cases'), 'case')].join(', ');
    terminal.write(
      `Wrote ${options.out}: ${carried}. Back again: leeward rules import ${options.out} --out rule-set.json\n`,
    );
  }
}

function numberOf(sheets: readonly WorkbookSheet[], name: string): number {
  return (sheets.find((sheet) => sheet.name === name)?.rows.length ?? 1) - 1;
}

/** Sorts the keys of a value. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}
