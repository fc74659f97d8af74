/**
 * Writes src/extents/extents.generated.ts: an octagon around each county, to bound distances from it.
 *
 * Source: npm us-atlas 3.0.1, counties-10m.json (the Census Bureau's cartographic boundary files of 2017; public domain, the npm package:
 * ISC).
 *
 * Run: npx node --conditions=@leeward/source data-recipes/places/county-extents.ts
 */
import { writeFileSync } from 'node:fs';
import { ByteWriter } from './byte-writer.ts';
import { readSourceFile } from './source-package.ts';

type Position = readonly [longitude: number, latitude: number];
type Arcs = readonly (number | Arcs)[];
interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: {
    readonly counties: { readonly geometries: readonly { readonly id: string; readonly arcs?: Arcs }[] };
  };
}

const topology = JSON.parse(
  readSourceFile({
    packageName: 'us-atlas',
    version: '3.0.1',
    path: 'counties-10m.json',
    sha256: '145aaf5d1433352a6a1d8e86b5f149c7c653f9171baf14aaf75ee66575def1b0',
  }),
) as Topology;
const { scale, translate } = topology.transform;

const positionsOfArc = topology.arcs.map((arc) => {
  let [x, y] = [0, 0];
  return arc.map(([stepX, stepY]): Position => {
    x += stepX;
    y += stepY;
    const longitude = x * scale[0] + translate[0];
    // The Aleutian Islands cross the antimeridian: all longitudes of Alaska are west of Greenwich.
    const latitude = y * scale[1] + translate[1];
    return [longitude > 0 && latitude > 45 ? longitude - 360 : longitude, latitude];
  });
});

function positionsOf(arcs: Arcs): Position[] {
  return arcs.flatMap((arc) => (typeof arc === 'number' ? positionsOfArc[arc < 0 ? ~arc : arc]! : positionsOf(arc)));
}

const writer = new ByteWriter();
const counties = topology.objects.counties.geometries
  .filter(({ arcs }) => arcs !== undefined)
  .map(({ id, arcs }) => ({ fips: Number(id), positions: positionsOf(arcs!) }))
  .sort((a, b) => a.fips - b.fips);
writer.unsigned(counties.length);
let [fips, west, south] = [0, 0, 0];
for (const county of counties) {
  const max = (value: (position: Position) => number) =>
    Math.ceil(100 * Math.max(...county.positions.map(value)) - 1e-9);
  const own = { west: -max(([x]) => -x), south: -max(([, y]) => -y), east: max(([x]) => x), north: max(([, y]) => y) };
  writer.unsigned(county.fips - fips);
  writer.signed(own.west - west);
  writer.signed(own.south - south);
  writer.unsigned(own.east - own.west);
  writer.unsigned(own.north - own.south);
  // The corners that the county does not reach, north-east first, then clockwise.
  writer.unsigned(
    own.east +
      own.north -
      Math.min(
        own.east + own.north,
        max(([x, y]) => x + y),
      ),
  );
  writer.unsigned(
    own.east -
      own.south -
      Math.min(
        own.east - own.south,
        max(([x, y]) => x - y),
      ),
  );
  writer.unsigned(
    -own.west -
      own.south -
      Math.min(
        -own.west - own.south,
        max(([x, y]) => -x - y),
      ),
  );
  writer.unsigned(
    -own.west +
      own.north -
      Math.min(
        -own.west + own.north,
        max(([x, y]) => -x + y),
      ),
  );
  [fips, west, south] = [county.fips, own.west, own.south];
}
const packed = Buffer.from(writer.finish()).toString('base64');
writeFileSync(
  new URL('../../packages/core/places/src/extents/extents.generated.ts', import.meta.url),
  `// Written by data-recipes/places/county-extents.ts; the source is in SOURCES.md. ${counties.length} octagons in hundredths of a degree.
export const packedExtents =
  '${packed}';
`,
);
process.stdout.write(`${counties.length} counties, ${packed.length} characters\n`);
