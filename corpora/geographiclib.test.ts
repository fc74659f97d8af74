import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  FRAME_LENGTH,
  RADIANS_PER_DEGREE,
  UNITS_PER_METER,
  writeFrame,
} from '../packages/core/coast/src/earth/ellipsoid.ts';
import { geodesicBetween, geodesicEnd } from '../packages/core/coast/src/earth/geodesic.ts';
import { SERIES_LIMIT_METERS, surfaceArcMeters } from '../packages/core/coast/src/earth/surface-arc.ts';
import { AnswerChunk, PointChunk } from '../packages/core/coast/src/search/point-chunk.ts';
import { writeAnswers } from '../packages/core/coast/src/search/shore-answer.ts';
import { testVolume } from '../test/support/test-volume.ts';
import { drawGeodesics, type GeodesicLine, readGeodesics } from './geodesics.ts';
import { type Case, holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';

const corpus = openCorpus('geographiclib');

/** GeodSolve is accurate to 40 nm. */
const MAX_GEODESIC_METERS = 40e-9;

/** The largest errors of a distance in meters and of an azimuth in degrees, up to a length, as the README of the package states them. */
const claims = [
  { length: 500_000, distance: 5.3e-6, azimuth: 1e-6 },
  { length: 1_000_000, distance: 0.17e-3, azimuth: 5e-6 },
  { length: 1_500_000, distance: 1.3e-3, azimuth: 1.4e-5 },
  { length: SERIES_LIMIT_METERS, distance: 5.6e-3, azimuth: 3.4e-5 },
];

/** The largest differences by kind of line or claim, and what is measured. */
const largest = new Map<string, number>();

/** Returns the difference in words if it exceeds its limit. */
function check(kind: string, what: string, difference: number, limit: number): string[] {
  const key = `${kind}, ${what}`;
  largest.set(key, Math.max(largest.get(key) ?? 0, difference));
  return difference <= limit ? [] : [`${what} differs by ${difference}, and ${limit} is allowed`];
}

/** Degrees between two directions. */
function turnBetween(one: number, other: number): number {
  const turn = one - other;
  return Math.abs(turn - 360 * Math.round(turn / 360));
}

/** Checks the azimuth at the first point. `reducedLength` converts it to meters at the second. */
function checkAzimuth(line: GeodesicLine): string[] {
  const { latitude1, longitude1, azimuth1, latitude2, longitude2 } = line;
  const { azimuthDegrees } = geodesicBetween(latitude1, longitude1, latitude2, longitude2);
  const sideways = turnBetween(azimuthDegrees, azimuth1) * RADIANS_PER_DEGREE * Math.abs(line.reducedLength);
  // Points opposite each other may have two shortest lines. The other one has the same length and end.
  const isOther = sideways > 1 && missOf(line, azimuthDegrees) <= MAX_GEODESIC_METERS;
  return isOther ? [] : check(line.kind, 'azimuth', sideways, MAX_GEODESIC_METERS);
}

/** Meters from the second point to the end of a line that starts in this direction. */
function missOf({ latitude1, longitude1, latitude2, longitude2, distance }: GeodesicLine, azimuth: number): number {
  const end = geodesicEnd(latitude1, longitude1, azimuth, distance);
  return geodesicBetween(end.latitude, end.longitude, latitude2, longitude2).distanceMeters;
}

function reversed(line: GeodesicLine): GeodesicLine {
  return {
    ...line,
    latitude1: line.latitude2,
    longitude1: line.longitude2,
    azimuth1: line.azimuth2 + 180,
    latitude2: line.latitude1,
    longitude2: line.longitude1,
    azimuth2: line.azimuth1 + 180,
  };
}

function checkGeodesic(line: GeodesicLine): string[] {
  return [line, reversed(line)].flatMap((each) => {
    const { kind, latitude1, longitude1, azimuth1, latitude2, longitude2, distance } = each;
    const { distanceMeters } = geodesicBetween(latitude1, longitude1, latitude2, longitude2);
    return [
      ...check(kind, 'distance', Math.abs(distanceMeters - distance), MAX_GEODESIC_METERS),
      ...check(kind, 'end', missOf(each, azimuth1), MAX_GEODESIC_METERS),
      ...checkAzimuth(each),
    ];
  });
}

const points = new PointChunk(1);
const chunk = new AnswerChunk(1);
const frame = new Float64Array(FRAME_LENGTH);

/** The series of the search for the nearest shore, and the answer about a shore of 30 cm at the end of the line. */
function checkSeries({ latitude1, longitude1, latitude2, longitude2, distance }: GeodesicLine): string[] {
  const claim = claims.find(({ length }) => distance <= length);
  if (claim === undefined) return [];
  const kind = `within ${claim.length / 1000} km`;
  points.latitudes[0] = latitude1;
  points.longitudes[0] = longitude1;
  points.frame(1);
  writeFrame(frame, latitude2, longitude2);
  const [px, py, pz] = [...points.frames.subarray(0, 3)].map((each) => each / UNITS_PER_METER) as [
    number,
    number,
    number,
  ];
  const [qx, qy, qz] = [...frame.subarray(0, 3)].map((each) => each / UNITS_PER_METER) as [number, number, number];
  const series = surfaceArcMeters(qx - px, qy - py, qz - pz, qx + px, qy + py, qz + pz);

  const [x, y, z] = [...frame.subarray(0, 3)].map(Math.round) as [number, number, number];
  writeAnswers(Int32Array.of(x, y, z, x + 64, y + 32, z + 16), points, chunk, 1);
  const [latitude, longitude, distanceMeters, azimuthDegrees] = chunk.answers;
  const exact = geodesicBetween(latitude1, longitude1, latitude!, longitude!);
  // Within a meter azimuths depend on fractions of a nanometer.
  const turn = exact.distanceMeters > 1 ? turnBetween(azimuthDegrees!, exact.azimuthDegrees) : 0;
  return [
    ...check(kind, 'series', Math.abs(series - distance), claim.distance),
    ...check(kind, 'answer', Math.abs(distanceMeters! - exact.distanceMeters), claim.distance),
    ...check(kind, 'azimuth of an answer', turn, claim.azimuth),
  ];
}

/** The 20 lines of the library's tests, which were computed with more digits than doubles have. */
function readOwnLines(text: string): GeodesicLine[] {
  const [, table = ''] = /testcases\[ncases\]\[12\] = \{([\s\S]*?)\};/.exec(text) ?? [];
  return [...table.matchAll(/\{([^}]+)\}/g)].map(([, values], index): GeodesicLine => {
    const numbers = values!.split(',').map(Number);
    const [latitude1, longitude1, azimuth1, latitude2, longitude2, azimuth2, distance, , reducedLength] = numbers as [
      ...[number, number, number, number, number, number],
      ...[number, number, number],
    ];
    const ends = { latitude1, longitude1, azimuth1, latitude2, longitude2, azimuth2 };
    return { id: `own ${index}`, kind: 'own', ...ends, distance, reducedLength };
  });
}

describe.skipIf(!corpus)('GeographicLib', () => {
  it('agrees on geodesics, and series and bearings of answers are as accurate as documented', async () => {
    const { folder, isWhole } = corpus!;
    // The whole run draws others: their ids have other lines.
    const drawn = isWhole
      ? drawGeodesics(testVolume(500), Number(process.env['LEEWARD_SEED'] ?? 2))
      : String(gunzipSync(readFileSync(join(folder, 'geodesics.txt.gz'))));
    const own = readOwnLines(readFileSync(join(folder, 'tests/geodtest.cpp'), 'utf8'));
    expect(own.length).toBe(20);
    const lines = [...own, ...readGeodesics(drawn)];
    expect(lines.length).toBeGreaterThanOrEqual(5020);
    const cases = lines.map(
      (line): Case => ({ id: line.id, run: () => [...checkGeodesic(line), ...checkSeries(line)][0] }),
    );
    await holdTo('geographiclib', cases, { isWhole });
    console.log([...largest].map(([what, difference]) => `${what}: ${difference.toPrecision(2)}`).join('\n'));
  });
});
