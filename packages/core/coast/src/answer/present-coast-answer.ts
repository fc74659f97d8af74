import { type CompassPoint, compassPoint, normalizeBearing } from '../earth/compass-point.ts';
import { METERS_PER_FOOT, METERS_PER_MILE } from '../earth/units.ts';
import type { CoastAnswer } from './coast.ts';
import { formatDecimal, groupThousands } from './format-decimal.ts';

const METERS_PER_KILOMETER = 1000;
/** International foot and mile. */

/** A distance in four units, as numbers or as text. */
export interface DistanceInUnits<Value> {
  readonly kilometers: Value;
  readonly meters: Value;
  readonly feet: Value;
  readonly miles: Value;
}

/** How the point came about: a geocoder's place may be far from the house. */
export interface PointLocation {
  /** `coordinates`, or the name of a geocoder. */
  readonly source: string;
  /** `exact`, `rooftop`, `parcel`, `interpolated`, `street`, `zip_centroid`, `city_centroid`. */
  readonly precision: string;
  readonly errorRadiusMeters: number;
}

/** An answer as it goes over the wire. */
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
    /** Whom its licence wants named. */
    readonly attribution: string;
  };
  /** Within what the true distance lies, the errors of place and shore taken together. */
  readonly range_meters: { readonly min: number; readonly max: number };
  /** Where tidal waters beyond the shores tell any of these: the datasets of the distance, the least and the greatest. */
  readonly decided_by?: { readonly distance: string; readonly min: string; readonly max: string };
  /** `isOnLand`. */
  readonly on_land: boolean | null;
}

const EXACT: PointLocation = { source: 'coordinates', precision: 'exact', errorRadiusMeters: 0 };

/** An answer in the shape of the distance-to-coast response. */
export function presentCoastAnswer(answer: CoastAnswer, location: PointLocation = EXACT): CoastAnswerPresentation {
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

/** The radius of the shore leaves out one place in twenty; twice the radius, few in ten thousand. */
const WATER_ACCURACIES = 2;

/**
 * Null where the lines do not tell, and where the shore lies within the radius of the place. Water is told only from well farther out
 * than the shore may be off: homes stand on land, and one that a line puts beyond it by no more than the line's own error stands there too.
 */
export function isOnLand(
  { side, distanceMeters, accuracyMeters }: Pick<CoastAnswer, 'side' | 'distanceMeters' | 'accuracyMeters'>,
  placeErrorMeters = 0,
): boolean | null {
  if (side === 'unknown' || (placeErrorMeters > 0 && placeErrorMeters >= distanceMeters)) return null;
  if (side === 'land') return true;
  return distanceMeters > WATER_ACCURACIES * accuracyMeters + placeErrorMeters ? false : null;
}

/** Metres in the four units, unrounded. */
export function distanceInUnits(meters: number): DistanceInUnits<number> {
  return {
    kilometers: meters / METERS_PER_KILOMETER,
    meters,
    feet: meters / METERS_PER_FOOT,
    miles: meters / METERS_PER_MILE,
  };
}

/** `12.345` kilometers, `12345` meters, `40,502.62` feet, `7.67` miles: rounded half away from zero. */
export function formatDistance(raw: DistanceInUnits<number>): DistanceInUnits<string> {
  return {
    kilometers: formatDecimal(raw.kilometers, 3),
    meters: formatDecimal(raw.meters, 0),
    feet: groupThousands(formatDecimal(raw.feet, 2)),
    miles: formatDecimal(raw.miles, 2),
  };
}

/** `359.9°`: one decimal, rounded half away from zero, and 360.0 is 0.0. */
export function formatBearing(bearingDegrees: number): string {
  const text = formatDecimal(normalizeBearing(bearingDegrees), 1);
  return `${text === '360.0' ? '0.0' : text}°`;
}

/** `The coast is 12345 meters to the east-southeast.` */
export function directionSentence(distanceMeters: number, bearingDegrees: number): string {
  return `The coast is ${formatDecimal(distanceMeters, 0)} meters to the ${compassPoint(bearingDegrees)}.`;
}
