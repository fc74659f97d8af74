/** Per degree of latitude and longitude: 0.00125°, 139 m from south to north. */
export const CELLS_PER_DEGREE = 800;
export const METERS_PER_CELL = 111_195 / CELLS_PER_DEGREE;

/** Columns count eastward from 180° W and wrap; rows count northward from the South Pole. */
export function columnOf(longitude: number): number {
  return Math.floor((longitude + 180) * CELLS_PER_DEGREE);
}

export function rowOf(latitude: number): number {
  return Math.floor((latitude + 90) * CELLS_PER_DEGREE);
}

export function latitudeOfRow(row: number): number {
  return (row + 0.5) / CELLS_PER_DEGREE - 90;
}

export function cellWidthMeters(row: number): number {
  return METERS_PER_CELL * Math.cos(latitudeOfRow(row) * (Math.PI / 180));
}

export function tileOf(column: number, row: number): number {
  const degrees = ((Math.floor(column / CELLS_PER_DEGREE) % 360) + 360) % 360;
  return Math.floor(row / CELLS_PER_DEGREE) * 360 + degrees;
}

export function neighbourTile(tile: number, east: number, north: number): number {
  return (Math.floor(tile / 360) + north) * 360 + (((tile % 360) + east + 360) % 360);
}

/** Cells row by row from the south-west corner. */
export interface Window {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/** With a margin of at least `marginMeters` on every side. */
export function tileWindow(tile: number, marginMeters: number): Window {
  const column = (tile % 360) * CELLS_PER_DEGREE;
  const row = Math.floor(tile / 360) * CELLS_PER_DEGREE;
  const marginRows = Math.ceil(marginMeters / METERS_PER_CELL) + 1;
  const narrowest = Math.min(cellWidthMeters(row - marginRows), cellWidthMeters(row + CELLS_PER_DEGREE + marginRows));
  const marginColumns = Math.ceil(marginMeters / narrowest) + 1;
  return {
    column: column - marginColumns,
    row: row - marginRows,
    width: CELLS_PER_DEGREE + 2 * marginColumns,
    height: CELLS_PER_DEGREE + 2 * marginRows,
  };
}
