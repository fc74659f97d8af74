import { cellName, isNotes, type SheetCell, type WorkbookFault, type WorkbookSheet } from '@leeward/authoring';
import type { WriteSheet } from 'hucre/xlsx';
import { checkUnpacked } from './check-unpacked.ts';

/** A workbook as its file has it. */
export interface XlsxFile {
  readonly sheets: readonly WorkbookSheet[];
  /** Unreadable cells: merged cells, formulas, errors. */
  readonly faults: readonly WorkbookFault[];
}

/** Reads an .xlsx file, or returns the problem. */
export async function readXlsxFile(bytes: Uint8Array): Promise<XlsxFile | { readonly problem: string }> {
  const problem = await checkUnpacked(bytes);
  if (problem !== undefined) return { problem };
  const { readXlsx } = await import('hucre/xlsx');
  const faults: WorkbookFault[] = [];
  let workbook: Awaited<ReturnType<typeof readXlsx>>;
  try {
    workbook = await readXlsx(bytes);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  for (const { name: sheet, merges = [], cells } of workbook.sheets) {
    // Sheets of notes are free text.
    if (isNotes(sheet)) continue;
    for (const { startRow: row, startCol: column, endRow, endCol } of merges) {
      const range = `${cellName(row, column)}:${cellName(endRow, endCol)}`;
      const message = `The cells ${range} are merged, so their rows and columns are unclear. Unmerge them and fill each cell.`;
      faults.push({ code: 'merged_cells', message, sheet, row, column });
    }
    for (const [key, { type, formula, value }] of cells ?? []) {
      const [row, column] = key.split(',').map(Number) as [number, number];
      if (formula !== undefined || type === 'formula') {
        const message = `The cell holds a formula (=${formula ?? '…'}), whose value may be another tomorrow. Write the value.`;
        faults.push({ code: 'formula', message, sheet, row, column });
      } else if (type === 'error') {
        faults.push({ code: 'error_value', message: `The cell holds the error ${String(value)}.`, sheet, row, column });
      }
    }
  }
  return { sheets: workbook.sheets.map(({ name, rows }) => ({ name, rows: rows as SheetCell[][] })), faults };
}

/** Lists to choose from, by heading. */
export type Choices = Readonly<Record<string, readonly string[]>>;

const MIN_WIDTH = 9;
const MAX_WIDTH = 64;
/** Characters that a landscape page holds so that they can be read. */
const MAX_PAGE_WIDTH = 240;
/** Rows below the last, in which a list to choose from is still offered. */
const ROWS_TO_ADD = 500;
const header = {
  font: { name: 'Calibri', size: 11, bold: true, color: { rgb: 'FFFFFF' } },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: '1F4256' } },
  alignment: { wrapText: true, vertical: 'center' },
} as const;
const body = { alignment: { wrapText: true, vertical: 'top', horizontal: 'left' } } as const;

/** Writes an .xlsx file as people like to open it: headings that stay, filters, columns as wide as their words. */
export async function writeXlsxFile(sheets: readonly WorkbookSheet[], choices: Choices): Promise<Uint8Array> {
  const { writeXlsx } = await import('hucre/xlsx');
  return writeXlsx({ sheets: sheets.map((sheet) => dressed(sheet, choices)) });
}

function dressed({ name, rows }: WorkbookSheet, choices: Choices): WriteSheet {
  const heading = rows[0] ?? [];
  const last = cellName(Math.max(0, rows.length - 1), Math.max(0, heading.length - 1));
  const cells = new Map(
    rows.flatMap((row, at) =>
      row.map((value, column) => [`${at},${column}`, { value, style: at === 0 ? header : body }] as const),
    ),
  );
  const widths = heading.map((_, column) => widthOf(rows, column));
  const isNarrow = widths.reduce((sum, width) => sum + width, 0) <= MAX_PAGE_WIDTH;
  const dataValidations = heading.flatMap((text, column) => {
    const values = choices[String(text)];
    if (!values || name === 'cases') return [];
    const range = `${cellName(1, column)}:${cellName(rows.length + ROWS_TO_ADD, column)}`;
    return [{ type: 'list' as const, values: [...values], range, allowBlank: true, showErrorMessage: false }];
  });
  return {
    name,
    rows: rows.map((row) => [...row]),
    cells,
    columns: widths.map((width) => ({ width })),
    freezePane: { rows: 1, columns: name === 'carrier' ? 0 : 1 },
    ...(name === 'carrier' || name === 'notes' ? {} : { autoFilter: { range: `A1:${last}` } }),
    dataValidations,
    // A sheet with many columns prints on several pages; scaled to one page it would be unreadable.
    pageSetup: { orientation: 'landscape', ...(isNarrow ? { fitToPage: true, fitToWidth: 1, fitToHeight: 0 } : {}) },
  };
}

/** Wide enough for the longest line and for the longest word of the heading, within reason. */
function widthOf(rows: WorkbookSheet['rows'], column: number): number {
  const lengths = rows.map((row, at) => {
    const text = String(row[column] ?? '');
    return Math.max(...text.split(at === 0 ? /\s/ : '\n').map(({ length }) => length));
  });
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, ...lengths) + 3);
}
