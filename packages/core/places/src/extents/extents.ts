import { ByteReader } from '../byte-reader.ts';
import { bytesOfBase64 } from '../bytes-of-base64.ts';
import { replacedCodes } from '../counties/aliases.ts';
import { countiesOf, countyByFips } from '../counties/find-counties.ts';
import { packedExtents } from './extents.generated.ts';

/** A convex shape around a county. */
export interface CountyExtent {
  /**
   * Corners, counter-clockwise, as [longitude, latitude] in degrees: up to eight. West of the antimeridian, longitudes
   * may be below -180.
   */
  readonly corners: readonly (readonly [longitude: number, latitude: number])[];
  /** True if the county touches every side. False for counties that are newer than the source: the shape contains them. */
  readonly isTight: boolean;
}

/** Numbers in hundredths of a degree. `cuts`: the corners that the county does not reach, north-east first, clockwise. */
interface Octagon {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly cuts: readonly [northEast: number, southEast: number, southWest: number, northWest: number];
}

let octagons: ReadonlyMap<string, Octagon> | undefined;
const extents = new Map<string, CountyExtent | undefined>();

/**
 * Returns an octagon around a county, from the Census Bureau's boundaries of 2017, rounded outwards to a hundredth of a
 * degree. Undefined for an unknown code.
 * @example
 * countyExtent('12086')?.corners.length; // 8
 */
export function countyExtent(fips: string): CountyExtent | undefined {
  if (extents.has(fips)) return extents.get(fips);
  octagons ??= unpack();
  const own = octagons.get(fips);
  const extent = own ? extentOf(own, true) : countyByFips(fips) && extentOfNewCounty(fips);
  extents.set(fips, extent);
  return extent;
}

/** A county that is newer than the source is in the county that it replaces, else in its state. */
function extentOfNewCounty(fips: string): CountyExtent | undefined {
  const replaced = [...replacedCodes].flatMap(([old, now]) => (now.includes(fips) ? [octagons!.get(old)] : []));
  const { state } = countyByFips(fips)!;
  const around = replaced.some(Boolean) ? replaced : countiesOf(state).map((county) => octagons!.get(county.fips));
  const shapes = around.filter((each) => each !== undefined);
  return shapes.length === 0 ? undefined : extentOf(shapes.reduce(unite), false);
}

function unite(a: Octagon, b: Octagon): Octagon {
  const [west, south] = [Math.min(a.west, b.west), Math.min(a.south, b.south)];
  const [east, north] = [Math.max(a.east, b.east), Math.max(a.north, b.north)];
  const cut = (corner: number, reach: (of: Octagon) => number) => corner - Math.max(reach(a), reach(b));
  return {
    west,
    south,
    east,
    north,
    cuts: [
      cut(east + north, (of) => of.east + of.north - of.cuts[0]),
      cut(east - south, (of) => of.east - of.south - of.cuts[1]),
      cut(-west - south, (of) => -of.west - of.south - of.cuts[2]),
      cut(-west + north, (of) => -of.west + of.north - of.cuts[3]),
    ],
  };
}

function extentOf({ west, south, east, north, cuts }: Octagon, isTight: boolean): CountyExtent {
  const [northEast, southEast, southWest, northWest] = cuts;
  const all: readonly (readonly [number, number])[] = [
    [east, south + southEast],
    [east, north - northEast],
    [east - northEast, north],
    [west + northWest, north],
    [west, north - northWest],
    [west, south + southWest],
    [west + southWest, south],
    [east - southEast, south],
  ];
  const corners = all.filter(([x, y], index) => {
    const [beforeX, beforeY] = all[(index + 7) % 8]!;
    return x !== beforeX || y !== beforeY;
  });
  return { corners: corners.map(([x, y]) => [x / 100, y / 100]), isTight };
}

function unpack(): ReadonlyMap<string, Octagon> {
  const reader = new ByteReader(bytesOfBase64(packedExtents));
  const result = new Map<string, Octagon>();
  let [fips, west, south] = [0, 0, 0];
  for (let left = reader.unsigned(); left > 0; left -= 1) {
    fips += reader.unsigned();
    west += reader.signed();
    south += reader.signed();
    const [east, north] = [west + reader.unsigned(), south + reader.unsigned()];
    const cuts = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()] as const;
    result.set(String(fips).padStart(5, '0'), { west, south, east, north, cuts });
  }
  return result;
}
