import { wrapDegrees } from '../request/property-location.ts';
import type { Position } from './area.ts';

/** A ring of a polygon, with its place in the file. `polygon` counts from 0. */
export interface PlacedRing {
  readonly positions: readonly Position[];
  readonly path: string;
  readonly polygon: number;
  readonly isHole: boolean;
}

interface BoxedRing extends PlacedRing {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface RingFault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** Finds a ring without extent, a hole outside of its polygon, or a polygon within another. The rings do not cross. */
export function findRingFault(rings: readonly PlacedRing[]): RingFault | undefined {
  const first = rings[0]!.positions[0]![0];
  const boxed = rings.map((ring): BoxedRing => {
    const xs = Float64Array.from(ring.positions, ([x]) => first + wrapDegrees(x - first));
    const ys = Float64Array.from(ring.positions, ([, y]) => y);
    const [west, east, south, north] = [smallest(xs), largest(xs), smallest(ys), largest(ys)];
    return { ...ring, xs, ys, west, south, east, north };
  });
  const byPolygon = new Map<number, BoxedRing[]>();
  for (const ring of boxed) byPolygon.set(ring.polygon, [...(byPolygon.get(ring.polygon) ?? []), ring]);
  const polygons = [...byPolygon];
  for (const ring of boxed) {
    const { path, polygon } = ring;
    const inside = positionWithin(ring);
    if (!inside) return { path, code: 'empty_area', message: 'This ring encloses nothing; remove it, or add corners.' };
    if (ring.isHole) {
      const outer = byPolygon.get(polygon)![0]!;
      if (contains(outer, inside)) continue;
      const message = 'This hole lies outside of the first ring of its polygon; make it a separate polygon.';
      return { path, code: 'hole_outside', message };
    }
    for (const [other, members] of polygons) {
      if (other === polygon) continue;
      const isWithin = members.filter((member) => contains(member, inside)).length % 2 === 1;
      if (!isWithin) continue;
      const message = `Polygon ${polygon + 1} overlaps polygon ${other + 1}; merge them, or make one a hole.`;
      return { path, code: 'overlapping_polygons', message };
    }
  }
  return undefined;
}

/** A position inside a ring: the middle of the first stretch along a line between two latitudes. */
function positionWithin(ring: BoxedRing): Position | undefined {
  const { ys } = ring;
  const latitudes = Float64Array.from(new Set(ys)).sort();
  let widest: { readonly position: Position; readonly width: number } | undefined;
  // The widest gap between latitudes is as good as any, and farthest from rounding.
  let gap = 0;
  for (let index = 1; index < latitudes.length; index++)
    if (latitudes[index]! - latitudes[index - 1]! > latitudes[gap + 1]! - latitudes[gap]!) gap = index - 1;
  if (latitudes.length < 2) return undefined;
  const y = (latitudes[gap]! + latitudes[gap + 1]!) / 2;
  const crossings = crossingsAt(ring, y).sort((a, b) => a - b);
  for (let index = 1; index < crossings.length; index += 2) {
    const width = crossings[index]! - crossings[index - 1]!;
    if (width > (widest?.width ?? 0)) widest = { position: [crossings[index - 1]! + width / 2, y], width };
  }
  return widest?.position;
}

function crossingsAt({ xs, ys }: BoxedRing, y: number): number[] {
  const crossings: number[] = [];
  for (let index = 1; index < ys.length; index++) {
    const [ay, by] = [ys[index - 1]!, ys[index]!];
    if (ay > y === by > y) continue;
    const ax = xs[index - 1]!;
    crossings.push(ax + ((xs[index]! - ax) * (y - ay)) / (by - ay));
  }
  return crossings;
}

function contains(ring: BoxedRing, [x, y]: Position): boolean {
  if (x < ring.west || x > ring.east || y < ring.south || y > ring.north) return false;
  return crossingsAt(ring, y).filter((crossing) => crossing > x).length % 2 === 1;
}

function smallest(numbers: Float64Array): number {
  return numbers.reduce((a, b) => Math.min(a, b));
}

function largest(numbers: Float64Array): number {
  return numbers.reduce((a, b) => Math.max(a, b));
}
