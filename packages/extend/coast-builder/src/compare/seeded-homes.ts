import {
  type Coast,
  type CoastDefinitionInput,
  CoastError,
  type GeographicPoint,
  METERS_PER_MILE,
} from '@leeward/coast';

/** Options of `seededHomes`. */
export interface SeededHomesOptions {
  readonly count: number;
  /** Equal seeds return equal homes. @default 1 */
  readonly seed?: number;
  /** Maximum distance from the shore, in meters. @default ten miles */
  readonly reachMeters?: number;
  /** @default 'tidal' */
  readonly definition?: CoastDefinitionInput;
}

const TEN_MILES_METERS = 10 * METERS_PER_MILE;
const METERS_PER_DEGREE = 111_195;

/**
 * Makes random places on land near a coast: a random place, three random jumps along the shore, then one inland. Without sides in the
 * data, also in the water. @throws CoastError `no_shore` if too few places are found.
 * @example
 * const homes = seededHomes(loadCoastlineUs(), { count: 2_000, seed: 1 });
 */
export function seededHomes(coast: Coast, options: SeededHomesOptions): GeographicPoint[] {
  const { count, seed = 1, reachMeters = TEN_MILES_METERS, definition = 'tidal' } = options;
  if (!Number.isInteger(count) || count < 1)
    throw new CoastError('invalid_option', `${count} homes: expected one or more`);
  const random = createRandom(seed);
  const boxes = coast.datasets[0]!.coverage;
  const hasSides = coast.datasets.some(({ water }) => water !== 'unknown');
  const homes: GeographicPoint[] = [];
  for (let tries = 0; homes.length < count && tries < 100 * count; tries++) {
    const box = boxes[Math.floor(random() * boxes.length)] ?? { west: -180, south: -85, east: 180, north: 85 };
    let place: GeographicPoint = {
      latitude: box.south + random() * (box.north - box.south),
      longitude: box.west + random() * (box.east - box.west),
    };
    let answer = tryNearest(coast, place, definition);
    for (let jump = 0; jump < 3 && answer !== undefined; jump++) {
      place = moved(answer.coast, 50_000 * random(), 360 * random());
      answer = tryNearest(coast, place, definition);
    }
    if (answer === undefined) continue;
    const home = moved(answer.coast, reachMeters * random(), 360 * random());
    const nearest = tryNearest(coast, home, definition);
    if (nearest === undefined || nearest.distanceMeters > reachMeters) continue;
    if (!hasSides || nearest.side === 'land') homes.push(home);
  }
  if (homes.length < count)
    throw new CoastError('no_shore', `found ${homes.length} of ${count} homes near a shore: lower the count`);
  return homes;
}

function tryNearest(coast: Coast, point: GeographicPoint, definition: CoastDefinitionInput) {
  try {
    return coast.nearest(point, definition);
  } catch (error) {
    if (error instanceof CoastError && (error.code === 'outside_coverage' || error.code === 'invalid_point'))
      return undefined;
    throw error;
  }
}

/** On a sphere, which is accurate enough here. */
function moved({ latitude, longitude }: GeographicPoint, meters: number, azimuthDegrees: number): GeographicPoint {
  const azimuth = azimuthDegrees * (Math.PI / 180);
  const north = (meters * Math.cos(azimuth)) / METERS_PER_DEGREE;
  const east = (meters * Math.sin(azimuth)) / (METERS_PER_DEGREE * Math.cos(latitude * (Math.PI / 180)));
  const wrapped = longitude + east;
  return {
    latitude: latitude + north,
    longitude: wrapped > 180 ? wrapped - 360 : wrapped < -180 ? wrapped + 360 : wrapped,
  };
}

/** Mulberry32: numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
