// Positions on WGS84 and arcs over chords. Operations and their order are those of @leeward/coast (earth/ellipsoid.ts,
// earth/surface-arc.ts), so that both agree to the last digit.

const EQUATORIAL_RADIUS_METERS: f64 = 6378137;
const FLATTENING: f64 = 1.0 / 298.257223563;
const ECCENTRICITY_SQUARED: f64 = FLATTENING * (2.0 - FLATTENING);
const POLAR_RADIUS_METERS: f64 = EQUATORIAL_RADIUS_METERS * (1.0 - FLATTENING);
const RADIANS_PER_DEGREE: f64 = Math.PI / 180.0;
/** Coordinates are whole numbers of 1/256 m. */
export const UNITS_PER_METER: f64 = 256;
const METERS_PER_UNIT: f64 = 1.0 / UNITS_PER_METER;

const INVERSE_A2: f64 = 1.0 / (EQUATORIAL_RADIUS_METERS * EQUATORIAL_RADIUS_METERS);
const INVERSE_B2: f64 = 1.0 / (POLAR_RADIUS_METERS * POLAR_RADIUS_METERS);
const INVERSE_A4: f64 = INVERSE_A2 * INVERSE_A2;
const INVERSE_B4: f64 = INVERSE_B2 * INVERSE_B2;
const TINY: f64 = 1e-300;

/** Sines of −180 … 271 whole degrees. */
const sines = memory.data(452 * 8, 8);

export function prepareEarth(): void {
  for (let degrees = -180; degrees < 272; degrees++) store<f64>(sines + (degrees + 180) * 8, sineOfWholeDegrees(degrees));
}

function sineOfWholeDegrees(degrees: i32): f64 {
  const turned = ((degrees % 360) + 360) % 360;
  if (turned >= 180) return turned == 180 ? 0 : -sineOfWholeDegrees(turned - 180);
  const acute = turned > 90 ? 180 - turned : turned;
  const isCosine = acute > 45;
  const x = <f64>(isCosine ? 90 - acute : acute) * RADIANS_PER_DEGREE;
  let sum: f64 = 0;
  for (let power = isCosine ? 18 : 19; power > 1; power -= 2) sum = ((1.0 - sum) * x * x) / <f64>(power * (power - 1));
  return isCosine ? 1.0 - sum : x * (1.0 - sum);
}

/** A position in units; the result of `toEarth` and `toSurface`. */
export let ex: f64 = 0;
export let ey: f64 = 0;
export let ez: f64 = 0;

export function toEarth(latitude: f64, longitude: f64): void {
  const latitudeBase = <i32>(latitude + 180.5);
  const longitudeBase = <i32>(longitude + 180.5);
  const f = (latitude - <f64>(latitudeBase - 180)) * RADIANS_PER_DEGREE;
  const g = (longitude - <f64>(longitudeBase - 180)) * RADIANS_PER_DEGREE;
  const ff = f * f;
  const gg = g * g;
  const sinF = f * (1.0 - ff * (1.0 / 6.0 - ff * (1.0 / 120.0)));
  const cosF = 1.0 - ff * (1.0 / 2.0 - ff * (1.0 / 24.0 - ff * (1.0 / 720.0)));
  const sinG = g * (1.0 - gg * (1.0 / 6.0 - gg * (1.0 / 120.0)));
  const cosG = 1.0 - gg * (1.0 / 2.0 - gg * (1.0 / 24.0 - gg * (1.0 / 720.0)));
  const baseSinLatitude = load<f64>(sines + latitudeBase * 8);
  const baseCosLatitude = load<f64>(sines + latitudeBase * 8, 90 * 8);
  const baseSinLongitude = load<f64>(sines + longitudeBase * 8);
  const baseCosLongitude = load<f64>(sines + longitudeBase * 8, 90 * 8);
  const sinLatitude = baseSinLatitude * cosF + baseCosLatitude * sinF;
  const cosLatitude = baseCosLatitude * cosF - baseSinLatitude * sinF;
  const sinLongitude = baseSinLongitude * cosG + baseCosLongitude * sinG;
  const cosLongitude = baseCosLongitude * cosG - baseSinLongitude * sinG;
  const normal = (EQUATORIAL_RADIUS_METERS * UNITS_PER_METER) / Math.sqrt(1.0 - ECCENTRICITY_SQUARED * sinLatitude * sinLatitude);
  ex = normal * cosLatitude * cosLongitude;
  ey = normal * cosLatitude * sinLongitude;
  ez = normal * (1.0 - ECCENTRICITY_SQUARED) * sinLatitude;
}

/** Moves a position in meters along the vertical to the surface. */
export function toSurface(px: f64, py: f64, pz: f64): void {
  for (let round = 0; round < 2; round++) {
    const x = px * INVERSE_A2;
    const y = py * INVERSE_A2;
    const z = pz * INVERSE_B2;
    const depth = 1.0 - (px * x + py * y + pz * z);
    const step = depth / (2.0 * (x * x + y * y + z * z));
    px += x * step;
    py += y * step;
    pz += z * step;
  }
  ex = px;
  ey = py;
  ez = pz;
}

/** Meters along the surface from a point to a point of a chord, both in units. */
export function arcMeters(px: f64, py: f64, pz: f64, cx: f64, cy: f64, cz: f64): f64 {
  const x = cx * METERS_PER_UNIT;
  const y = cy * METERS_PER_UNIT;
  const z = cz * METERS_PER_UNIT;
  const lift = 1.5 - 0.5 * ((x * x + y * y) * INVERSE_A2 + z * z * INVERSE_B2);
  const qx = x * lift;
  const qy = y * lift;
  const qz = z * lift;
  px *= METERS_PER_UNIT;
  py *= METERS_PER_UNIT;
  pz *= METERS_PER_UNIT;
  const vx = qx - px;
  const vy = qy - py;
  const vz = qz - pz;
  const mx = qx + px;
  const my = qy + py;
  const mz = qz + pz;
  const chordAcross = vx * vx + vy * vy;
  const chordAlong = vz * vz;
  const chord2 = chordAcross + chordAlong;
  const middleAcross = mx * mx + my * my;
  const middleAlong = mz * mz;
  const inverseChord2 = 1.0 / (chord2 + TINY);
  const bend = chordAcross * INVERSE_A2 + chordAlong * INVERSE_B2;
  const bent = (bend * bend * inverseChord2 * (4.0 - bend)) / (middleAcross * INVERSE_A4 + middleAlong * INVERSE_B4);
  const ellipse = ECCENTRICITY_SQUARED * (middleAlong / (middleAcross + middleAlong) - chordAlong * inverseChord2);
  const series = 5.0 / 7168.0 + ellipse / 585.0 + bent * (35.0 / 294912.0 + bent * (63.0 / 2883584.0));
  return Math.sqrt(chord2) * (1.0 + bent * (1.0 / 24.0 + bent * (3.0 / 640.0 + ellipse / 160.0 + bent * series)));
}
