import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { GeographicPoint } from '@leeward/coast';

type Position = readonly [longitude: number, latitude: number];

interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: { readonly counties: { readonly geometries: readonly Geometry[] } };
}

type Geometry = { readonly id: string } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

/** Outline of a county (Census, us-atlas), with its water. */
export class CountyArea {
  readonly bounds = { west: 180, south: 90, east: -180, north: -90 };
  readonly #edges: (readonly [Position, Position])[] = [];

  constructor(rings: readonly (readonly Position[])[]) {
    for (const ring of rings) {
      for (let at = 0; at + 1 < ring.length; at++) this.#edges.push([ring[at]!, ring[at + 1]!]);
      for (const [longitude, latitude] of ring) {
        this.bounds.west = Math.min(this.bounds.west, longitude);
        this.bounds.east = Math.max(this.bounds.east, longitude);
        this.bounds.south = Math.min(this.bounds.south, latitude);
        this.bounds.north = Math.max(this.bounds.north, latitude);
      }
    }
  }

  holds({ longitude, latitude }: GeographicPoint): boolean {
    let isInside = false;
    for (const [[x, y], [toX, toY]] of this.#edges) {
      if (y > latitude === toY > latitude) continue;
      if (x + ((latitude - y) / (toY - y)) * (toX - x) > longitude) isInside = !isInside;
    }
    return isInside;
  }
}

/** @returns the county of a FIPS code. */
export function readCountyAreas(): (fips: string) => CountyArea {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const { transform, arcs, objects } = JSON.parse(readFileSync(path, 'utf8')) as Topology;
  const { scale, translate } = transform;
  const positionsOf = (arc: readonly Position[]): Position[] => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): Position => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  };
  const ringOf = (indexes: readonly number[]): Position[] =>
    indexes.flatMap((index, at) => {
      const positions = positionsOf(arcs[index < 0 ? ~index : index]!);
      if (index < 0) positions.reverse();
      return at === 0 ? positions : positions.slice(1);
    });
  return (fips) => {
    const county = objects.counties.geometries.find(({ id }) => id === fips);
    if (county === undefined) throw new Error(`us-atlas has no county ${fips}.`);
    return new CountyArea((county.type === 'Polygon' ? county.arcs : county.arcs.flat()).map(ringOf));
  };
}
