import type { LineSet } from './line-set.ts';

const CELLS_PER_DEGREE = 2;

/** Rough distance from the United States (half a degree): decides how much of a neighbour's shore is kept, and its tolerance. */
export class Nearness {
  readonly #anchors: { longitude: number; latitude: number }[] = [];
  readonly #known = new Map<number, number>();

  constructor(sources: readonly { readonly lines: LineSet; readonly american: Uint8Array }[]) {
    const cells = new Set<number>();
    for (const { lines, american } of sources)
      for (let v = 0; v < american.length; v++)
        if (american[v] === 1) cells.add(cellOf(lines.positions[2 * v]!, lines.positions[2 * v + 1]!));
    for (const cell of [...cells].sort((a, b) => a - b)) this.#anchors.push(centreOf(cell));
  }

  distanceMeters(longitude: number, latitude: number): number {
    const cell = cellOf(longitude, latitude);
    let distance = this.#known.get(cell);
    if (distance === undefined) {
      const centre = centreOf(cell);
      distance = Number.POSITIVE_INFINITY;
      for (const anchor of this.#anchors) distance = Math.min(distance, haversine(centre, anchor));
      this.#known.set(cell, distance);
    }
    return distance;
  }
}

function cellOf(longitude: number, latitude: number): number {
  return Math.floor((latitude + 90) * CELLS_PER_DEGREE) * 1000 + Math.floor((longitude + 180) * CELLS_PER_DEGREE);
}

function centreOf(cell: number): { longitude: number; latitude: number } {
  return {
    longitude: ((cell % 1000) + 0.5) / CELLS_PER_DEGREE - 180,
    latitude: (Math.floor(cell / 1000) + 0.5) / CELLS_PER_DEGREE - 90,
  };
}

function haversine(
  a: { readonly longitude: number; readonly latitude: number },
  b: { readonly longitude: number; readonly latitude: number },
): number {
  const radians = Math.PI / 180;
  const south = Math.sin(((b.latitude - a.latitude) * radians) / 2);
  const east = Math.sin(((b.longitude - a.longitude) * radians) / 2);
  const h = south * south + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * east * east;
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(h)));
}
