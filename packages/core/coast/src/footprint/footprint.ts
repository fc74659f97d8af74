import type { GeographicPoint } from '../earth/geographic-point.ts';

/** Ground of a building: polygons with holes, as in GeoJSON, or a disc. */
export type Footprint =
  | { readonly kind: 'polygons'; readonly polygons: readonly (readonly (readonly Position[])[])[] }
  | { readonly kind: 'disc'; readonly center: GeographicPoint; readonly radiusMeters: number };

/** In degrees. */
export type Position = readonly [longitude: number, latitude: number, ...rest: number[]];

/** Upper bound, for latitude and for longitude at the equator, on WGS84. */
export const MAX_METERS_PER_DEGREE = 111_700;

/** Projected to a plane around its middle, in meters. Distances on the plane are never shorter than on the ground. */
export interface PlaneFootprint {
  readonly west: number;
  readonly south: number;
  readonly side: number;
  readonly points: readonly GeographicPoint[];
  pointAt(x: number, y: number): GeographicPoint;
  contains(x: number, y: number): boolean;
  touches(x: number, y: number, half: number): boolean;
}

type Edge = readonly [ax: number, ay: number, bx: number, by: number];

/** Parity of crossings decides what is inside, so a ring within another is a hole. */
export function onPlane(footprint: Footprint): PlaneFootprint {
  const rings = footprint.kind === 'disc' ? [] : footprint.polygons.flat();
  const middle = footprint.kind === 'disc' ? footprint.center : middleOf(rings);
  // Degrees of longitude are widest nearest to the equator.
  const minLatitude = Math.min(...rings.flat().map(([, latitude]) => Math.abs(latitude)), Math.abs(middle.latitude));
  const eastward = MAX_METERS_PER_DEGREE * Math.cos((minLatitude * Math.PI) / 180);
  const pointAt = (x: number, y: number): GeographicPoint => {
    const longitude = middle.longitude + x / Math.max(eastward, 1e-6);
    return {
      latitude: Math.max(-90, Math.min(90, middle.latitude + y / MAX_METERS_PER_DEGREE)),
      longitude: ((((longitude + 180) % 360) + 360) % 360) - 180,
    };
  };
  if (footprint.kind === 'disc') {
    // The plane stretches distances by up to this ratio.
    const radius = footprint.radiusMeters * (MAX_METERS_PER_DEGREE / 110_500);
    return {
      west: -radius,
      south: -radius,
      side: 2 * radius,
      points: [middle],
      pointAt,
      contains: (x, y) => Math.hypot(x, y) <= radius,
      touches: (x, y, half) => Math.hypot(Math.max(0, Math.abs(x) - half), Math.max(0, Math.abs(y) - half)) <= radius,
    };
  }
  const place = ([longitude, latitude]: Position) =>
    [
      wrapDegrees(longitude - middle.longitude) * eastward,
      (latitude - middle.latitude) * MAX_METERS_PER_DEGREE,
    ] as const;
  const edges = rings.flatMap((ring) =>
    ring.map((position, index): Edge => [...place(position), ...place(ring[(index + 1) % ring.length]!)]),
  );
  const [xs, ys] = [edges.map(([x]) => x), edges.map(([, y]) => y)];
  const [west, south] = [Math.min(...xs), Math.min(...ys)];
  const contains = (x: number, y: number) => {
    let inside = false;
    for (const [ax, ay, bx, by] of edges) {
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
    return inside;
  };
  return {
    west,
    south,
    side: Math.max(Math.max(...xs) - west, Math.max(...ys) - south),
    points: rings.flat().map(([longitude, latitude]) => ({ longitude, latitude })),
    pointAt,
    contains,
    touches: (x, y, half) => contains(x, y) || edges.some((edge) => meetsSquare(edge, x, y, half)),
  };
}

function middleOf(rings: readonly (readonly Position[])[]): GeographicPoint {
  const [first] = rings[0]!;
  const offsets = rings.flat().map(([longitude]) => wrapDegrees(longitude - first![0]));
  const latitudes = rings.flat().map(([, latitude]) => latitude);
  return {
    latitude: (Math.min(...latitudes) + Math.max(...latitudes)) / 2,
    longitude: wrapDegrees(first![0] + (Math.min(...offsets) + Math.max(...offsets)) / 2),
  };
}

function wrapDegrees(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/** Liang and Barsky, 1984. */
function meetsSquare([ax, ay, bx, by]: Edge, x: number, y: number, half: number): boolean {
  let [from, to] = [0, 1];
  for (const [start, step, middle] of [
    [ax, bx - ax, x],
    [ay, by - ay, y],
  ] as const) {
    const [low, high] = [middle - half - start, middle + half - start];
    if (step === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    from = Math.max(from, Math.min(low / step, high / step));
    to = Math.min(to, Math.max(low / step, high / step));
    if (from > to) return false;
  }
  return true;
}
