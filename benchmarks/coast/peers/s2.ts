import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shoreline } from '@leeward/coast';
import { compile, runProgram } from './compile.ts';
import type { Absent, Peer } from './peer.ts';

/** S2ClosestEdgeQuery in C++ (Debian: libs2-dev): search only. */
export function createS2({ positions, lineStarts }: Shoreline, folder: string): Peer | Absent {
  const compiled = compile('c++', 's2-closest-edge.cc', folder, ['-std=c++17', '-ls2', '-lpthread']);
  if ('absent' in compiled) return { name: 's2', absent: `${compiled.absent}; apt-get install libs2-dev` };
  const numbers: number[] = [lineStarts.length - 1];
  for (let line = 1; line < lineStarts.length; line++) {
    numbers.push(lineStarts[line]! - lineStarts[line - 1]!);
    for (let at = lineStarts[line - 1]! * 2; at < lineStarts[line]! * 2; at++) numbers.push(positions[at]!);
  }
  const lineFile = join(folder, 'lines.bin');
  writeFileSync(lineFile, new Uint8Array(Float64Array.from(numbers).buffer));
  let buildMs = Number.NaN;
  return {
    name: 's2',
    finds: 'segment, sphere: search only',
    points: 20_000,
    get buildMs() {
      return buildMs;
    },
    run({ latitudes, longitudes }) {
      const pointFile = join(folder, 's2-points.bin');
      const resultFile = join(folder, 's2-results.bin');
      const points = Float64Array.from({ length: latitudes.length * 2 }, (_, at) =>
        at % 2 === 0 ? latitudes[at >> 1]! : longitudes[at >> 1]!,
      );
      writeFileSync(pointFile, new Uint8Array(points.buffer));
      const { lines } = runProgram(compiled.program, [lineFile, pointFile, '2', resultFile]);
      buildMs = Number(lines[0]);
      const bytes = readFileSync(resultFile);
      return {
        microseconds: Number(lines.at(-1)) / 1000,
        meters: new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
      };
    },
  };
}
