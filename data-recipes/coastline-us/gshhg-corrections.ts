import { type LineSet, LineSetBuilder } from './line-set.ts';

/** A box and the displacement of its shores, in meters. */
interface Displacement {
  readonly name: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Added to the shores. */
  readonly eastMeters: number;
  readonly northMeters: number;
  readonly measuredAgainst: string;
}

const HAWAII = 'the coastline of the state of Hawaii, 1:24,000';
const CENSUS = 'the Census outline of us-atlas';

/**
 * Islands that GSHHG has complete but displaced (old island datums, and charts without one). Each is moved to the minimum of the median
 * distance of its vertices from the reference; the shape is unchanged.
 */
// biome-ignore format: a table
export const DISPLACED_ISLANDS: readonly Displacement[] = [
  { name: 'Kauai', west: -159.9, south: 21.8, east: -159.2, north: 22.3, eastMeters: 205, northMeters: -85, measuredAgainst: HAWAII },
  { name: 'Niihau', west: -160.4, south: 21.7, east: -160, north: 22.1, eastMeters: 40, northMeters: 150, measuredAgainst: HAWAII },
  { name: 'Oahu', west: -158.4, south: 21.2, east: -157.6, north: 21.8, eastMeters: 145, northMeters: -205, measuredAgainst: HAWAII },
  { name: 'Molokai', west: -157.4, south: 21, east: -156.7, north: 21.3, eastMeters: 15, northMeters: -310, measuredAgainst: HAWAII },
  { name: 'Lanai', west: -157.1, south: 20.7, east: -156.79, north: 20.95, eastMeters: 250, northMeters: -340, measuredAgainst: HAWAII },
  { name: 'Kahoolawe', west: -156.75, south: 20.45, east: -156.5, north: 20.62, eastMeters: 205, northMeters: -665, measuredAgainst: HAWAII },
  { name: 'Maui', west: -156.75, south: 20.5, east: -155.9, north: 21.1, eastMeters: 260, northMeters: -380, measuredAgainst: HAWAII },
  { name: 'Hawaii', west: -156.2, south: 18.8, east: -154.7, north: 20.4, eastMeters: 115, northMeters: -70, measuredAgainst: HAWAII },
  { name: 'Puerto Rico', west: -67.4, south: 17.8, east: -65.62, north: 18.6, eastMeters: 175, northMeters: 340, measuredAgainst: CENSUS },
  { name: 'Tutuila', west: -170.9, south: -14.4, east: -170.5, north: -14.2, eastMeters: 2900, northMeters: 620, measuredAgainst: CENSUS },
  { name: 'Manua', west: -169.8, south: -14.3, east: -169.4, north: -14.1, eastMeters: 3050, northMeters: 485, measuredAgainst: CENSUS },
];

export function moveDisplacedIslands(lines: LineSet): LineSet {
  const positions = lines.positions.slice();
  for (let i = 0; i < positions.length; i += 2) {
    const longitude = positions[i]!;
    const latitude = positions[i + 1]!;
    const island = DISPLACED_ISLANDS.find(
      (d) => longitude > d.west && longitude < d.east && latitude > d.south && latitude < d.north,
    );
    if (island !== undefined) move(positions, i, island);
  }
  return { positions, lineStarts: lines.lineStarts };
}

/**
 * GSHHG's Great Lakes are about a kilometer north of the Census outline (us-atlas). The move lowers the median distance from 864 of its
 * vertices from 658 to 478 m; the remainder is a difference in shape.
 */
export const GREAT_LAKES_DISPLACEMENT = { eastMeters: 300, northMeters: -900 } as const;

export function moveGreatLakes(lines: LineSet): LineSet {
  const positions = lines.positions.slice();
  for (let i = 0; i < positions.length; i += 2) move(positions, i, GREAT_LAKES_DISPLACEMENT);
  return { positions, lineStarts: lines.lineStarts };
}

function move(
  positions: Float64Array,
  at: number,
  by: { readonly eastMeters: number; readonly northMeters: number },
): void {
  positions[at]! += by.eastMeters / (111_195 * Math.cos(positions[at + 1]! * (Math.PI / 180)));
  positions[at + 1]! += by.northMeters / 111_195;
}

/** Fresh water that GSHHG treats as sea: rings of longitude and latitude around the false shores. */
export const FALSE_SEAS: readonly { readonly name: string; readonly ring: readonly (readonly [number, number])[] }[] = [
  {
    // Lake Washington, Lake Union and the ship canal are behind the locks at Ballard, six meters above the Sound.
    name: 'Lake Washington',
    ring: [
      [-122.3975, 47.668],
      [-122.36, 47.72],
      [-122.29, 47.79],
      [-122.1, 47.79],
      [-122.1, 47.47],
      [-122.29, 47.47],
      [-122.3, 47.6],
      [-122.33, 47.62],
      [-122.36, 47.635],
      [-122.3905, 47.66],
    ],
  },
];

/** Removes vertices inside a false sea: a line into it now crosses its mouth, where the dam is. */
export function dropFalseSeas(lines: LineSet): { lines: LineSet; dropped: number } {
  const inside = (vertex: number): boolean =>
    FALSE_SEAS.some(({ ring }) => contains(ring, lines.positions[2 * vertex]!, lines.positions[2 * vertex + 1]!));
  const kept = new LineSetBuilder();
  let dropped = 0;
  for (let line = 0; line + 1 < lines.lineStarts.length; line++) {
    for (let v = lines.lineStarts[line]!; v < lines.lineStarts[line + 1]!; v++) {
      if (inside(v)) dropped++;
      else kept.addVertex(lines.positions[2 * v]!, lines.positions[2 * v + 1]!);
    }
    kept.endLine();
  }
  return { lines: kept.finish(), dropped };
}

function contains(ring: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let odd = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring[(i + 1) % ring.length]!;
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}
