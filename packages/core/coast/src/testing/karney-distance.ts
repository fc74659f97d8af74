import geographiclib from 'geographiclib-geodesic';
import type { Shoreline } from '../shoreline/shoreline.ts';

const wgs84 = geographiclib.Geodesic.WGS84;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The distance to a shoreline by Karney's geodesic over every segment, without the index. A segment is the geodesic between its ends;
 * golden section finds its nearest point. Segments are skipped only if the geodesics to their ends prove them farther: |PX| ≥ max(|PA|,
 * |PB|) − |AB|.
 */
export function karneyDistanceMeters(
  shoreline: Shoreline,
  accepts: (layers: number) => boolean,
  latitude: number,
  longitude: number,
): number {
  const { positions, lineStarts, layers } = shoreline;
  const toPoint = (at: { readonly latitude: number; readonly longitude: number }): number =>
    wgs84.Inverse(latitude, longitude, at.latitude, at.longitude, geographiclib.Geodesic.DISTANCE).s12!;
  const vertex = (index: number) => ({ latitude: positions[index * 2 + 1]!, longitude: positions[index * 2]! });
  const chords = sphereDistances(shoreline, latitude, longitude);
  const lengths = segmentLengths(shoreline);
  const segments: { readonly start: number; readonly bound: number }[] = [];
  let nearestVertex = Number.POSITIVE_INFINITY;
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    for (let start = lineStarts[line]!; start + 1 < lineStarts[line + 1]!; start++) {
      if (!accepts(layers[start]!)) continue;
      nearestVertex = Math.min(nearestVertex, chords[start]!, chords[start + 1]!);
    }
  }
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    for (let start = lineStarts[line]!; start + 1 < lineStarts[line + 1]!; start++) {
      if (!accepts(layers[start]!)) continue;
      const length = lengths[start]!;
      // A sphere is off by 0.6 % at most: 1.5 % leaves none out.
      const bound = Math.max(chords[start]!, chords[start + 1]!) - length;
      if (bound * 0.985 - length * 0.03 <= nearestVertex * 1.015) segments.push({ start, bound });
    }
  }
  segments.sort((one, other) => one.bound - other.bound);
  let best = Number.POSITIVE_INFINITY;
  for (const { start } of segments) {
    const from = vertex(start);
    const to = vertex(start + 1);
    const fromMeters = toPoint(from);
    const toMeters = toPoint(to);
    const line = wgs84.InverseLine(from.latitude, from.longitude, to.latitude, to.longitude);
    best = Math.min(best, fromMeters, toMeters);
    if (Math.max(fromMeters, toMeters) - line.s13 > best) continue;
    const at = (meters: number): number => {
      const position = line.Position(meters);
      return toPoint({ latitude: position.lat2!, longitude: position.lon2! });
    };
    let low = 0;
    let high = line.s13;
    let left = high - GOLDEN * (high - low);
    let right = low + GOLDEN * (high - low);
    let leftMeters = at(left);
    let rightMeters = at(right);
    while (high - low > 1e-3) {
      if (leftMeters < rightMeters) {
        high = right;
        right = left;
        rightMeters = leftMeters;
        left = high - GOLDEN * (high - low);
        leftMeters = at(left);
      } else {
        low = left;
        left = right;
        leftMeters = rightMeters;
        right = low + GOLDEN * (high - low);
        rightMeters = at(right);
      }
    }
    best = Math.min(best, leftMeters, rightMeters);
  }
  return best;
}

const RADIUS_METERS = 6_371_000;
const RADIANS = Math.PI / 180;

function sphereMeters(latitude: number, longitude: number, otherLatitude: number, otherLongitude: number): number {
  const half =
    Math.sin(((otherLatitude - latitude) * RADIANS) / 2) ** 2 +
    Math.cos(latitude * RADIANS) *
      Math.cos(otherLatitude * RADIANS) *
      Math.sin(((otherLongitude - longitude) * RADIANS) / 2) ** 2;
  return 2 * RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Rough distances to all vertices. */
function sphereDistances({ positions }: Shoreline, latitude: number, longitude: number): Float64Array {
  const distances = new Float64Array(positions.length / 2);
  for (let vertex = 0; vertex < distances.length; vertex++) {
    distances[vertex] = sphereMeters(latitude, longitude, positions[vertex * 2 + 1]!, positions[vertex * 2]!);
  }
  return distances;
}

const lengthsOf = new WeakMap<Shoreline, Float64Array>();

/** Rough, also between lines; computed once per shoreline. */
function segmentLengths(shoreline: Shoreline): Float64Array {
  let lengths = lengthsOf.get(shoreline);
  if (lengths === undefined) {
    const { positions } = shoreline;
    lengths = new Float64Array(positions.length / 2);
    for (let vertex = 0; vertex + 1 < lengths.length; vertex++) {
      const at = vertex * 2;
      lengths[vertex] = sphereMeters(positions[at + 1]!, positions[at]!, positions[at + 3]!, positions[at + 2]!);
    }
    lengthsOf.set(shoreline, lengths);
  }
  return lengths;
}
