import { buildCoastIndex, createCoast, isCovered, type Shoreline } from '@leeward/coast';

/** A tide station. */
export interface StationPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** Distances of tide stations from the drawn shore, in meters, errors of their coordinates included. */
export interface StationMeasure {
  readonly stations: number;
  readonly medianMeters: number;
  readonly p95Meters: number;
  /** Stations within 100 m. */
  readonly within100: number;
  /** Stations within 300 m. */
  readonly within300: number;
}

/** For a 95th percentile. */
export const MIN_STATIONS = 20;

const LAKES = 'great_lakes';

/**
 * Measures a shoreline at the tide stations in its coverage, or in its bounds without one. Stations are at tidal water, so the shore
 * should be near. Not for the Great Lakes. Undefined without a station.
 */
export function measureAtStations(shoreline: Shoreline, stations: readonly StationPoint[]): StationMeasure | undefined {
  const layers = tidalLayers(shoreline);
  if (layers.length === 0) return undefined;
  const area = shoreline.coverage.length > 0 ? shoreline.coverage : [boundsOf(shoreline)];
  const inside = stations.filter(({ latitude, longitude }) => isCovered(area, latitude, longitude));
  if (inside.length === 0) return undefined;
  const coast = createCoast(buildCoastIndex(shoreline));
  const meters = inside.map((station) => coast.nearest(station, { layers }).distanceMeters).sort((a, b) => a - b);
  const quantile = (share: number) => meters[Math.min(meters.length - 1, Math.floor(share * meters.length))]!;
  return {
    stations: meters.length,
    medianMeters: quantile(0.5),
    p95Meters: quantile(0.95),
    within100: meters.filter((each) => each <= 100).length,
    within300: meters.filter((each) => each <= 300).length,
  };
}

export function tidalLayers({ layerNames }: Pick<Shoreline, 'layerNames'>): string[] {
  return layerNames.filter((layer) => layer !== LAKES);
}

/**
 * Formats a measure for the header of a shoreline.
 * @example
 * formatStationMeasure(measure); // 'half of 34 NOAA tide stations are within 31 m of these lines, 95 % within 212 m'
 */
export function formatStationMeasure({ stations, medianMeters, p95Meters }: StationMeasure): string {
  const [median, p95] = [medianMeters, p95Meters].map((value) => `${Math.ceil(value).toLocaleString('en-US')} m`);
  return `half of ${stations.toLocaleString('en-US')} NOAA tide stations are within ${median} of these lines, 95 % within ${p95}`;
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
