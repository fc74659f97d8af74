import { CoastError, type CoverageBox } from '@leeward/coast';
import type { Position } from 'geojson';
import type { RawLine } from './raw-lines.ts';

/** No home is south of this. */
const ICE_LATITUDE = -65;
/** A file that reaches this latitude may include the Antarctic. */
const FAR_SOUTH_LATITUDE = -50;
const MARGIN_DEGREES = 1;

/**
 * Throws `invalid_shoreline` for a position whose axes are swapped, also if it is the only one. Swapped positions of the United States
 * are in the Antarctic (`25.8, -80.1`), or beyond 90 degrees, which the reader rejects. Others are outside the coverage, and inside it
 * after a swap.
 */
export function checkAxes(
  files: readonly { readonly name: string; readonly lines: readonly RawLine[] }[],
  coverage: readonly CoverageBox[],
): void {
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  for (const { lines } of files) {
    for (const { positions } of lines) {
      for (const [longitude, latitude] of positions as [number, number][]) {
        if (latitude < ICE_LATITUDE) continue;
        bounds.west = Math.min(bounds.west, longitude);
        bounds.east = Math.max(bounds.east, longitude);
        bounds.south = Math.min(bounds.south, latitude);
        bounds.north = Math.max(bounds.north, latitude);
      }
    }
  }
  const isOnlyIce = bounds.south > bounds.north;
  const isInBounds = isInside([bounds]);
  const isInCoverage = isInside(coverage);
  const reasonToSwap = ([longitude = 0, latitude = 0]: Position): string | undefined => {
    const swapped: Position = [latitude, longitude];
    if (latitude < ICE_LATITUDE && (isOnlyIce || (bounds.south > FAR_SOUTH_LATITUDE && isInBounds(swapped)))) {
      return isOnlyIce ? 'since all lines are in the Antarctic' : 'since this is in the Antarctic, unlike other lines';
    }
    return coverage.length > 0 && !isInCoverage([longitude, latitude]) && isInCoverage(swapped)
      ? 'since this is in the coverage only if swapped'
      : undefined;
  };
  for (const { name, lines } of files) {
    for (const { positions } of lines) {
      for (const position of positions) {
        const reason = reasonToSwap(position);
        if (reason === undefined) continue;
        throw new CoastError(
          'invalid_shoreline',
          `${name}: longitude ${position[0]}, latitude ${position[1]}: the axes look swapped, ${reason}; write longitude before latitude`,
        );
      }
    }
  }
}

function isInside(boxes: readonly CoverageBox[]): (position: Position) => boolean {
  return ([longitude = 0, latitude = 0]) =>
    boxes.some(
      ({ west, south, east, north }) =>
        longitude >= west - MARGIN_DEGREES &&
        longitude <= east + MARGIN_DEGREES &&
        latitude >= south - MARGIN_DEGREES &&
        latitude <= north + MARGIN_DEGREES,
    );
}
