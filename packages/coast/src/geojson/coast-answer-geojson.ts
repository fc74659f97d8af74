import { featureCollection, lineString, multiLineString, point, polygon } from '@turf/turf';
import type { Feature, FeatureCollection, Position } from 'geojson';
import type { CoastAnswer } from '../coast.ts';
import { compassPoint } from '../compass-point.ts';
import { geodesicEnd, geodesicSteps } from '../geodesic.ts';

/** A line bends by less than its own width on a map between points so far apart. */
const METERS_PER_STEP = 10_000;
const MOST_STEPS = 256;
const CIRCLE_POINTS = 72;

/**
 * An answer for a map: the point asked about (role `address`), the coast point (`coast`), the geodesic between them (`line`, cut at
 * 180° where it crosses) and, around the coast point, the circle of the accuracy (`accuracy`).
 */
export function coastAnswerToGeoJson(answer: CoastAnswer): FeatureCollection {
  const { coast, distanceMeters, azimuthDegrees, accuracyMeters } = answer;
  const features: Feature[] = [
    point([answer.point.longitude, answer.point.latitude], { role: 'address', side: answer.side }),
    point([coast.longitude, coast.latitude], {
      role: 'coast',
      shore: answer.shore,
      layers: answer.layers,
      dataset: `${answer.dataset.name} ${answer.dataset.version}`,
      attribution: answer.dataset.attribution,
    }),
  ];
  const properties = {
    role: 'line',
    distance_meters: distanceMeters,
    bearing_degrees: azimuthDegrees,
    compass_point: compassPoint(azimuthDegrees),
  };
  const parts = cutAt180(geodesicLine(answer));
  if (distanceMeters > 0) {
    features.push(parts.length === 1 ? lineString(parts[0]!, properties) : multiLineString(parts, properties));
  }
  if (accuracyMeters > 0) {
    features.push(polygon([circle(answer)], { role: 'accuracy', radius_meters: accuracyMeters }));
  }
  return featureCollection(features);
}

function geodesicLine({ point: from, coast, distanceMeters }: CoastAnswer): Position[] {
  const between = Math.min(MOST_STEPS, Math.floor(distanceMeters / METERS_PER_STEP));
  const steps = geodesicSteps(from.latitude, from.longitude, coast.latitude, coast.longitude, between);
  const line: Position[] = [[from.longitude, from.latitude]];
  for (let step = 0; step < between; step++) line.push([steps[step * 2 + 1]!, steps[step * 2]!]);
  line.push([coast.longitude, coast.latitude]);
  return line;
}

/** The parts of a line on either side of 180°, as RFC 7946 (3.1.9) has it. */
function cutAt180(line: readonly Position[]): Position[][] {
  const parts: Position[][] = [[line[0]!]];
  for (let index = 1; index < line.length; index++) {
    const [longitude = 0, latitude = 0] = line[index - 1]!;
    const [nextLongitude = 0, nextLatitude = 0] = line[index]!;
    if (Math.abs(nextLongitude - longitude) > 180) {
      const edge = longitude > 0 ? 180 : -180;
      const beyond = nextLongitude + 2 * edge;
      const share = beyond === longitude ? 0 : (edge - longitude) / (beyond - longitude);
      const crossing = latitude + (nextLatitude - latitude) * share;
      parts.at(-1)!.push([edge, crossing]);
      parts.push([[-edge, crossing]]);
    }
    parts.at(-1)!.push(line[index]!);
  }
  return parts;
}

/** Counterclockwise, and closed; longitudes run past ±180 rather than jump. */
function circle({ coast, accuracyMeters }: CoastAnswer): Position[] {
  const ring: Position[] = [];
  for (let index = 0; index < CIRCLE_POINTS; index++) {
    const end = geodesicEnd(coast.latitude, coast.longitude, (-360 * index) / CIRCLE_POINTS, accuracyMeters);
    const turn = Math.round((coast.longitude - end.longitude) / 360) * 360;
    ring.push([end.longitude + turn, end.latitude]);
  }
  ring.push(ring[0]!);
  return ring;
}
