import { CoastError, decodeShoreline, type GeographicPoint } from '@leeward/coast';

/** A place at tidal water, where NOAA measures or predicts the tide. */
export interface TideStation extends GeographicPoint {
  /** By the published precision of its coordinates. */
  readonly errorMeters: number;
}

/** Public domain, for hosts that load the bytes. */
export const tideStationsFile = new URL('../data/noaa/tide-stations.shoreline', import.meta.url);

/**
 * @throws CoastError for other files.
 * @example
 * const stations = readTideStations(new Uint8Array(await (await fetch(tideStationsFile)).arrayBuffer()));
 */
export function readTideStations(bytes: Uint8Array): TideStation[] {
  const { positions, lineStarts, layers, accuracy } = decodeShoreline(bytes);
  const stations: TideStation[] = [];
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const vertex = lineStarts[line]!;
    const layer = 31 - Math.clz32(layers[vertex]!);
    stations.push({
      longitude: positions[2 * vertex]!,
      latitude: positions[2 * vertex + 1]!,
      errorMeters: accuracy.radiusMeters[layer]!,
    });
  }
  return stations;
}

/**
 * Loads the tide stations of this package; requires Node.
 * @example
 * stateAccuracy(shoreline, loadTideStations());
 */
export function loadTideStations(): TideStation[] {
  const files = globalThis.process?.getBuiltinModule?.('node:fs');
  if (files === undefined) {
    throw new CoastError(
      'invalid_option',
      'files need Node: fetch tideStationsFile and pass its bytes to readTideStations',
    );
  }
  return readTideStations(files.readFileSync(tideStationsFile));
}
