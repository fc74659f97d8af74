/**
 * Polygons of the land of a shoreline, whose lines have the land on their left.
 *
 * Closed lines are rings: counterclockwise ones enclose land, clockwise ones water. Open lines are joined. An end at the border of the area
 * continues along the border, counterclockwise, to the next start there. The other ends continue straight to the nearest free start,
 * shortest gaps first. Water that no land encloses is a hole of the area.
 */
import type { CoverageBox, Shoreline } from '@leeward/coast';
import type { Position } from 'geojson';

export interface LandPolygons {
  /** Outer rings counterclockwise, holes clockwise, as in GeoJSON. */
  readonly polygons: Position[][][];
  /** Gaps between open lines, closed by straight segments. */
  readonly gaps: number;
  /** Maximum gap, in degrees of latitude. */
  readonly maxGapDegrees: number;
}

/** An end so close to the border of the area was cut by it. */
const BORDER_DEGREES = 0.005;
/** A longer gap takes a detour by `waypoints`. */
const DETOUR_DEGREES = 25;

/** Undefined if the side of the water is unknown. `waypoints` lead around the land that a very long gap must not cut. */
export function landPolygons(shoreline: Shoreline, waypoints: readonly Position[] = []): LandPolygons | undefined {
  if (shoreline.water === 'unknown') return undefined;
  const area = areaOf(shoreline);
  const lines = linesOf(shoreline);
  const rings = lines.filter(isClosed);
  const open = lines.filter((line) => !isClosed(line));
  const joins = joinOpenLines(open, area, waypoints);
  rings.push(...chainLines(open, joins));
  const gaps = joins.filter(({ degrees }) => degrees > 0);
  return {
    polygons: nestRings(rings, area),
    gaps: gaps.length,
    maxGapDegrees: gaps.reduce((max, { degrees }) => Math.max(max, degrees), 0),
  };
}

/** Bounds of the coverage, else of the lines. */
export function areaOf({ coverage, positions }: Shoreline): CoverageBox {
  const boxes = coverage.length > 0 ? coverage : [boundsOf(positionsOf(positions, 0, positions.length / 2))];
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}

function linesOf({ positions, lineStarts, layers, water }: Shoreline): Position[][] {
  const lines: Position[][] = [];
  for (let line = 1; line < lineStarts.length; line++) {
    let from = lineStarts[line - 1]!;
    let to = lineStarts[line]!;
    if (!isClosed(positionsOf(positions, from, to))) {
      // Pieces of a long ring overlap: a segment in no layer belongs to the piece before or after it.
      while (to - from > 2 && layers[to - 2] === 0) to--;
      while (to - from > 2 && layers[from] === 0) from++;
    }
    const vertices = positionsOf(positions, from, to);
    if (vertices.length > 1) lines.push(water === 'right' ? vertices : vertices.reverse());
  }
  return lines;
}

function positionsOf(positions: Float64Array, from: number, to: number): Position[] {
  return Array.from({ length: to - from }, (_, at) => [positions[2 * (from + at)]!, positions[2 * (from + at) + 1]!]);
}

function isClosed(line: readonly Position[]): boolean {
  const first = line[0]!;
  const last = line.at(-1)!;
  return line.length > 3 && first[0] === last[0] && first[1] === last[1];
}

interface Join {
  readonly from: number;
  readonly to: number;
  /** Zero if they touch, or along the border. */
  readonly degrees: number;
  /** Between the end and the start. */
  readonly between: readonly Position[];
}

function joinOpenLines(open: readonly Position[][], area: CoverageBox, waypoints: readonly Position[]): Join[] {
  const starts = new Map(open.map((line, at) => [at, line[0]!] as const));
  const ends = new Map(open.map((line, at) => [at, line.at(-1)!] as const));
  const joins: Join[] = [];
  const join = (from: number, to: number, degrees: number, between: readonly Position[]): void => {
    joins.push({ from, to, degrees, between });
    ends.delete(from);
    starts.delete(to);
  };
  const startsByPlace = new Map([...starts].map(([at, start]) => [start.join(), at] as const));
  for (const [from, end] of [...ends]) {
    const to = startsByPlace.get(end.join());
    if (to !== undefined && starts.has(to)) join(from, to, 0, []);
  }
  // Along the border.
  const onBorder = [...starts].flatMap(([at, start]) => {
    const way = wayAlongBorder(start, area);
    return way === undefined ? [] : [{ at, way }];
  });
  for (const [from, end] of [...ends]) {
    const way = wayAlongBorder(end, area);
    if (way === undefined) continue;
    const next = onBorder
      .filter(({ at }) => starts.has(at))
      .map((start) => ({ at: start.at, ahead: (start.way - way + 4) % 4 }))
      .sort((one, other) => one.ahead - other.ahead)[0];
    if (next !== undefined) join(from, next.at, 0, corners(way, next.ahead, area));
  }
  const pairs = [...ends].flatMap(([from, end]) =>
    [...starts].map(([to, start]) => ({ from, to, degrees: degreesBetween(end, start) })),
  );
  for (const { from, to, degrees } of pairs.sort((one, other) => one.degrees - other.degrees)) {
    if (ends.has(from) && starts.has(to)) join(from, to, degrees, degrees > DETOUR_DEGREES ? waypoints : []);
  }
  return joins;
}

/** 0 to 4, counterclockwise from the southwest corner, one for each side; undefined inside. */
function wayAlongBorder([longitude = 0, latitude = 0]: Position, box: CoverageBox): number | undefined {
  const { west, south, east, north } = box;
  const along = (longitude - west) / (east - west);
  const up = (latitude - south) / (north - south);
  if (latitude - south < BORDER_DEGREES) return along;
  if (east - longitude < BORDER_DEGREES) return 1 + up;
  if (north - latitude < BORDER_DEGREES) return 3 - along;
  return longitude - west < BORDER_DEGREES ? 4 - up : undefined;
}

/** The corners on the way, counterclockwise. */
function corners(way: number, ahead: number, { west, south, east, north }: CoverageBox): Position[] {
  const all = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  const passed: Position[] = [];
  for (let corner = Math.floor(way) + 1; corner < way + ahead; corner++) passed.push(all[corner % 4]!);
  return passed;
}

function degreesBetween(from: Position, to: Position): number {
  const narrow = Math.cos(((from[1]! + to[1]!) / 2) * (Math.PI / 180));
  return Math.hypot((to[0]! - from[0]!) * narrow, to[1]! - from[1]!);
}

/** Closed rings. Each line has one follower. */
function chainLines(open: readonly Position[][], joins: readonly Join[]): Position[][] {
  const next = new Map(joins.map((join) => [join.from, join] as const));
  const used = new Set<number>();
  return open.flatMap((_, first) => {
    const ring: Position[] = [];
    for (let line = first; !used.has(line); ) {
      used.add(line);
      const { to, between } = next.get(line)!;
      for (const position of open[line]!) ring.push(position);
      ring.push(...between);
      line = to;
    }
    return ring.length > 2 ? [[...ring, ring[0]!]] : [];
  });
}

function nestRings(rings: readonly Position[][], area: CoverageBox): Position[][][] {
  const outer = rings.filter((ring) => signedArea(ring) > 0).map((ring) => ({ rings: [ring], box: boundsOf(ring) }));
  const { west, south, east, north } = area;
  const whole = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const ofArea: Position[][] = [whole];
  for (const hole of rings.filter((ring) => signedArea(ring) < 0)) {
    const place = hole[0]!;
    const around = outer
      .filter(({ box, rings: [ring] }) => isInBox(place, box) && isInRing(place, ring!))
      .sort((one, other) => boxArea(one.box) - boxArea(other.box))[0];
    (around?.rings ?? ofArea).push(hole);
  }
  const polygons = outer.map((polygon) => polygon.rings);
  const largest = (all: readonly (readonly Position[])[]): number =>
    all.reduce((max, ring) => Math.max(max, Math.abs(signedArea(ring))), 0);
  // The area is land if its water is larger than its islands. Otherwise the water is a fold of a line.
  const isLand = largest(ofArea.slice(1)) > largest(outer.map(({ rings: [ring] }) => ring!));
  return isLand ? [...polygons, ofArea] : polygons;
}

function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let at = 1; at < ring.length; at++) {
    sum += ring[at - 1]![0]! * ring[at]![1]! - ring[at]![0]! * ring[at - 1]![1]!;
  }
  return sum;
}

export function boundsOf(positions: readonly Position[]): CoverageBox {
  const box = { west: 180, south: 90, east: -180, north: -90 };
  for (const [longitude = 0, latitude = 0] of positions) {
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
  }
  return box;
}

function boxArea({ west, south, east, north }: CoverageBox): number {
  return (east - west) * (north - south);
}

function isInBox([longitude = 0, latitude = 0]: Position, { west, south, east, north }: CoverageBox): boolean {
  return longitude >= west && longitude <= east && latitude >= south && latitude <= north;
}

function isInRing([x = 0, y = 0]: Position, ring: readonly Position[]): boolean {
  let isInside = false;
  for (let at = 1; at < ring.length; at++) {
    const [x1 = 0, y1 = 0] = ring[at - 1]!;
    const [x2 = 0, y2 = 0] = ring[at]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
  }
  return isInside;
}
