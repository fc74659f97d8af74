import type { GeographicPoint } from '@leeward/coast';

/** Clarke's ellipsoid of 1866, and WGS84: half axis in meters, flattening. */
const CLARKE_1866 = { axis: 6_378_206.4, flattening: 1 / 294.9786982 };
const WGS84 = { axis: 6_378_137, flattening: 1 / 298.257223563 };

/** From the first center to the second, in meters: the mean of the islands (NIMA TR 8350.2, OHA-M). */
const SHIFT = { x: 61, y: -285, z: -181 };

const RADIANS = Math.PI / 180;

/** To WGS84: some 350 m south and 290 m east. */
export function fromOldHawaiianDatum({ latitude, longitude }: GeographicPoint): GeographicPoint {
  const sine = Math.sin(latitude * RADIANS);
  const old = squaredEccentricity(CLARKE_1866);
  const radius = CLARKE_1866.axis / Math.sqrt(1 - old * sine ** 2);
  const across = radius * Math.cos(latitude * RADIANS);
  const x = across * Math.cos(longitude * RADIANS) + SHIFT.x;
  const y = across * Math.sin(longitude * RADIANS) + SHIFT.y;
  const z = radius * (1 - old) * sine + SHIFT.z;
  const squared = squaredEccentricity(WGS84);
  let turned = Math.atan2(z, Math.hypot(x, y) * (1 - squared));
  // Each step gains three digits; the last one changes nothing.
  for (let step = 0; step < 5; step++) {
    const bend = WGS84.axis / Math.sqrt(1 - squared * Math.sin(turned) ** 2);
    turned = Math.atan2(z + squared * bend * Math.sin(turned), Math.hypot(x, y));
  }
  return { latitude: turned / RADIANS, longitude: Math.atan2(y, x) / RADIANS };
}

function squaredEccentricity({ flattening }: { readonly flattening: number }): number {
  return 2 * flattening - flattening ** 2;
}
