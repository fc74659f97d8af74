import { distance } from 'geokdbush';
import { MAX_DISTANCE_METERS, NEAREST_COUNT } from './compare-county.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/**
 * True if a point is certainly near a ZIP point of its county (a FIPS code as a number), so that `compareCounty` agrees. False means
 * unsure.
 */
export type CountyCheck = (latitude: number, longitude: number, county: number) => boolean;

interface CountyPoints {
  readonly points: readonly ZipPoint[];
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** Radius with fewer others than `compareCounty` examines; NaN until computed. */
  readonly reaches: Float64Array;
}

const checks = new WeakMap<ZipGazetteer, CountyCheck>();

/**
 * Creates a check for many points; tables are computed once per ZIP point.
 * @example
 * countyCheckOf(zips)(25.79, -80.13, 12086); // true
 */
export function countyCheckOf(gazetteer: ZipGazetteer): CountyCheck {
  const check = checks.get(gazetteer) ?? createCountyCheck(gazetteer);
  checks.set(gazetteer, check);
  return check;
}

function createCountyCheck(gazetteer: ZipGazetteer): CountyCheck {
  const byCounty = new Map<number, CountyPoints>();
  const pointsOf = (county: number): CountyPoints => {
    let entry = byCounty.get(county);
    if (!entry) {
      const points = gazetteer.ofCounty(String(county).padStart(5, '0'));
      entry = {
        points,
        latitudes: Float64Array.from(points, ({ latitude }) => latitude),
        longitudes: Float64Array.from(points, ({ longitude }) => longitude),
        reaches: new Float64Array(points.length).fill(Number.NaN),
      };
      byCounty.set(county, entry);
    }
    return entry;
  };
  return (latitude, longitude, county) => {
    const { points, latitudes, longitudes, reaches } = pointsOf(county);
    // Any near enough point proves it.
    const shrink = Math.cos((latitude * Math.PI) / 180);
    let near = -1;
    let minSquare = Number.POSITIVE_INFINITY;
    for (let index = 0; index < latitudes.length; index += 1) {
      const north = latitudes[index]! - latitude;
      const east = (longitudes[index]! - longitude) * shrink;
      const square = north * north + east * east;
      if (square >= minSquare) continue;
      minSquare = square;
      near = index;
    }
    if (near < 0) return false;
    const meters = distance(longitude, latitude, longitudes[near]!, latitudes[near]!) * 1000;
    if (Number.isNaN(reaches[near]!)) {
      const others = gazetteer.nearest(points[near]!, NEAREST_COUNT + 1);
      reaches[near] = others[NEAREST_COUNT]?.distanceMeters ?? Number.POSITIVE_INFINITY;
    }
    // A ZIP point nearer to the home than this one is less than twice as far from this one.
    return meters <= MAX_DISTANCE_METERS && 2 * meters < reaches[near]!;
  };
}
