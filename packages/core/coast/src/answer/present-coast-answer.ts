import { type CompassPoint, compassPoint, normalizeBearing } from '../earth/compass-point.ts';
import { METERS_PER_FOOT, METERS_PER_MILE } from '../earth/units.ts';
import type { CoastAnswerFields } from './coast-answer.ts';
import { formatDecimal, groupThousands } from './format-decimal.ts';

const METERS_PER_KILOMETER = 1000;

/** In four units, as numbers or text. */
export interface DistanceInUnits<Value> {
  readonly kilometers: Value;
  readonly meters: Value;
  readonly feet: Value;
  readonly miles: Value;
}

/** Source of a point; a geocoder's may be far from the house. */
export interface PointLocation {
  /** `coordinates`, or a geocoder. */
  readonly source: string;
  /** `exact`, `rooftop`, `parcel`, `interpolated`, `street`, `zip_centroid`, `city_centroid`. */
  readonly precision: string;
  readonly errorRadiusMeters: number;
}

/** An answer in the format of the HTTP API. */
export interface CoastAnswerPresentation {
  readonly address: { readonly lat: number; readonly lng: number };
  readonly coast: { readonly lat: number; readonly lng: number };
  readonly distance: { readonly raw: DistanceInUnits<number>; readonly formatted: DistanceInUnits<string> };
  readonly direction_to_coast: string;
  readonly bearing_degrees: string;
  readonly compass_point: CompassPoint;
  readonly location: { readonly source: string; readonly precision: string; readonly error_radius_meters: number };
  readonly dataset: {
    readonly name: string;
    readonly version: string;
    readonly accuracy_meters: number;
    readonly attribution: string;
  };
  /** Includes the errors of place and shore. */
  readonly range_meters: { readonly min: number; readonly max: number };
  /** If tidal waters beyond the shores changed the answer. */
  readonly decided_by?: { readonly distance: string; readonly min: string; readonly max: string };
  /** Null if unknown. */
  readonly on_land: boolean | null;
}

const EXACT: PointLocation = { source: 'coordinates', precision: 'exact', errorRadiusMeters: 0 };

/**
 * Converts an answer to the response of `POST /v1/distance-to-coast`. @param location is the geocoder's place; by default the
 * coordinates are exact.
 * @example
 * presentCoastAnswer(coast.nearest(home)).direction_to_coast; // 'The coast is 619 meters to the south.'
 */
export function presentCoastAnswer(
  answer: CoastAnswerFields,
  location: PointLocation = EXACT,
): CoastAnswerPresentation {
  const { point, coast, dataset, distanceMeters, accuracyMeters, azimuthDegrees } = answer;
  const error = location.errorRadiusMeters;
  const raw = distanceInUnits(distanceMeters);
  return {
    address: { lat: point.latitude, lng: point.longitude },
    coast: { lat: coast.latitude, lng: coast.longitude },
    distance: { raw, formatted: formatDistance(raw) },
    direction_to_coast: directionSentence(distanceMeters, azimuthDegrees),
    bearing_degrees: formatBearing(azimuthDegrees),
    compass_point: compassPoint(azimuthDegrees),
    location: {
      source: location.source,
      precision: location.precision,
      error_radius_meters: location.errorRadiusMeters,
    },
    dataset: {
      name: dataset.name,
      version: dataset.version,
      accuracy_meters: accuracyMeters,
      attribution: dataset.attribution,
    },
    range_meters: { min: Math.max(0, answer.minMeters - error), max: answer.maxMeters + error },
    ...(answer.isTidalRiverPossible ? { decided_by: answer.decidedBy } : {}),
    on_land: isOnLand(answer, error),
  };
}

/** One place in twenty is outside the shore's radius, a few in ten thousand outside twice that. */
const WATER_ACCURACIES = 2;

/**
 * Returns null if the side is unknown, or the shore is within the error of the place. Homes are on land: a point counts as water only
 * beyond twice the radius of accuracy plus the error of the place.
 * @example
 * isOnLand(coast.nearest(home)); // true
 */
export function isOnLand(
  { side, distanceMeters, accuracyMeters }: Pick<CoastAnswerFields, 'side' | 'distanceMeters' | 'accuracyMeters'>,
  placeErrorMeters = 0,
): boolean | null {
  if (side === 'unknown' || (placeErrorMeters > 0 && placeErrorMeters >= distanceMeters)) return null;
  if (side === 'land') return true;
  return distanceMeters > WATER_ACCURACIES * accuracyMeters + placeErrorMeters ? false : null;
}

export function distanceInUnits(meters: number): DistanceInUnits<number> {
  return {
    kilometers: meters / METERS_PER_KILOMETER,
    meters,
    feet: meters / METERS_PER_FOOT,
    miles: meters / METERS_PER_MILE,
  };
}

/** For example `12.345` kilometers, `12345` meters, `40,502.62` feet, `7.67` miles. */
export function formatDistance(raw: DistanceInUnits<number>): DistanceInUnits<string> {
  return {
    kilometers: formatDecimal(raw.kilometers, 3),
    meters: formatDecimal(raw.meters, 0),
    feet: groupThousands(formatDecimal(raw.feet, 2)),
    miles: formatDecimal(raw.miles, 2),
  };
}

/** For example `359.9°`; 360.0 becomes 0.0. */
export function formatBearing(bearingDegrees: number): string {
  const text = formatDecimal(normalizeBearing(bearingDegrees), 1);
  return `${text === '360.0' ? '0.0' : text}°`;
}

export function directionSentence(distanceMeters: number, bearingDegrees: number): string {
  return `The coast is ${formatDecimal(distanceMeters, 0)} meters to the ${compassPoint(bearingDegrees)}.`;
}
