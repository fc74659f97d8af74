import { type CellGrid, cellAt, type PackedLine } from '../map/map-cell.ts';

/**
 * Cuts lines into the cells of a grid. Coordinates are whole steps, each the difference from the one before; a point that falls onto
 * the one before is left out, and so are parts of no width. A segment that leaves a cell is in both.
 */
export class LineCells<Part extends string> {
  /** By name. Cells without lines are absent. */
  readonly cells = new Map<string, Readonly<Record<Part, PackedLine[]>>>();
  readonly #degrees: number;
  readonly #steps: number;
  readonly #parts: readonly Part[];

  /** @param parts Names of the lists of each cell. */
  constructor({ degrees, steps }: CellGrid, parts: readonly Part[]) {
    this.#degrees = degrees;
    this.#steps = steps;
    this.#parts = parts;
  }

  /** @param partOf The list that takes the segment after a point; undefined leaves it out. */
  add(points: readonly (readonly [number, number])[], partOf: (point: number) => Part | undefined): void {
    const steps = this.#steps;
    const places: { readonly x: number; readonly y: number; readonly point: number }[] = [];
    for (const [point, [longitude, latitude]] of points.entries()) {
      const [x, y] = [Math.round(longitude * steps), Math.round(latitude * steps)];
      const last = places.at(-1);
      // The segment that leaves a place starts at its last point.
      if (last?.x === x && last.y === y) places.pop();
      // A line that returns to the place before last has no width there.
      else if (places.at(-2)?.x === x && places.at(-2)?.y === y) places.splice(-2);
      places.push({ x, y, point });
    }
    const [first, last] = [places[0], places.at(-1)];
    if (first?.x === last?.x && first?.y === last?.y && places.length < 4) return;
    const open = new Map<string, { readonly part: Part; readonly line: number[]; last: number }>();
    for (let at = 0; at + 1 < places.length; at++) {
      const { x, y, point } = places[at]!;
      const part = partOf(point);
      if (part === undefined) continue;
      const next = places[at + 1]!;
      const step = [next.x - x, next.y - y];
      const names = [x, next.x].map((each, end) => cellAt(this.#degrees, each / steps, [y, next.y][end]! / steps));
      for (const name of new Set(names)) {
        const current = open.get(name);
        if (current?.last === at && current.part === part) {
          current.line.push(...step);
          current.last = at + 1;
          continue;
        }
        const line = [x, y, ...step];
        open.set(name, { part, line, last: at + 1 });
        const cell = this.cells.get(name) ?? this.#emptyCell();
        this.cells.set(name, cell);
        cell[part].push(line);
      }
    }
  }

  #emptyCell(): Record<Part, PackedLine[]> {
    return Object.fromEntries(this.#parts.map((part) => [part, []])) as unknown as Record<Part, PackedLine[]>;
  }
}
