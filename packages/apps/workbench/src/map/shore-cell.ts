/** Lines `x, y, dx, dy, …` in whole steps, `steps` per degree. */
export interface ShoreCell {
  readonly steps: number;
  /** Attribution and licence. */
  readonly attribution: string;
  readonly lines: readonly (readonly number[])[];
}

const DEGREES = 2;

/** File of the cell of a point. Data sets have separate files because their licences differ. */
export function cellName(dataset: string, lng: number, lat: number): string {
  return named(dataset, Math.floor(lng / DEGREES), Math.floor(lat / DEGREES));
}

/** Files of the cells that a box (degrees) touches. */
export function cellsOf(dataset: string, west: number, south: number, east: number, north: number): string[] {
  const names: string[] = [];
  for (let row = Math.floor(south / DEGREES); row <= Math.floor(north / DEGREES); row++)
    for (let column = Math.floor(west / DEGREES); column <= Math.floor(east / DEGREES); column++)
      names.push(named(dataset, column, row));
  return names;
}

const named = (dataset: string, column: number, row: number) => `shore-${dataset}-${row}_${column}`;
