import type { CoastAnswerFields } from '../answer/coast-answer.ts';
import { compassPoint } from '../earth/compass-point.ts';
import { geodesicEnd, geodesicSteps } from '../earth/geodesic.ts';
import type { CoastFeature, CoastFeatures, CoastGeometry, CoastPosition } from './features.ts';

/** A geodesic is straight enough on a map over this length. */
const METERS_PER_STEP = 10_000;
const MAX_STEPS = 256;
const CIRCLE_POINTS = 72;

/**
 * Converts an answer to features for a map by `role`: `address` (the query), `coast` (the coast point), `line` (the geodesic, cut at
 * 180°) and `accuracy` (a circle around the coast point).
 * @example
 * map.addSource('coast', { type: 'geojson', data: coastAnswerToGeoJson(coast.nearest(home)) });
 */
export function coastAnswerToGeoJson(answer: CoastAnswerFields): CoastFeatures {
  const { coast, distanceMeters, azimuthDegrees, accuracyMeters } = answer;
  const features: CoastFeature[] = [
    feature(
      { type: 'Point', coordinates: [answer.point.longitude, answer.point.latitude] },
      { role: 'address', side: answer.side },
    ),
    feature(
      { type: 'Point', coordinates: [coast.longitude, coast.latitude] },
      {
        role: 'coast',
        shore: answer.shore,
        layers: answer.layers,
        dataset: `${answer.dataset.name} ${answer.dataset.version}`,
        attribution: answer.dataset.attribution,
      },
    ),
  ];
  const properties = {
    role: 'line',
    distance_meters: distanceMeters,
    bearing_degrees: azimuthDegrees,
    compass_point: compassPoint(azimuthDegrees),
  };
  const parts = cutAt180(geodesicLine(answer));
  if (distanceMeters > 0) {
    const line: CoastGeometry =
      parts.length === 1
        ? { type: 'LineString', coordinates: parts[0]! }
        : { type: 'MultiLineString', coordinates: parts };
    features.push(feature(line, properties));
  }
  if (accuracyMeters > 0) {
    const area: CoastGeometry = { type: 'Polygon', coordinates: [circle(answer)] };
    features.push(feature(area, { role: 'accuracy', radius_meters: accuracyMeters }));
  }
  return { type: 'FeatureCollection', features };
}

function feature(geometry: CoastGeometry, properties: Record<string, unknown>): CoastFeature {
  return { type: 'Feature', properties, geometry };
}

function geodesicLine({ point: from, coast, distanceMeters }: CoastAnswerFields): CoastPosition[] {
  const between = Math.min(MAX_STEPS, Math.floor(distanceMeters / METERS_PER_STEP));
  const steps = geodesicSteps(from.latitude, from.longitude, coast.latitude, coast.longitude, between);
  const line: CoastPosition[] = [[from.longitude, from.latitude]];
  for (let step = 0; step < between; step++) line.push([steps[step * 2 + 1]!, steps[step * 2]!]);
  line.push([coast.longitude, coast.latitude]);
  return line;
}

/** RFC 7946, 3.1.9. */
function cutAt180(line: readonly CoastPosition[]): CoastPosition[][] {
  const parts: CoastPosition[][] = [[line[0]!]];
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

function circle({ coast, accuracyMeters }: CoastAnswerFields): CoastPosition[] {
  const ring: CoastPosition[] = [];
  for (let index = 0; index < CIRCLE_POINTS; index++) {
    const end = geodesicEnd(coast.latitude, coast.longitude, (-360 * index) / CIRCLE_POINTS, accuracyMeters);
    const turn = Math.round((coast.longitude - end.longitude) / 360) * 360;
    ring.push([end.longitude + turn, end.latitude]);
  }
  ring.push(ring[0]!);
  return ring;
}
