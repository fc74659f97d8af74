import { createHash } from 'node:crypto';
import { assemble, type ClassedLines, type Selection, type Waters } from './assemble.ts';
import { readAtlas } from './atlas.ts';
import { findClosings } from './find-closings.ts';
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
import { SegmentGrid } from './segment-grid.ts';

/**
 * GSHHG errs by 75 to 200 m: this moves its median error by a meter or two (measured in the README). Alaska, with half of all vertices
 * and few homes, is thinned more.
 */
const gshhgToleranceMeters = (latitude: number): number => (latitude > 50 ? 60 : 40);
/** OSM is already simplified by 55 m: only vertices on a straight line are removed. */
const OSM_TOLERANCE_METERS = 2;
/** Including half a degree of tolerance, this keeps the Bahamas to Nassau, Cuba, British Columbia, Baja California. */
const GSHHG_NEIGHBOUR_METERS = 350_000;
/** OSM's part of the neighbours' shores: enough to replace GSHHG's worse drawing near the borders. */
const OSM_NEIGHBOUR_METERS = 50_000;
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

export interface BuiltSource {
  readonly lines: ClassedLines;
  readonly report: SourceReport;
}

/** One step is up to 1.1 m: a hundredth of the error of GSHHG, a tenth of OSM's. */
export const STEPS_PER_DEGREE = 100_000;

export function buildGshhg(log: (message: string) => void): BuiltSource {
  const atlas = readAtlas();
  log('GSHHG: reading');
  const extracted = readGshhgOcean();
  const { lines: sea, dropped } = dropFalseSeas(moveDisplacedIslands(extracted));
  const lakes = moveGreatLakes(selectGreatLakes(readGshhgLakes(), readGshhgLakeIslands()));
  log('GSHHG: owners');
  const seaAmerican = americanVertices(sea, atlas.unitedStates, atlas.others);
  const lakesAmerican = americanVertices(lakes, atlas.unitedStates, atlas.others);
  const nearness = new Nearness([
    { lines: sea, american: seaAmerican },
    { lines: lakes, american: lakesAmerican },
  ]);
  log('GSHHG: ocean');
  const seaWaters = waters(sea, seaAmerican, nearness);
  const gshhg = concatenate(
    assemble(sea, seaAmerican, gshhgSelection(sea, seaAmerican, nearness), seaWaters),
    assemble(lakes, lakesAmerican, gshhgSelection(lakes, lakesAmerican, nearness), 'great lakes'),
  );
  return {
    lines: gshhg,
    report: report([extracted, lakes], [seaAmerican, lakesAmerican], gshhg, `${dropped} vertices of false seas`),
  };
}

export function buildOsm(wkb: Uint8Array, log: (message: string) => void): BuiltSource {
  const atlas = readAtlas();
  log('OSM: reading');
  const rings = readOsm(wkb, STEPS_PER_DEGREE, inBoxes);
  const closings = findClosings(rings);
  log('OSM: owners');
  const american = americanVertices(rings, atlas.unitedStates, atlas.others);
  const nearness = new Nearness([{ lines: rings, american }]);
  log('OSM: ocean');
  const osm = assemble(
    rings,
    american,
    {
      toleranceMeters: () => OSM_TOLERANCE_METERS,
      isNear: withinReach(rings, american, nearness),
      closings: closings.segments,
    },
    waters(rings, american, nearness),
  );
  checkMeridian(osm);
  const kilometers = (closings.meters / 1000).toFixed(1);
  const dropped = `${closings.count} segments (${kilometers} km) across the mouths of bays and rivers have no layer`;
  return { lines: osm, report: report([rings], [american], osm, dropped) };
}

/** The hash of the borders of countries. */
export function hashAtlas(): string {
  const atlas = readAtlas();
  return sha256([atlas.unitedStates, atlas.others]);
}

/** True at vertices up to 50 km from an American shore. */
function withinReach(lines: LineSet, american: Uint8Array, nearness: Nearness): (vertex: number) => boolean {
  const ours = new SegmentGrid(lines, 0.1, (v) => american[v] === 1);
  return (v) => {
    const longitude = lines.positions[2 * v]!;
    const latitude = lines.positions[2 * v + 1]!;
    // The search costs more than the rough distance, which is off by up to a cell's diagonal.
    const isRoughlyNear = nearness.distanceMeters(longitude, latitude) < OSM_NEIGHBOUR_METERS + 100_000;
    return isRoughlyNear && ours.nearest(longitude, latitude, OSM_NEIGHBOUR_METERS).vertex >= 0;
  };
}

/** A neighbour's tolerance grows by one percent of its distance. */
function gshhgSelection(lines: LineSet, american: Uint8Array, nearness: Nearness): Selection {
  const p = lines.positions;
  const distance = (v: number): number => nearness.distanceMeters(p[2 * v]!, p[2 * v + 1]!);
  return {
    toleranceMeters: (v) =>
      american[v] === 1 ? gshhgToleranceMeters(p[2 * v + 1]!) : Math.min(1_000, Math.max(60, 0.01 * distance(v))),
    isNear: (v) => distance(v) < GSHHG_NEIGHBOUR_METERS,
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
  const segments = written.layers.filter((bits) => bits !== 0);
  return {
    readSha256: sha256(read),
    readSegments: read.reduce((sum, lines) => sum + segmentCount(lines), 0),
    americanVertices: american.reduce((sum, flags) => sum + flags.reduce((a, b) => a + b, 0), 0),
    writtenSegments: segments.length,
    writtenAmericanSegments: segments.filter((bits) => (bits & neighbour) === 0).length,
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

/** Polygons are cut at 180°, outside the part that is written: a line along it would be no shore. */
function checkMeridian({ positions, lineStarts }: LineSet): void {
  for (let line = 0; line + 1 < lineStarts.length; line++)
    for (let v = lineStarts[line]!; v + 1 < lineStarts[line + 1]!; v++)
      if (Math.abs(positions[2 * v]!) === 180 && Math.abs(positions[2 * v + 2]!) === 180)
        throw new Error(`A line along the 180° meridian at latitude ${positions[2 * v + 1]}.`);
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
