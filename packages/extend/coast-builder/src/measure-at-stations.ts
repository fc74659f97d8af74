import { buildCoastIndex, createCoast, type GeographicPoint, isCovered, type Shoreline } from '@leeward/coast';
import { estimateRadius, perfectDistances } from './estimate-radius.ts';

/** A tide station. */
export interface StationPoint extends GeographicPoint {
  /** Error of its coordinates. @default 150 */
  readonly errorMeters?: number;
}

/** A tide station without a line near it, probably at a creek or harbour that the lines lack. */
export interface StationWithoutLine extends GeographicPoint {
  readonly distanceMeters: number;
}

/** The error of lines by the tide stations in their area. */
export interface StationMeasure {
  readonly stations: number;
  /** From the stations to the lines, the stations' own error included. */
  readonly medianMeters: number;
  /** Contains 95 % of the errors of the lines, with a probability of 95 %. Without the stations' own error. */
  readonly radiusMeters: number;
  /** The radius is larger with a probability of 95 %. */
  readonly minRadiusMeters: number;
  /** Radius that the same stations would give to perfect lines: they cannot tell better. */
  readonly resolutionMeters: number;
  /** The farthest first. The radius does not include them. */
  readonly withoutLine: readonly StationWithoutLine[];
}

/** In the area. */
export const MIN_STATIONS = 20;
/** With a line near. */
export const MIN_STATIONS_WITH_LINE = 10;

const DEFAULT_ERROR_METERS = 150;
const LAKES = 'great_lakes';

/**
 * Measures a shoreline at the tide stations in its coverage, or in its bounds without one. Stations are at tidal water, so a line should
 * be near. Not for the Great Lakes. Undefined without a station.
 */
export function measureAtStations(shoreline: Shoreline, stations: readonly StationPoint[]): StationMeasure | undefined {
  const layers = tidalLayers(shoreline);
  if (layers.length === 0) return undefined;
  const area = shoreline.coverage.length > 0 ? shoreline.coverage : [boundsOf(shoreline)];
  const inside = stations.filter(({ latitude, longitude }) => isCovered(area, latitude, longitude));
  if (inside.length === 0) return undefined;
  const coast = createCoast(buildCoastIndex(shoreline));
  const distances = inside.map(({ latitude, longitude, errorMeters = DEFAULT_ERROR_METERS }) => ({
    latitude,
    longitude,
    errorMeters,
    meters: coast.nearest({ latitude, longitude }, { layers }).distanceMeters,
  }));
  const { minRadiusMeters, maxRadiusMeters, missing } = estimateRadius(distances);
  const withLine = distances.filter((_, station) => missing[station]! <= 0.5);
  const withoutLine = distances
    .filter((_, station) => missing[station]! > 0.5)
    .map(({ latitude, longitude, meters }) => ({ latitude, longitude, distanceMeters: meters }))
    .sort((one, other) => other.distanceMeters - one.distanceMeters);
  const sorted = distances.map(({ meters }) => meters).sort((one, other) => one - other);
  return {
    stations: inside.length,
    medianMeters: sorted[sorted.length >> 1]!,
    radiusMeters: Math.ceil(maxRadiusMeters),
    minRadiusMeters: Math.floor(minRadiusMeters),
    resolutionMeters: Math.ceil(estimateRadius(perfectDistances(withLine)).maxRadiusMeters),
    withoutLine,
  };
}

export function tidalLayers({ layerNames }: Pick<Shoreline, 'layerNames'>): string[] {
  return layerNames.filter((layer) => layer !== LAKES);
}

/**
 * Formats a measure for the header of a shoreline.
 * @example
 * formatStationMeasure(measure); // '95 % of the errors are within 76 m by 35 NOAA tide stations, their own error taken off'
 */
export function formatStationMeasure({ stations, radiusMeters, withoutLine }: StationMeasure): string {
  const without = withoutLine.length;
  const gaps = without === 0 ? '' : `; ${format(without)} of them ${without === 1 ? 'has' : 'have'} no line near`;
  return `95 % of the errors are within ${format(radiusMeters)} m by ${format(stations)} NOAA tide stations, their own error taken off${gaps}`;
}

function format(value: number): string {
  return value.toLocaleString('en-US');
}

function boundsOf({ positions }: Shoreline) {
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  for (let at = 0; at < positions.length; at += 2) {
    bounds.west = Math.min(bounds.west, positions[at]!);
    bounds.east = Math.max(bounds.east, positions[at]!);
    bounds.south = Math.min(bounds.south, positions[at + 1]!);
    bounds.north = Math.max(bounds.north, positions[at + 1]!);
  }
  return bounds;
}
