import { ByteReader } from '../byte-reader.ts';
import { bytesOfBase64 } from '../bytes-of-base64.ts';
import { packedOutline } from './outline.generated.ts';
import type { Point } from './point.ts';

/** The outline is coarse (3 km) and lacks islands; the farthest inhabited one is 10 km off. */
export const SLACK_METERS = 13_000;
const METERS_PER_DEGREE = 111_195;

const CELLS_PER_DEGREE = 10;
/** The corners of a cell are less than 8 km from its middle. */
const CELL_REACH_METERS = 9_000;
const wholeCells = new Map<number, boolean>();

interface Ring {
  readonly longitudes: Float64Array;
  readonly latitudes: Float64Array;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

let rings: readonly Ring[] | undefined;

/** Inside the outline or within 13 km: Tijuana is near enough; Toronto, Vancouver and Nassau are not. */
export function canBeInUnitedStates(point: Point): boolean {
  return isInWholeCell(point) || isNearUnitedStates(point, SLACK_METERS);
}

/** Inside, or within `slack` meters. */
export function isNearUnitedStates(point: Point, slack: number): boolean {
  rings ??= unpack();
  if (rings.some((ring) => isInside(ring, point))) return true;
  return rings.some((ring) => isNear(ring, point, slack));
}

/** Cached by cell of a tenth of a degree, for books of homes. */
function isInWholeCell({ latitude, longitude }: Point): boolean {
  const [south, west] = [Math.floor(latitude * CELLS_PER_DEGREE), Math.floor(longitude * CELLS_PER_DEGREE)];
  const key = south * 360 * CELLS_PER_DEGREE + west;
  let isWhole = wholeCells.get(key);
  if (isWhole === undefined) {
    const middle = { latitude: (south + 0.5) / CELLS_PER_DEGREE, longitude: (west + 0.5) / CELLS_PER_DEGREE };
    isWhole = isNearUnitedStates(middle, SLACK_METERS - CELL_REACH_METERS);
    wholeCells.set(key, isWhole);
  }
  return isWhole;
}

/** Even-odd rule: crossings to the east. */
function isInside({ longitudes, latitudes, west, south, east, north }: Ring, { latitude, longitude }: Point): boolean {
  if (latitude < south || latitude > north || longitude < west || longitude > east) return false;
  let inside = false;
  for (let index = 0, before = longitudes.length - 1; index < longitudes.length; before = index, index += 1) {
    const a = latitudes[before]!;
    const b = latitudes[index]!;
    if (a > latitude === b > latitude) continue;
    const crossing = longitudes[before]! + ((longitudes[index]! - longitudes[before]!) * (latitude - a)) / (b - a);
    if (longitude < crossing) inside = !inside;
  }
  return inside;
}

function isNear(
  { longitudes, latitudes, west, south, east, north }: Ring,
  { latitude, longitude }: Point,
  slack: number,
): boolean {
  const metersEast = METERS_PER_DEGREE * Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  const slackEast = slack / metersEast;
  const slackNorth = slack / METERS_PER_DEGREE;
  if (latitude < south - slackNorth || latitude > north + slackNorth) return false;
  if (longitude < west - slackEast || longitude > east + slackEast) return false;
  const [lowest, highest] = [latitude - slackNorth, latitude + slackNorth];
  for (let index = 0, before = longitudes.length - 1; index < longitudes.length; before = index, index += 1) {
    const [from, to] = [latitudes[before]!, latitudes[index]!];
    // Most edges are farther north or south.
    if ((from < lowest && to < lowest) || (from > highest && to > highest)) continue;
    const ax = (longitudes[before]! - longitude) * metersEast;
    const ay = (from - latitude) * METERS_PER_DEGREE;
    const dx = (longitudes[index]! - longitude) * metersEast - ax;
    const dy = (to - latitude) * METERS_PER_DEGREE - ay;
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
    if ((ax + share * dx) ** 2 + (ay + share * dy) ** 2 <= slack * slack) return true;
  }
  return false;
}

function unpack(): readonly Ring[] {
  const reader = new ByteReader(bytesOfBase64(packedOutline));
  let [x, y] = [0, 0];
  return Array.from({ length: reader.unsigned() }, (): Ring => {
    const size = reader.unsigned();
    const longitudes = new Float64Array(size);
    const latitudes = new Float64Array(size);
    for (let index = 0; index < size; index += 1) {
      x += reader.signed();
      y += reader.signed();
      longitudes[index] = x / 100;
      latitudes[index] = y / 100;
    }
    return {
      longitudes,
      latitudes,
      west: Math.min(...longitudes),
      south: Math.min(...latitudes),
      east: Math.max(...longitudes),
      north: Math.max(...latitudes),
    };
  });
}
