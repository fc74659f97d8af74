/** WGS84 (NGA.STND.0036, 2014). */
export const EQUATORIAL_RADIUS_METERS = 6_378_137;
export const FLATTENING = 1 / 298.257_223_563;
export const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
export const SECOND_ECCENTRICITY_SQUARED = ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED);
export const POLAR_RADIUS_METERS = EQUATORIAL_RADIUS_METERS * (1 - FLATTENING);
export const RADIANS_PER_DEGREE = Math.PI / 180;

/**
 * Integer coordinates in an earth-centred, earth-fixed frame: 1/256 m is the finest power of two for which the earth fits 32 bits.
 * Rounding moves a vertex by up to 3.4 mm.
 */
export const UNITS_PER_METER = 256;

/**
 * sin and cos of -180 … 180 whole degrees, at degree + 180. Computed here because the last digit of `Math.sin` differs between engines,
 * and a page and a server must agree.
 */
const SINES = Float64Array.from({ length: 362 }, (_, index) => sineOfWholeDegrees(index - 180));
const COSINES = Float64Array.from({ length: 362 }, (_, index) => sineOfWholeDegrees(index - 90));

/** @param degrees is a whole number from -180 to 180. */
export function cosineOfWholeDegrees(degrees: number): number {
  return COSINES[degrees + 180]!;
}

/** Reduces to 0 … 45° by symmetry, then sums the series. */
function sineOfWholeDegrees(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  if (turned >= 180) return turned === 180 ? 0 : -sineOfWholeDegrees(turned - 180);
  const acute = turned > 90 ? 180 - turned : turned;
  const isCosine = acute > 45;
  const x = (isCosine ? 90 - acute : acute) * RADIANS_PER_DEGREE;
  let sum = 0;
  for (let power = isCosine ? 18 : 19; power > 1; power -= 2) sum = ((1 - sum) * x * x) / (power * (power - 1));
  return isCosine ? 1 - sum : x * (1 - sum);
}

/** x, y, z in units, then sin φ, cos φ, sin λ, cos λ. */
export const FRAME_LENGTH = 7;

/**
 * Looks the nearest whole degree up and sums a series of the remainder, whose first omitted term is below 1e-16: a quarter of the time
 * of four library calls. Degrees must be in range.
 */
export function writeFrame(frames: Float64Array, latitude: number, longitude: number, at = 0): void {
  const latitudeBase = (latitude + 180.5) | 0;
  const longitudeBase = (longitude + 180.5) | 0;
  const f = (latitude - (latitudeBase - 180)) * RADIANS_PER_DEGREE;
  const g = (longitude - (longitudeBase - 180)) * RADIANS_PER_DEGREE;
  const ff = f * f;
  const gg = g * g;
  const sinF = f * (1 - ff * (1 / 6 - ff * (1 / 120)));
  const cosF = 1 - ff * (1 / 2 - ff * (1 / 24 - ff * (1 / 720)));
  const sinG = g * (1 - gg * (1 / 6 - gg * (1 / 120)));
  const cosG = 1 - gg * (1 / 2 - gg * (1 / 24 - gg * (1 / 720)));
  const baseSinLatitude = SINES[latitudeBase]!;
  const baseCosLatitude = COSINES[latitudeBase]!;
  const baseSinLongitude = SINES[longitudeBase]!;
  const baseCosLongitude = COSINES[longitudeBase]!;
  const sinLatitude = baseSinLatitude * cosF + baseCosLatitude * sinF;
  const cosLatitude = baseCosLatitude * cosF - baseSinLatitude * sinF;
  const sinLongitude = baseSinLongitude * cosG + baseCosLongitude * sinG;
  const cosLongitude = baseCosLongitude * cosG - baseSinLongitude * sinG;
  const normal =
    (EQUATORIAL_RADIUS_METERS * UNITS_PER_METER) / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLatitude * sinLatitude);
  frames[at] = normal * cosLatitude * cosLongitude;
  frames[at + 1] = normal * cosLatitude * sinLongitude;
  frames[at + 2] = normal * (1 - ECCENTRICITY_SQUARED) * sinLatitude;
  frames[at + 3] = sinLatitude;
  frames[at + 4] = cosLatitude;
  frames[at + 5] = sinLongitude;
  frames[at + 6] = cosLongitude;
}
