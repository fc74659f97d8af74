/** Shore of one cell: by data set its lines, as `x, y, dx, dy, dx, dy …` in whole steps, `steps` to a degree. */
export interface ShoreCell {
  readonly steps: number;
  readonly lines: Readonly<Record<string, readonly (readonly number[])[]>>;
}

const DEGREES = 2;

/** The file of the cell in which a point lies. */
export function cellName(lng: number, lat: number): string {
  return `shore-${Math.floor(lat / DEGREES)}_${Math.floor(lng / DEGREES)}.json`;
}

/** The files of all cells that a box touches. */
export function cellsOf(west: number, south: number, east: number, north: number): string[] {
  const names = new Set<string>();
  for (let lat = Math.floor(south / DEGREES); lat <= Math.floor(north / DEGREES); lat++)
    for (let lng = Math.floor(west / DEGREES); lng <= Math.floor(east / DEGREES); lng++)
      names.add(`shore-${lat}_${lng}.json`);
  return [...names];
}
