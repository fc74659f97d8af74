import type { LineSet } from './line-set.ts';
import { wrapDegrees } from './line-set.ts';

const METERS_PER_DEGREE = 111_195;
const RADIANS = Math.PI / 180;

export interface NearestSegment {
  /** First vertex of the nearest segment; −1 if none is within reach. */
  readonly vertex: number;
  readonly distanceMeters: number;
}

/** Nearest segments within a reach, on the plane that touches the sphere at the query: exact to half a percent over tens of kilometers. */
export class SegmentGrid {
  readonly #positions: Float64Array;
  readonly #cellDegrees: number;
  readonly #columns: number;
  readonly #cells = new Map<number, number[]>();

  constructor(lines: LineSet, cellDegrees: number, keep: (vertex: number) => boolean = () => true) {
    this.#positions = lines.positions;
    this.#cellDegrees = cellDegrees;
    this.#columns = Math.round(360 / cellDegrees);
    for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
      const last = lines.lineStarts[line + 1]! - 1;
      for (let vertex = lines.lineStarts[line]!; vertex < last; vertex++) if (keep(vertex)) this.#insert(vertex);
    }
  }

  #insert(vertex: number): void {
    const p = this.#positions;
    const steps = Math.ceil(
      Math.max(Math.abs(p[2 * vertex + 2]! - p[2 * vertex]!), Math.abs(p[2 * vertex + 3]! - p[2 * vertex + 1]!)) /
        (this.#cellDegrees / 2),
    );
    let previous = -1;
    for (let step = 0; step <= steps; step++) {
      const t = steps === 0 ? 0 : step / steps;
      const cell = this.#cell(
        this.#column(p[2 * vertex]! + t * (p[2 * vertex + 2]! - p[2 * vertex]!)),
        this.#row(p[2 * vertex + 1]! + t * (p[2 * vertex + 3]! - p[2 * vertex + 1]!)),
      );
      if (cell === previous) continue;
      previous = cell;
      const list = this.#cells.get(cell);
      if (list === undefined) this.#cells.set(cell, [vertex]);
      else if (list[list.length - 1] !== vertex) list.push(vertex);
    }
  }

  #column(longitude: number): number {
    return Math.floor((longitude + 180) / this.#cellDegrees);
  }

  #row(latitude: number): number {
    return Math.floor((latitude + 90) / this.#cellDegrees);
  }

  #cell(column: number, row: number): number {
    return row * this.#columns + (((column % this.#columns) + this.#columns) % this.#columns);
  }

  /** @param accepts leaves out segments. @default all count */
  nearest(
    longitude: number,
    latitude: number,
    reachMeters: number,
    accepts?: (vertex: number) => boolean,
  ): NearestSegment {
    const scale = METERS_PER_DEGREE * Math.cos(latitude * RADIANS);
    const column = this.#column(longitude);
    const row = this.#row(latitude);
    const cellMeters = this.#cellDegrees * Math.min(scale, METERS_PER_DEGREE);
    let best = reachMeters;
    let found = -1;
    // Rings of cells outward; a segment in ring k + 2 or beyond is at least k + 1 cells away (samples are half a cell apart).
    for (let ring = 0; (ring - 2) * cellMeters <= best; ring++) {
      for (let y = row - ring; y <= row + ring; y++) {
        const wholeRow = y === row - ring || y === row + ring;
        for (let x = column - ring; x <= column + ring; x += wholeRow || ring === 0 ? 1 : 2 * ring) {
          const list = this.#cells.get(this.#cell(x, y));
          if (list === undefined) continue;
          for (const vertex of list) {
            const distance = this.#distance(vertex, longitude, latitude, scale);
            if (distance < best && (accepts === undefined || accepts(vertex))) {
              best = distance;
              found = vertex;
            }
          }
        }
      }
    }
    return { vertex: found, distanceMeters: found < 0 ? Number.POSITIVE_INFINITY : best };
  }

  #distance(vertex: number, longitude: number, latitude: number, scale: number): number {
    const p = this.#positions;
    const ax = wrapDegrees(p[2 * vertex]! - longitude) * scale;
    const ay = (p[2 * vertex + 1]! - latitude) * METERS_PER_DEGREE;
    const dx = wrapDegrees(p[2 * vertex + 2]! - p[2 * vertex]!) * scale;
    const dy = (p[2 * vertex + 3]! - p[2 * vertex + 1]!) * METERS_PER_DEGREE;
    const lengthSquared = dx * dx + dy * dy;
    const t = lengthSquared === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / lengthSquared));
    return Math.hypot(ax + t * dx, ay + t * dy);
  }
}
