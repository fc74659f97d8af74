import { createHash } from 'node:crypto';
import { assemble, type ClassedLines, NEIGHBOUR_REACH_METERS, type Waters } from './assemble.ts';
import { readAtlas } from './atlas.ts';
import { cleanOsm, type OsmCleaning } from './clean-osm.ts';
import { dropFalseSeas, moveDisplacedIslands, moveGreatLakes } from './gshhg-corrections.ts';
import { LandMask } from './land-mask.ts';
import { layerBit, OCEAN_RADII_METERS } from './layers.ts';
import { isClosed, type LineSet, LineSetBuilder, lineCount, segmentCount, signedAreaSquareMeters } from './line-set.ts';
import { Nearness } from './nearness.ts';
import { OpenWater } from './open-water.ts';
import { americanVertices } from './owners.ts';
import { columnOf, rowOf, tileOf } from './raster-grid.ts';
import { readGshhgLakeIslands, readGshhgLakes, readGshhgOcean } from './read-gshhg.ts';
import { readOsm } from './read-osm.ts';

/**
 * GSHHG errs by 75 to 200 m: this moves its median error by a meter or two (measured in the README). Alaska, with half of all vertices
 * and few homes, is thinned more.
 */
const gshhgToleranceMeters = (latitude: number): number => (latitude > 50 ? 60 : 40);
/** OSM is already simplified; only vertices on a straight line are removed. */
const osmToleranceMeters = (): number => 2;
const MIN_ISLAND_SQUARE_METERS = 250_000;
/** Neighbours' shores within this distance get ocean classes too. */
const CLASSED_NEIGHBOUR_METERS = 150_000;

export interface SourceReport {
  /** Hash of the longitudes and latitudes as read. */
  readonly readSha256: string;
  readonly readSegments: number;
  readonly americanVertices: number;
  readonly writtenSegments: number;
  readonly writtenAmericanSegments: number;
  readonly writtenLines: number;
  readonly dropped: string;
}

export interface BuiltSources {
  readonly gshhg: ClassedLines;
  readonly osm: ClassedLines;
  readonly reports: { readonly gshhg: SourceReport; readonly osm: SourceReport; readonly atlasSha256: string };
}

export function buildSources(osmPath: string, log: (message: string) => void): BuiltSources {
  const atlas = readAtlas();
  const americanOf = (lines: LineSet): Uint8Array => americanVertices(lines, atlas.unitedStates, atlas.others);

  log('GSHHG: reading');
  const extracted = readGshhgOcean();
  const { lines: sea, dropped } = dropFalseSeas(moveDisplacedIslands(extracted));
  const lakes = moveGreatLakes(selectGreatLakes(readGshhgLakes(), readGshhgLakeIslands()));
  const seaAmerican = americanOf(sea);
  const lakesAmerican = americanOf(lakes);
  const nearness = new Nearness([
    { lines: sea, american: seaAmerican },
    { lines: lakes, american: lakesAmerican },
  ]);

  log('GSHHG: ocean');
  const seaWaters = waters(sea, seaAmerican, nearness);
  const gshhg = concatenate(
    assemble(sea, seaAmerican, nearness, gshhgToleranceMeters, NEIGHBOUR_REACH_METERS, seaWaters),
    assemble(lakes, lakesAmerican, nearness, gshhgToleranceMeters, NEIGHBOUR_REACH_METERS, 'great lakes'),
  );

  log('OSM: reading');
  const rings = readOsm(osmPath, inBoxes);
  const { lines: shore, cleaning } = cleanOsm(rings);
  const shoreAmerican = americanOf(shore);
  log('OSM: ocean');
  // The mask needs closed rings: false lines still separate land and water.
  const shoreWaters = waters(rings, americanOf(rings), nearness);
  // GSHHG has the neighbours' shores: a second opinion is not worth half a second at startup.
  const osm = assemble(shore, shoreAmerican, nearness, osmToleranceMeters, 0, shoreWaters);

  return {
    gshhg,
    osm,
    reports: {
      gshhg: report([extracted, lakes], [seaAmerican, lakesAmerican], gshhg, `${dropped} vertices of false seas`),
      osm: report([rings], [shoreAmerican], osm, describeCleaning(cleaning)),
      atlasSha256: sha256([atlas.unitedStates, atlas.others]),
    },
  };
}

function inBoxes(longitude: number, latitude: number): boolean {
  return (
    (longitude <= -60 && latitude >= -16 && latitude <= 75) || (longitude >= 140 && latitude >= 10 && latitude <= 60)
  );
}

function waters(lines: LineSet, american: Uint8Array, nearness: Nearness): Waters {
  const mask = new LandMask(
    lines,
    (line) => !isClosed(lines, line) || Math.abs(signedAreaSquareMeters(lines, line)) >= MIN_ISLAND_SQUARE_METERS,
  );
  const tiles = new Set<number>();
  const p = lines.positions;
  for (let v = 0; v < american.length; v++) {
    const longitude = p[2 * v]!;
    const latitude = p[2 * v + 1]!;
    if (american[v] === 1 || nearness.distanceMeters(longitude, latitude) < CLASSED_NEIGHBOUR_METERS)
      tiles.add(tileOf(columnOf(longitude), rowOf(latitude)));
  }
  return { mask, open: new OpenWater(mask, tiles, OCEAN_RADII_METERS) };
}

function concatenate(a: ClassedLines, b: ClassedLines): ClassedLines {
  const vertices = a.positions.length / 2;
  return {
    positions: Float64Array.from([...a.positions, ...b.positions]),
    lineStarts: Uint32Array.from([...a.lineStarts, ...[...b.lineStarts.subarray(1)].map((start) => start + vertices)]),
    layers: Uint16Array.from([...a.layers, ...b.layers]),
    shores: Uint8Array.from([...a.shores, ...b.shores]),
  };
}

function report(
  read: readonly LineSet[],
  american: readonly Uint8Array[],
  written: ClassedLines,
  dropped: string,
): SourceReport {
  const neighbour = layerBit('neighbour');
  let ours = 0;
  for (const bits of written.layers) if (bits !== 0 && (bits & neighbour) === 0) ours++;
  return {
    readSha256: sha256(read),
    readSegments: read.reduce((sum, lines) => sum + segmentCount(lines), 0),
    americanVertices: american.reduce((sum, flags) => sum + flags.reduce((a, b) => a + b, 0), 0),
    writtenSegments: segmentCount(written),
    writtenAmericanSegments: ours,
    writtenLines: lineCount(written),
    dropped,
  };
}

function sha256(sets: readonly LineSet[]): string {
  const hash = createHash('sha256');
  for (const { positions } of sets)
    hash.update(new Uint8Array(positions.buffer, positions.byteOffset, positions.byteLength));
  return hash.digest('hex');
}

function describeCleaning(cleaning: OsmCleaning): string {
  const kilometers = (meters: number): string => (meters / 1000).toFixed(1);
  return `${cleaning.meridianSegments} segments (${kilometers(cleaning.meridianMeters)} km) along the 180° meridian, ${cleaning.closingSegments} (${kilometers(cleaning.closingMeters)} km) across the mouths of bays and rivers`;
}

/**
 * Superior, Michigan and Huron are one ring in GSHHG, Erie with Saint Clair another, Ontario the third; no other lake in the box is as
 * large.
 */
const MIN_LAKE_SQUARE_METERS = 15e9;

function selectGreatLakes(lakes: LineSet, islands: LineSet): LineSet {
  const selected = new LineSetBuilder();
  const add = (lines: LineSet, line: number): void => {
    for (let v = lines.lineStarts[line]!; v < lines.lineStarts[line + 1]!; v++)
      selected.addVertex(lines.positions[2 * v]!, lines.positions[2 * v + 1]!);
    selected.endLine();
  };
  const isGreat = (line: number): boolean =>
    isClosed(lakes, line) && Math.abs(signedAreaSquareMeters(lakes, line)) > MIN_LAKE_SQUARE_METERS;
  for (let line = 0; line + 1 < lakes.lineStarts.length; line++) if (isGreat(line)) add(lakes, line);
  const water = new LandMask(lakes, isGreat);
  for (let line = 0; line + 1 < islands.lineStarts.length; line++) {
    const v = islands.lineStarts[line]!;
    if (
      isClosed(islands, line) &&
      water.covers(islands.positions[2 * v + 1]!) &&
      !water.contains(islands.positions[2 * v]!, islands.positions[2 * v + 1]!)
    )
      add(islands, line);
  }
  return selected.finish();
}
