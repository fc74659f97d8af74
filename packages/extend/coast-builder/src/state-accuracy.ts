import { CoastError, type Shoreline } from '@leeward/coast';
import {
  formatStationMeasure,
  MIN_STATIONS,
  measureAtStations,
  type StationMeasure,
  type StationPoint,
  tidalLayers,
} from './measure-at-stations.ts';

/** The shoreline with its accuracy written into it, and the measure behind it; undefined where no station is near. */
export interface StatedAccuracy {
  readonly shoreline: Shoreline;
  readonly measure: StationMeasure | undefined;
}

/**
 * A shoreline whose header states how far its lines may lie from the shore: what its builder says, or what its files say of
 * themselves, else what tide stations tell; the measure stands in the header in each case. A radius that is not known is never taken
 * for none. Throws `invalid_option` where nothing tells it: nobody says it, and fewer than 20 stations stand there.
 */
export function stateAccuracy(
  shoreline: Shoreline,
  stations: readonly StationPoint[],
  told?: { readonly meters: number; readonly method: string },
): StatedAccuracy {
  const measure = measureAtStations(shoreline, stations);
  const measured = measure && formatStationMeasure(measure);
  if (told !== undefined) {
    const method = measured === undefined ? told.method : `${told.method}; ${measured}`;
    return { shoreline: withAccuracy(shoreline, told.meters, method), measure };
  }
  const { name, layerNames } = shoreline;
  const unmeasured = layerNames.filter((layer) => !tidalLayers(shoreline).includes(layer));
  if (measure !== undefined && measured !== undefined && measure.stations >= MIN_STATIONS && unmeasured.length === 0) {
    return { shoreline: withAccuracy(shoreline, Math.ceil(measure.p95Meters), measured), measure };
  }
  const found = measure?.stations ?? 0;
  const why =
    unmeasured.length > 0
      ? `no tide station measures ${unmeasured.join(', ')}`
      : `${found === 0 ? 'no tide station stands' : found === 1 ? 'a single tide station stands' : `only ${found} tide stations stand`} in its area, too few to measure it by`;
  throw new CoastError(
    'invalid_option',
    `${name}: nothing tells how far its lines may lie from the shore (${why}): give its accuracy in metres`,
  );
}

function withAccuracy(shoreline: Shoreline, meters: number, method: string): Shoreline {
  return { ...shoreline, accuracy: { radiusMeters: shoreline.layerNames.map(() => meters), method } };
}
