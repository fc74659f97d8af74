import { type LineSet, LineSetBuilder } from './line-set.ts';

/** A box and how far, in metres, its shores stand from where they belong. */
interface Displacement {
  readonly name: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** To be added. */
  readonly eastMeters: number;
  readonly northMeters: number;
  readonly measuredAgainst: 'state of Hawaii, 1:24,000' | 'us-atlas';
}

/**
 * Islands that GSHHG has whole but in the wrong place (old island datums, and charts without one). Each was moved
 * until the median distance of its vertices from the reference was least; the shape is not touched.
 */
export const DISPLACED_ISLANDS: readonly Displacement[] = [
  // biome-ignore format: a table
  ...([
    ['Kauai', -159.9, 21.8, -159.2, 22.3, 205, -85, 'state of Hawaii, 1:24,000'],
    ['Niihau', -160.4, 21.7, -160, 22.1, 40, 150, 'state of Hawaii, 1:24,000'],
    ['Oahu', -158.4, 21.2, -157.6, 21.8, 145, -205, 'state of Hawaii, 1:24,000'],
    ['Molokai', -157.4, 21, -156.7, 21.3, 15, -310, 'state of Hawaii, 1:24,000'],
    ['Lanai', -157.1, 20.7, -156.79, 20.95, 250, -340, 'state of Hawaii, 1:24,000'],
    ['Kahoolawe', -156.75, 20.45, -156.5, 20.62, 205, -665, 'state of Hawaii, 1:24,000'],
    ['Maui', -156.75, 20.5, -155.9, 21.1, 260, -380, 'state of Hawaii, 1:24,000'],
    ['Hawaii', -156.2, 18.8, -154.7, 20.4, 115, -70, 'state of Hawaii, 1:24,000'],
    ['Puerto Rico', -67.4, 17.8, -65.62, 18.6, 175, 340, 'us-atlas'],
    ['Tutuila', -170.9, -14.4, -170.5, -14.2, 2900, 620, 'us-atlas'],
    ['Manua', -169.8, -14.3, -169.4, -14.1, 3050, 485, 'us-atlas'],
  ] as const).map(([name, west, south, east, north, eastMeters, northMeters, measuredAgainst]) => ({
    name, west, south, east, north, eastMeters, northMeters, measuredAgainst,
  })),
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
 * GSHHG's Great Lakes stand about a kilometre north of the Census outline (us-atlas): moved by this much, its median
 * distance from 864 vertices of that outline falls from 658 to 478 m. What remains is a matter of shape.
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

/** Fresh water that GSHHG takes for the sea, as rings of longitude and latitude around the false shores. */
export const FALSE_SEAS: readonly { readonly name: string; readonly ring: readonly (readonly [number, number])[] }[] = [
  {
    // Lake Washington, Lake Union and the ship canal lie behind the locks at Ballard, six metres above the Sound.
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

/** Leaves out the vertices inside a false sea: a line that entered it now runs straight across its mouth, where its dam stands. */
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
