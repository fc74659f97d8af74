/**
 * Length of a geodesic from the chord between its ends.
 *
 * The chord v and the sum m of the two position vectors are earth-centred. With A = diag(a⁻², a⁻², b⁻²) and t the unit vector of the
 * chord, the curvature of the ellipsoid at the middle, in the chord's direction, is κ = tᵀAt · √(mᵀAm) / |Am|. Both ends are on the
 * ellipsoid, so mᵀAm = 4 − vᵀAv. The arc over a chord c is the series of asin with x = (c κ)²:
 *
 *     c (1 + x/24 + 3x²/640 + 5x³/7168 + 35x⁴/294912 + …)
 *
 * The difference between an ellipse and a circle begins at the fifth power of the chord: e² (m_z² − t_z²) x² / 160, and about / 585 at
 * the seventh, where m is a unit vector too. The two numbers are least squares fits to Karney's geodesic on an ellipsoid of tiny
 * flattening. Largest error over all latitudes and azimuths: 5.3 µm at 500 km, 0.17 mm at 1,000 km, 1.3 mm at 1,500 km, 5.6 mm at 2,000 km.
 */
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS_METERS, POLAR_RADIUS_METERS } from './ellipsoid.ts';

const INVERSE_A2 = 1 / (EQUATORIAL_RADIUS_METERS * EQUATORIAL_RADIUS_METERS);
const INVERSE_B2 = 1 / (POLAR_RADIUS_METERS * POLAR_RADIUS_METERS);
const INVERSE_A4 = INVERSE_A2 * INVERSE_A2;
const INVERSE_B4 = INVERSE_B2 * INVERSE_B2;

const TINY = 1e-300;

/** Length in meters of the geodesic with chord v and sum m of its ends, in meters. */
export function surfaceArcMeters(vx: number, vy: number, vz: number, mx: number, my: number, mz: number): number {
  const chordAcross = vx * vx + vy * vy;
  const chordAlong = vz * vz;
  const chord2 = chordAcross + chordAlong;
  const middleAcross = mx * mx + my * my;
  const middleAlong = mz * mz;
  const inverseChord2 = 1 / (chord2 + TINY);
  const bend = chordAcross * INVERSE_A2 + chordAlong * INVERSE_B2;
  const x = (bend * bend * inverseChord2 * (4 - bend)) / (middleAcross * INVERSE_A4 + middleAlong * INVERSE_B4);
  const ellipse = ECCENTRICITY_SQUARED * (middleAlong / (middleAcross + middleAlong) - chordAlong * inverseChord2);
  return (
    Math.sqrt(chord2) *
    (1 +
      x *
        (1 / 24 +
          x * (3 / 640 + ellipse / 160 + x * (5 / 7168 + ellipse / 585 + x * (35 / 294_912 + x * (63 / 2_883_584))))))
  );
}

/** Longer distances are computed by Karney's algorithm. */
export const SERIES_LIMIT_METERS = 2_000_000;
