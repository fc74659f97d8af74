/**
 * Writes src/point/outline.generated.ts: a coarse outline of the United States, to recognize points in other countries.
 *
 * Source: npm us-atlas 3.0.1, nation-10m.json (the Census Bureau's cartographic boundary files of 2017; public domain, the npm package:
 * ISC).
 *
 * Run: npx node --conditions=@leeward/source data-recipes/places/outline.ts
 */
import { writeFileSync } from 'node:fs';
import { sphericalDistanceMeters } from '../../packages/core/places/src/point/point.ts';
import { ByteWriter } from './byte-writer.ts';
import { readSourceFile } from './source-package.ts';

type Position = readonly [longitude: number, latitude: number];
interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: {
    readonly nation: { readonly geometries: readonly { readonly arcs: readonly (readonly number[])[][] }[] };
  };
}

/** Maximum deviation from the source. */
const TOLERANCE_METERS = 3_000;

const topology = JSON.parse(
  readSourceFile({
    packageName: 'us-atlas',
    version: '3.0.1',
    path: 'nation-10m.json',
    sha256: '8ca8af2285b3c25268850d49adbe15de186d388dd20340ccbac72f83e35b6fe8',
  }),
) as Topology;
const { scale, translate } = topology.transform;

function positionsOf(arc: number): Position[] {
  let [x, y] = [0, 0];
  const positions = topology.arcs[arc < 0 ? ~arc : arc]!.map(([stepX, stepY]): Position => {
    x += stepX;
    y += stepY;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
  return arc < 0 ? positions.reverse() : positions;
}

/** Douglas and Peucker. */
function thin(ring: readonly Position[]): Position[] {
  const kept = new Set<number>([0, ring.length - 1]);
  const farthestOf = (from: number, to: number, distance: (position: Position) => number) => {
    let [farthest, most] = [-1, -1];
    for (let index = from + 1; index < to; index += 1) {
      const meters = distance(ring[index]!);
      if (meters > most) [farthest, most] = [index, meters];
    }
    return { farthest, most };
  };
  const split = (from: number, to: number): void => {
    const { farthest, most } = farthestOf(from, to, (position) => metersFrom(position, ring[from]!, ring[to]!));
    if (most <= TOLERANCE_METERS) return;
    kept.add(farthest);
    split(from, farthest);
    split(farthest, to);
  };
  // A ring has no chord: its farthest vertex splits it into two lines.
  const { farthest } = farthestOf(0, ring.length - 1, ([longitude, latitude]) =>
    sphericalDistanceMeters({ latitude, longitude }, { latitude: ring[0]![1], longitude: ring[0]![0] }),
  );
  kept.add(farthest);
  split(0, farthest);
  split(farthest, ring.length - 1);
  return ring.filter((_, index) => kept.has(index));
}

/** On a plane around the position. */
function metersFrom(position: Position, from: Position, to: Position): number {
  const eastMeters = Math.cos((position[1] * Math.PI) / 180) * 111_195;
  const plane = ([longitude, latitude]: Position) =>
    [(longitude - position[0]) * eastMeters, (latitude - position[1]) * 111_195] as const;
  const [ax, ay] = plane(from);
  const [bx, by] = plane(to);
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  return Math.hypot(ax + share * dx, ay + share * dy);
}

const rings = topology.objects.nation.geometries
  .flatMap(({ arcs }) => arcs)
  .map(([outer = []]) => thin(outer.flatMap((arc, index) => positionsOf(arc).slice(index === 0 ? 0 : 1))));
const writer = new ByteWriter();
writer.unsigned(rings.length);
let [x, y] = [0, 0];
for (const ring of rings) {
  writer.unsigned(ring.length);
  for (const [longitude, latitude] of ring) {
    const [nextX, nextY] = [Math.round(longitude * 100), Math.round(latitude * 100)];
    writer.signed(nextX - x);
    writer.signed(nextY - y);
    [x, y] = [nextX, nextY];
  }
}
const packed = Buffer.from(writer.finish()).toString('base64');
const vertices = rings.reduce((sum, ring) => sum + ring.length, 0);
writeFileSync(
  new URL('../../packages/core/places/src/point/outline.generated.ts', import.meta.url),
  `// Written by data-recipes/places/outline.ts; the source stands in SOURCES.md. ${rings.length} rings, ${vertices} vertices in hundredths of a degree.
export const packedOutline =
  '${packed}';
`,
);
process.stdout.write(`${rings.length} rings, ${vertices} vertices, ${packed.length} characters\n`);
