import { type Coast, type GeographicPoint, METERS_PER_MILE } from '@leeward/coast';
import { createRandom } from '../../../../../test/support/random.ts';

const TEN_MILES_METERS = 10 * METERS_PER_MILE;
const METERS_PER_DEGREE = 111_195;

/** Homes on land within ten miles of the tidal shore, spread by jumps of up to 50 km. */
export function homesNearCoast(coast: Coast, count: number, seed: number): GeographicPoint[] {
  const random = createRandom(seed);
  const homes: GeographicPoint[] = [];
  let place: GeographicPoint = { latitude: 33, longitude: -80 };
  while (homes.length < count) {
    // Restarts anywhere in the lower 48, so that all coasts are reached.
    if (homes.length % 4 === 0) place = { latitude: 26 + 22 * random(), longitude: -124 + 57 * random() };
    place = moved(coast.nearest(place).coast, 50_000 * random(), 360 * random());
    const home = moved(coast.nearest(place).coast, TEN_MILES_METERS * random(), 360 * random());
    const { side, distanceMeters } = coast.nearest(home);
    if (side === 'land' && distanceMeters <= TEN_MILES_METERS) homes.push(home);
  }
  return homes;
}

function moved({ latitude, longitude }: GeographicPoint, meters: number, azimuthDegrees: number): GeographicPoint {
  const azimuth = azimuthDegrees * (Math.PI / 180);
  const degrees = meters / METERS_PER_DEGREE;
  return {
    latitude: latitude + degrees * Math.cos(azimuth),
    longitude: longitude + (degrees * Math.sin(azimuth)) / Math.cos(latitude * (Math.PI / 180)),
  };
}
