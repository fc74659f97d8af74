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
/** OSM is already simplified; only vertices on a straight line are removed. */
const OSM_TOLERANCE_METERS = 2;
/** Including half a degree of tolerance, this keeps the Bahamas to Nassau, Cuba, British Columbia, Baja California. */
const GSHHG_NEIGHBOUR_METERS = 350_000;
/** OSM's part of the neighbours' shores: enough to replace GSHHG's worse drawing near the borders. */
const OSM_NEIGHBOUR_METERS = 50_000;
/** Rings of OSM within this distance are read: more than the land mask needs around the neighbours with classes. */
const OSM_RING_METERS = 500_000;
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

/** One step is up to 1.1 m: a hundredth of the error of GSHHG, a tenth of OSM's. */
export const STEPS_PER_DEGREE = 100_000;

export function buildSources(osmWkb: Uint8Array, log: (message: string) => void): BuiltSources {
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
    assemble(sea, seaAmerican, gshhgSelection(sea, seaAmerican, nearness), seaWaters),
    assemble(lakes, lakesAmerican, gshhgSelection(lakes, lakesAmerican, nearness), 'great lakes'),
  );

  log('OSM: reading');
  const isWithin = (longitude: number, latitude: number, meters: number): boolean =>
    inBoxes(longitude, latitude) && nearness.distanceMeters(longitude, latitude) < meters;
  const rings = readOsm(osmWkb, STEPS_PER_DEGREE, (x, y) => isWithin(x, y, OSM_RING_METERS));
  const closings = findClosings(rings);
  log('OSM: owners');
  const osmAmerican = americanOf(rings);
  const ours = new SegmentGrid(rings, 0.1, (v) => osmAmerican[v] === 1);
  log('OSM: ocean');
  const osm = assemble(
    rings,
    osmAmerican,
    {
      toleranceMeters: () => OSM_TOLERANCE_METERS,
      isNear: (v) => {
        const longitude = rings.positions[2 * v]!;
        const latitude = rings.positions[2 * v + 1]!;
        return (
          isWithin(longitude, latitude, 3 * OSM_NEIGHBOUR_METERS) &&
          ours.nearest(longitude, latitude, OSM_NEIGHBOUR_METERS).vertex >= 0
        );
      },
      closings: closings.segments,
    },
    waters(rings, osmAmerican, nearness),
  );
  checkMeridian(osm);

  return {
    gshhg,
    osm,
    reports: {
      gshhg: report([extracted, lakes], [seaAmerican, lakesAmerican], gshhg, `${dropped} vertices of false seas`),
      osm: report(
        [rings],
        [osmAmerican],
        osm,
        `${closings.count} segments (${(closings.meters / 1000).toFixed(1)} km) across the mouths of bays and rivers have no layer`,
      ),
      atlasSha256: sha256([atlas.unitedStates, atlas.others]),
    },
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
