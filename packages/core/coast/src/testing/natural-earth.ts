import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { Topology } from 'topojson-specification';
import { buildCoastIndex, type CoastIndex } from '../search/coast-index.ts';
import { encodeCoastIndex, openCoastIndex } from '../search/coast-index-file.ts';
import type { Shoreline } from '../shoreline/shoreline.ts';

const require = createRequire(import.meta.url);

type Position = readonly number[];

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
 * Natural Earth at 1:10 million (public domain): 46,000 vertices, all `tidal`; for tests of definitions also `northern` north of 40° and
 * `arctic` north of 55°. Shared by all tests: do not change it.
 */
export function unitedStatesShoreline(): Shoreline {
  cache ??= makeUnitedStates();
  return cache;
}

let cache: Shoreline | undefined;
let indexed: CoastIndex | undefined;
let written: Uint8Array | undefined;

export function unitedStatesIndex(): CoastIndex {
  indexed ??= buildCoastIndex(unitedStatesShoreline());
  return indexed;
}

export function ownUnitedStatesIndex(): CoastIndex {
  written ??= encodeCoastIndex(unitedStatesIndex());
  return openCoastIndex(written);
}

function makeUnitedStates(): Shoreline {
  const topology = JSON.parse(readFileSync(require.resolve('world-atlas/land-10m.json'), 'utf8')) as Topology;
  const land = feature(topology, topology.objects['land']!);
  const features = land.type === 'FeatureCollection' ? land.features : [land];
  const rings = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? wound(geometry.coordinates)
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates.flatMap(wound)
        : [],
  );
  const lines = rings.flatMap(partsInUnitedStates).flatMap(cutAt180);
  const positions = Float64Array.from(lines.flat(2));
  const lineStarts = [0];
  for (const line of lines) lineStarts.push(lineStarts.at(-1)! + line.length);
  const vertices = positions.length / 2;
  const layers = new Uint16Array(vertices);
  for (let vertex = 0; vertex < vertices; vertex++) {
    const latitude = positions[vertex * 2 + 1]!;
    layers[vertex] = 1 | (latitude > 40 ? 2 : 0) | (latitude > 55 ? 4 : 0);
  }
  return {
    name: 'natural-earth-us',
    version: '5.1',
    attribution: 'Natural Earth, public domain',
    layerNames: ['tidal', 'northern', 'arctic'],
    shoreNames: ['coast'],
    water: 'right',
    accuracy: { radiusMeters: [3000, 4000, 5000], method: 'as published: 1:10 million' },
    coverage: [],
    positions,
    lineStarts: Uint32Array.from(lineStarts),
    layers,
    shores: new Uint8Array(vertices),
  };
}

function wound(polygon: readonly (readonly Position[])[]): (readonly Position[])[] {
  return polygon.map((ring, number) => (signedArea(ring) > 0 === (number === 0) ? ring : ring.toReversed()));
}

function signedArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let at = 0; at + 1 < ring.length; at++)
    sum += ring[at]![0]! * ring[at + 1]![1]! - ring[at + 1]![0]! * ring[at]![1]!;
  return sum;
}

function isUnitedStates(position: Position): boolean {
  const longitude = position[0]!;
  const latitude = position[1]!;
  for (const box of UNITED_STATES)
    if (longitude >= box[0] && longitude <= box[1] && latitude >= box[2] && latitude <= box[3]) return true;
  return false;
}

/** Open where the line leaves the boxes. */
function partsInUnitedStates(line: readonly Position[]): Position[][] {
  const parts: Position[][] = [[]];
  for (const position of line) {
    if (isUnitedStates(position)) parts.at(-1)!.push(position);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 1);
}

/** Segments along 180° are the cut of the map; a ring that they break continues from its end to its beginning. */
function cutAt180(line: readonly Position[]): Position[][] {
  const isOnCut = ([longitude = 0]: Position): boolean => Math.abs(longitude) >= 180 - 1e-5;
  const parts: Position[][] = [[line[0]!]];
  for (let at = 1; at < line.length; at++) {
    const [before, here] = [line[at - 1]!, line[at]!];
    if (before[0] === here[0] && before[1] === here[1]) continue;
    if (isOnCut(before) && isOnCut(here)) parts.push([here]);
    else parts.at(-1)!.push(here);
  }
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const [start, end] = [first[0]!, last.at(-1)!];
  if (parts.length > 1 && start[0] === end[0] && start[1] === end[1]) {
    parts[0] = [...last, ...first.slice(1)];
    parts.pop();
  }
  return parts.filter((part) => part.length > 1);
}
