import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CoastIndex } from '@leeward/coast';
import type { Points } from '../points.ts';
import { compile, runProgram } from './compile.ts';
import type { Absent, Peer } from './peer.ts';

/** Earth-centred units of the index, in a metre. */
const UNITS_PER_METER = 256;

/** Our tree of runs in C at -O3, over the same bytes: search only. */
export function createCTree(index: CoastIndex, folder: string): Peer | Absent {
  const compiled = compile('cc', 'c-tree.c', folder, ['-lm']);
  if ('absent' in compiled) return { name: 'c', absent: compiled.absent };
  const { vertices } = index.lines;
  const { links } = index.tree;
  const tree = join(folder, 'tree.bin');
  const head = Int32Array.of(vertices.length / 3, links.length / 8);
  writeFileSync(
    tree,
    Buffer.concat([head, vertices, links].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))),
  );
  return {
    name: 'c',
    finds: 'segment, chord: search only',
    points: 200_000,
    buildMs: 0,
    run(points) {
      const pointFile = join(folder, 'points.bin');
      const resultFile = join(folder, 'results.bin');
      writeFileSync(pointFile, new Uint8Array(earthCentred(points).buffer));
      const { lines } = runProgram(compiled.program, [tree, pointFile, '2', resultFile]);
      // The first round warms the caches.
      const nanoseconds = Number(lines.at(-1)!.split(' ')[0]);
      const bytes = readFileSync(resultFile);
      const squares = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      return { microseconds: nanoseconds / 1000, meters: squares.map((square) => Math.sqrt(square) / UNITS_PER_METER) };
    },
  };
}

/** x, y, z of points on WGS84, in the tree's units. */
function earthCentred({ latitudes, longitudes }: Points): Float64Array<ArrayBuffer> {
  const out = new Float64Array(latitudes.length * 3);
  const flattening = 1 / 298.257_223_563;
  const eccentricity2 = flattening * (2 - flattening);
  latitudes.forEach((latitude, at) => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitudes[at]! * Math.PI) / 180];
    const normal = (6_378_137 * UNITS_PER_METER) / Math.sqrt(1 - eccentricity2 * Math.sin(phi) ** 2);
    out[at * 3] = normal * Math.cos(phi) * Math.cos(lambda);
    out[at * 3 + 1] = normal * Math.cos(phi) * Math.sin(lambda);
    out[at * 3 + 2] = normal * (1 - eccentricity2) * Math.sin(phi);
  });
  return out;
}
