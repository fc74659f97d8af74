import { distance } from 'geokdbush';
import { MAX_DISTANCE_METERS, NEAREST_COUNT } from './compare-county.ts';
import type { ZipGazetteer, ZipPoint } from './zip-gazetteer.ts';

/**
 * Whether a point surely lies near a ZIP point of its county: then `compareCounty` agrees. False where that takes a search; the county
 * is a FIPS code as a number.
 */
export type CountyCheck = (latitude: number, longitude: number, county: number) => boolean;

interface CountyPoints {
  readonly points: readonly ZipPoint[];
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  /** By point, the distance within which there are fewer others than `compareCounty` looks at; NaN until it is asked for. */
  readonly reaches: Float64Array;
}

const checks = new WeakMap<ZipGazetteer, CountyCheck>();

/** The check of a gazetteer, for many points: what it takes is worked out once a ZIP point. */
export function countyCheckOf(gazetteer: ZipGazetteer): CountyCheck {
  const known = checks.get(gazetteer) ?? createCountyCheck(gazetteer);
  checks.set(gazetteer, known);
  return known;
}

function createCountyCheck(gazetteer: ZipGazetteer): CountyCheck {
  const byCounty = new Map<number, CountyPoints>();
  const pointsOf = (county: number): CountyPoints => {
    let found = byCounty.get(county);
    if (!found) {
      const points = gazetteer.ofCounty(String(county).padStart(5, '0'));
      found = {
        points,
        latitudes: Float64Array.from(points, ({ latitude }) => latitude),
        longitudes: Float64Array.from(points, ({ longitude }) => longitude),
        reaches: new Float64Array(points.length).fill(Number.NaN),
      };
      byCounty.set(county, found);
    }
    return found;
  };
  return (latitude, longitude, county) => {
    const { points, latitudes, longitudes, reaches } = pointsOf(county);
    // Whichever of them is near will do.
    const shrink = Math.cos((latitude * Math.PI) / 180);
    let near = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let index = 0; index < latitudes.length; index += 1) {
      const north = latitudes[index]! - latitude;
      const east = (longitudes[index]! - longitude) * shrink;
      const square = north * north + east * east;
      if (square >= least) continue;
      least = square;
      near = index;
    }
    if (near < 0) return false;
    const meters = distance(longitude, latitude, longitudes[near]!, latitudes[near]!) * 1000;
    if (Number.isNaN(reaches[near]!)) {
      // Itself is the nearest.
      const others = gazetteer.nearest(points[near]!, NEAREST_COUNT + 1);
      reaches[near] = others[NEAREST_COUNT]?.distanceMeters ?? Number.POSITIVE_INFINITY;
    }
    // Whatever is nearer to the home than this point is less than twice as far from the point.
    return meters <= MAX_DISTANCE_METERS && 2 * meters < reaches[near]!;
  };
}
