import { CoastError, decodeShoreline, type GeographicPoint } from '@leeward/coast';

/** Where NOAA measures or predicts the tide: there is tidal water for certain. */
export interface TideStation extends GeographicPoint {
  /** How far its coordinates may be off: as coarse as they are written down. */
  readonly errorMeters: number;
}

/** NOAA's tide stations of the United States (public domain), for hosts that load the bytes themselves. */
export const tideStationsFile = new URL('../data/noaa/tide-stations.shoreline', import.meta.url);

/** The stations of the file's bytes. Throws a `CoastError` where they are no such file. */
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

/** The stations of this package: Node only, as `loadCoastlineUs`. */
export function loadTideStations(): TideStation[] {
  const files = globalThis.process?.getBuiltinModule?.('node:fs');
  if (files === undefined) {
    throw new CoastError(
      'invalid_option',
      'no files here: fetch tideStationsFile and pass its bytes to readTideStations',
    );
  }
  return readTideStations(files.readFileSync(tideStationsFile));
}
