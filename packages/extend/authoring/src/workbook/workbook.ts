/** What a cell of a spreadsheet holds; null where it is empty. */
export type SheetCell = string | number | boolean | Date | null;

/** A sheet as rows of cells; the first row is the heading. */
export interface WorkbookSheet {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
}

/** Something that a sheet says and that cannot be taken. */
export interface WorkbookFault extends WorkbookPlace {
  readonly code: string;
  readonly message: string;
}

/** A place in a workbook; row and column are counted from 0, as in `rows`. */
export interface WorkbookPlace {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/** How people call a cell: `B5`. Row and column are counted from 0. */
export function cellName(row: number, column: number): string {
  let letters = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}
