import type { CoverageBox } from '@leeward/coast';
import { CommandError } from '../command-error.ts';

/** No home is further south. */
const ICE_LATITUDE = -65;

/** Reads `west,south,east,north`. Throws a `CommandError` that names the option. */
export function boxOf(text: string, option: string): CoverageBox {
  const sides = text.split(',').map((side) => (side.trim() === '' ? Number.NaN : Number(side)));
  const [west = 0, south = 0, east = 0, north = 0] = sides;
  if (north < ICE_LATITUDE) {
    throw new CommandError(
      `${option} is ${JSON.stringify(text)}, all in the Antarctic: the axes look swapped; give west, south, east and north in degrees, like -80.9,25.1,-80.1,26.0.`,
    );
  }
  const fits = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (sides.length === 4 && sides.every(Number.isFinite) && fits && west < east && south < north) {
    return { west, south, east, north };
  }
  throw new CommandError(
    `${option} is ${JSON.stringify(text)}; give west, south, east and north in degrees, like -80.9,25.1,-80.1,26.0.`,
  );
}
