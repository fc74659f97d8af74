import { CoastError, type Shoreline } from '@leeward/coast';
import {
  formatStationMeasure,
  MIN_STATIONS,
  measureAtStations,
  type StationMeasure,
  type StationPoint,
  tidalLayers,
} from './measure-at-stations.ts';

/** `measure` is undefined if no tide station is near. */
export interface StatedAccuracy {
  readonly shoreline: Shoreline;
  readonly measure: StationMeasure | undefined;
}

/**
 * Sets the accuracy: `stated`, else the 95th percentile at tide stations. The header's method includes the measure in both cases.
 * @throws CoastError `invalid_option` without `stated` and with fewer than 20 stations.
 * @example
 * const { shoreline, measure } = stateAccuracy(lines, loadTideStations());
 */
export function stateAccuracy(
  shoreline: Shoreline,
  stations: readonly StationPoint[],
  stated?: { readonly meters: number; readonly method: string },
): StatedAccuracy {
  const measure = measureAtStations(shoreline, stations);
  const measureText = measure && formatStationMeasure(measure);
  if (stated !== undefined) {
    const method = measureText === undefined ? stated.method : `${stated.method}; ${measureText}`;
    return { shoreline: withAccuracy(shoreline, stated.meters, method), measure };
  }
  const { name, layerNames } = shoreline;
  const unmeasured = layerNames.filter((layer) => !tidalLayers(shoreline).includes(layer));
  if (
    measure !== undefined &&
    measureText !== undefined &&
    measure.stations >= MIN_STATIONS &&
    unmeasured.length === 0
  ) {
    return { shoreline: withAccuracy(shoreline, Math.ceil(measure.p95Meters), measureText), measure };
  }
  const count = measure?.stations ?? 0;
  const reason =
    unmeasured.length > 0
      ? `tide stations cannot measure ${unmeasured.join(', ')}`
      : `${count === 0 ? 'no tide station is' : count === 1 ? 'only 1 tide station is' : `only ${count} tide stations are`} in its area, and ${MIN_STATIONS} are needed`;
  throw new CoastError(
    'invalid_option',
    `${name}: the accuracy of its lines is unknown (${reason}): give its accuracy in meters`,
  );
}

function withAccuracy(shoreline: Shoreline, meters: number, method: string): Shoreline {
  return { ...shoreline, accuracy: { radiusMeters: shoreline.layerNames.map(() => meters), method } };
}
