import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Position } from 'geojson';
import type { Topology } from 'topojson-specification';
import { assembleShoreline } from '../builder/assemble-shoreline.ts';
import { cleanLines } from '../builder/clean-lines.ts';
import { linesOfTopoJson } from '../builder/lines-of-topojson.ts';
import type { RawLine } from '../builder/raw-lines.ts';
import type { Shoreline } from '../shoreline.ts';

const require = createRequire(import.meta.url);

/** Where the shores of the United States lie, and some of their neighbours': longitude from … to, latitude from … to. */
const UNITED_STATES: readonly (readonly [number, number, number, number])[] = [
  [-126, -66, 23.5, 49.6],
  [-180, -129.5, 50.5, 72],
  [170, 180, 50.5, 60],
  [-161, -154, 18, 23],
  [-68, -64, 17, 19],
  [144, 147, 13, 21],
  [-171.5, -168, -15, -10.5],
];

/**
 * The shores of the United States at 1:10 million (Natural Earth, public domain): 46,000 vertices, land on the left, all of them
 * `tidal`; and for tests of definitions, those north of 40° also `northern`, those north of 55° also `arctic`.
 */
export function unitedStatesShoreline(): Shoreline {
  const topology = JSON.parse(readFileSync(require.resolve('world-atlas/land-10m.json'), 'utf8')) as Topology;
  const world = linesOfTopoJson(topology, 'land-10m.json', 'land');
  const american = world.filter(({ positions }) => positions.some(isUnitedStates)).flatMap(cut);
  const { lines } = cleanLines(american, { longestSegmentMeters: false });
  const shoreline = assembleShoreline(
    {
      name: 'natural-earth-us',
      version: '5.1',
      attribution: 'Natural Earth, public domain',
      layerNames: ['tidal', 'northern', 'arctic'],
      shoreNames: ['coast'],
      water: 'unknown',
      accuracy: { radiusMeters: [3000, 4000, 5000], method: 'as published: 1:10 million' },
      coverage: [],
    },
    [{ lines, layers: ['tidal'], shore: 'coast' }],
  );
  for (let vertex = 0; vertex < shoreline.layers.length; vertex++) {
    const latitude = shoreline.positions[vertex * 2 + 1]!;
    shoreline.layers[vertex] = 1 | (latitude > 40 ? 2 : 0) | (latitude > 55 ? 4 : 0);
  }
  return shoreline;
}

function isUnitedStates([longitude = 0, latitude = 0]: Position): boolean {
  return UNITED_STATES.some(
    ([west, east, south, north]) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  );
}

/** The parts of a line that lie in the United States: open where the line leaves it. */
function cut({ positions, water }: RawLine): RawLine[] {
  const parts: Position[][] = [[]];
  for (const position of positions) {
    if (isUnitedStates(position)) parts.at(-1)!.push(position);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 1).map((part) => ({ positions: part, water }));
}
