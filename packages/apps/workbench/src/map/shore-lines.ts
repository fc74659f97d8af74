import { dataFile } from '../address/data-file.ts';
import { cellsOf, type ShoreCell } from './shore-cell.ts';

/** `[longitude, latitude]` in degrees. */
export type Lines = readonly (readonly (readonly [number, number])[])[];

const cells = new Map<string, Promise<ShoreCell | undefined>>();

/** A shore, with its attribution. */
export interface ShoreNear {
  readonly lines: Lines;
  readonly attribution: string;
}

/** Shore in the cells that a box (degrees) touches. A cell that failed to load is requested again. */
export async function shoreLines(
  dataset: string,
  box: { readonly west: number; readonly south: number; readonly east: number; readonly north: number },
): Promise<ShoreNear> {
  const results = await Promise.all(cellsOf(dataset, box.west, box.south, box.east, box.north).map(load));
  const shoreCells = results.filter((cell) => cell !== undefined);
  const lines = shoreCells.flatMap((cell) => cell.lines.map((line) => degrees(line, cell.steps)));
  return { lines, attribution: shoreCells[0]?.attribution ?? '' };
}

function load(name: string): Promise<ShoreCell | undefined> {
  let cell = cells.get(name);
  if (!cell) {
    cell = fetch(dataFile(name)).then(
      (response) => (response.ok ? (response.json() as Promise<ShoreCell>) : undefined),
      () => {
        cells.delete(name);
        return undefined;
      },
    );
    cells.set(name, cell);
  }
  return cell;
}

function degrees(line: readonly number[], steps: number): (readonly [number, number])[] {
  let x = 0;
  let y = 0;
  const points: (readonly [number, number])[] = [];
  for (let index = 0; index + 1 < line.length; index += 2) {
    x += line[index]!;
    y += line[index + 1]!;
    points.push([x / steps, y / steps]);
  }
  return points;
}
