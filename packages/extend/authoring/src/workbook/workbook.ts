/** The value of a cell; null if empty. */
export type SheetCell = string | number | boolean | Date | null;

/** A sheet as rows of cells; the first row has the headings. */
export interface WorkbookSheet {
  readonly name: string;
  readonly rows: readonly (readonly SheetCell[])[];
}

/** A mistake in a cell. */
export interface WorkbookFault extends WorkbookPlace {
  readonly code: string;
  readonly message: string;
}

/** A cell of a workbook. Row and column start at 0. */
export interface WorkbookPlace {
  readonly sheet: string;
  readonly row: number;
  readonly column: number;
}

/**
 * The name of a cell. Row and column start at 0.
 *
 * @example
 * cellName(4, 1); // B5
 */
export function cellName(row: number, column: number): string {
  let letters = '';
  for (let index = column; index >= 0; index = Math.floor(index / 26) - 1) {
    letters = String.fromCharCode(65 + (index % 26)) + letters;
  }
  return `${letters}${row + 1}`;
}
