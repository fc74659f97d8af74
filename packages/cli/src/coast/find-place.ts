import { resolve } from 'node:path';
import type { GeographicPoint, PointLocation } from '@leeward/coast';
import { checkPoint, GeocoderUnavailableError, splitAddress } from '@leeward/places';
import { CommandError } from '../command-error.ts';
import { openGeocoder } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

export interface PlaceOnCommandLine extends GeographicPoint {
  readonly location: PointLocation;
}

/** A place as words of a command line give it: two numbers, or an address. */
export async function findPlace(words: readonly string[], terminal: Terminal): Promise<PlaceOnCommandLine> {
  const text = words.join(' ').trim();
  const numbers = /^(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)$/.exec(text);
  if (numbers) {
    const point = { latitude: Number(numbers[1]), longitude: Number(numbers[2]) };
    const finding = checkPoint(point);
    if (finding && finding.code !== 'outside_us') throw new CommandError(finding.message);
    if (finding) terminal.writeError(`${finding.message}\n`);
    return { ...point, location: { source: 'coordinates', precision: 'exact', errorRadiusMeters: 0 } };
  }
  const { geocoder, gazetteer } = await openGeocoder(dataFolder(terminal));
  const split = splitAddress(text, gazetteer);
  if (split.problem !== undefined) throw new CommandError(split.problem.message);
  const answer = await geocoder.geocode(split.address).catch((error: unknown) => {
    throw error instanceof GeocoderUnavailableError ? new CommandError(error.message) : error;
  });
  if (answer.status === 'not_found') throw new CommandError(answer.message);
  if (answer.status === 'ambiguous') {
    const names = answer.candidates.slice(0, 5).map((each) => `  ${each.matchedAddress}`);
    throw new CommandError(`This fits several places; add a ZIP code:\n${names.join('\n')}`);
  }
  const { latitude, longitude, precision, errorRadiusMeters, matchedAddress, geocoder: source } = answer.geocode;
  terminal.writeError(`${matchedAddress}: ${precision}, within ${Math.round(errorRadiusMeters)} m (${source})\n`);
  return { latitude, longitude, location: { source, precision, errorRadiusMeters } };
}

export function dataFolder({ environment, folder }: Terminal): string {
  return resolve(folder, environment['LEEWARD_DATA_DIR'] || '.leeward');
}
