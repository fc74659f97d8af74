import { CoastError, type Shoreline } from '@leeward/coast';
import {
  formatStationMeasure,
  MIN_STATIONS,
  MIN_STATIONS_WITH_LINE,
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
 * Sets the accuracy: `stated`, else the radius measured at tide stations. The header's method includes the measure in both cases.
 * @throws CoastError `invalid_option` without `stated` and with fewer than 20 stations, or fewer than 10 that have a line near.
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
  const reason = reasonNotMeasured(shoreline, measure);
  if (measure !== undefined && measureText !== undefined && reason === undefined) {
    return { shoreline: withAccuracy(shoreline, measure.radiusMeters, measureText), measure };
  }
  throw new CoastError(
    'invalid_option',
    `${shoreline.name}: the accuracy of its lines is unknown (${reason}): give its accuracy in meters`,
  );
}

function reasonNotMeasured(shoreline: Shoreline, measure: StationMeasure | undefined): string | undefined {
  const tidal = tidalLayers(shoreline);
  const unmeasured = shoreline.layerNames.filter((layer) => !tidal.includes(layer));
  if (unmeasured.length > 0) return `tide stations cannot measure ${unmeasured.join(', ')}`;
  const { stations = 0, withoutLine = [] } = measure ?? {};
  if (stations < MIN_STATIONS) {
    return `${stations === 0 ? 'no tide station is' : stations === 1 ? 'only 1 tide station is' : `only ${stations} tide stations are`} in its area, and ${MIN_STATIONS} are needed`;
  }
  const withLine = stations - withoutLine.length;
  if (withLine >= MIN_STATIONS_WITH_LINE) return undefined;
  return `only ${withLine} of the ${stations} tide stations in its area have a line near, and ${MIN_STATIONS_WITH_LINE} are needed`;
}

function withAccuracy(shoreline: Shoreline, meters: number, method: string): Shoreline {
  return { ...shoreline, accuracy: { radiusMeters: shoreline.layerNames.map(() => meters), method } };
}
