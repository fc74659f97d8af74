/** Shore of one data set in one cell: lines as `x, y, dx, dy, dx, dy …` in whole steps, `steps` to a degree. */
export interface ShoreCell {
  readonly steps: number;
  /** Attribution and licence. */
  readonly attribution: string;
  readonly lines: readonly (readonly number[])[];
}

const DEGREES = 2;

/**
 * File name, without extension, of the cell that contains a point. Data sets are kept apart because their licences
 * differ.
 */
export function cellName(dataset: string, lng: number, lat: number): string {
  return named(dataset, Math.floor(lng / DEGREES), Math.floor(lat / DEGREES));
}

/** The files of all cells that a box (degrees) touches. */
export function cellsOf(dataset: string, west: number, south: number, east: number, north: number): string[] {
  const names: string[] = [];
  for (let row = Math.floor(south / DEGREES); row <= Math.floor(north / DEGREES); row++)
    for (let column = Math.floor(west / DEGREES); column <= Math.floor(east / DEGREES); column++)
      names.push(named(dataset, column, row));
  return names;
}

const named = (dataset: string, column: number, row: number) => `shore-${dataset}-${row}_${column}`;
