import { distance } from 'geokdbush';
import { states } from '../../packages/core/places/src/counties/index.ts';
import { readSourceFile } from './source-package.ts';

type Position = readonly [longitude: number, latitude: number];
type Ring = readonly number[];
interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  readonly arcs: readonly (readonly Position[])[];
  readonly objects: {
    readonly counties: {
      readonly geometries: readonly (
        | {
            readonly id: string;
            readonly properties: { readonly name: string };
            readonly type: 'Polygon';
            readonly arcs: readonly Ring[];
          }
        | {
            readonly id: string;
            readonly properties: { readonly name: string };
            readonly type: 'MultiPolygon';
            readonly arcs: readonly (readonly Ring[])[];
          }
      )[];
    };
  };
}

/** Cities that are a county, in addition to the independent cities of Virginia. */
const cityOfCounty: Readonly<Record<string, string>> = {
  '08014': 'Broomfield',
  '08031': 'Denver',
  '11001': 'Washington',
  '22071': 'New Orleans',
  '24510': 'Baltimore',
  '25019': 'Nantucket',
  '29510': 'St. Louis',
  '42101': 'Philadelphia',
};
const isCityOfVirginia = (fips: string) => fips > '51500' && fips < '52000';
const STEPS = 60;

/** Counts the cities with an outline in the county file that lie within their radius, entirely and to 95 %. */
export function measureCoverage(
  find: (
    name: string,
    state: string,
  ) => { readonly latitude: number; readonly longitude: number; readonly radiusKilometers: number } | undefined,
): { readonly measured: number; readonly whole: number; readonly most: number } {
  const { transform, arcs, objects } = JSON.parse(
    readSourceFile({
      packageName: 'us-atlas',
      version: '3.0.1',
      path: 'counties-10m.json',
      sha256: '145aaf5d1433352a6a1d8e86b5f149c7c653f9171baf14aaf75ee66575def1b0',
    }),
  ) as Topology;
  const positions = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([stepX, stepY]): Position => {
      x += stepX;
      y += stepY;
      return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
    });
  });
  const ringOf = (ring: Ring) => ring.flatMap((arc) => (arc < 0 ? positions[~arc]!.toReversed() : positions[arc]!));

  let [measured, whole, most] = [0, 0, 0];
  for (const county of objects.counties.geometries) {
    const name = isCityOfVirginia(county.id) ? county.properties.name : cityOfCounty[county.id];
    const state = states.find(({ fips }) => fips === county.id.slice(0, 2));
    const place = name === undefined || state === undefined ? undefined : find(name, state.code);
    if (place === undefined) continue;
    const rings = (county.type === 'Polygon' ? county.arcs : county.arcs.flat()).map(ringOf);
    const spacings = pointsIn(rings).map(([x, y]) => distance(x, y, place.longitude, place.latitude));
    if (spacings.length === 0) continue;
    const within = spacings.filter((spacing) => spacing <= place.radiusKilometers).length / spacings.length;
    measured += 1;
    if (within === 1) whole += 1;
    if (within >= 0.95) most += 1;
  }
  return { measured, whole, most };
}

/** The points of a grid within the rings, by the even-odd rule. */
function pointsIn(rings: readonly (readonly Position[])[]): readonly Position[] {
  const all = rings.flat();
  const [west, east] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [south, north] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const at = (low: number, high: number, step: number) => low + ((high - low) * (step + 0.5)) / STEPS;
  const grid = Array.from({ length: STEPS ** 2 }, (_, index): Position => {
    return [at(west, east, index % STEPS), at(south, north, Math.floor(index / STEPS))];
  });
  const crossings = ([x, y]: Position, ring: readonly Position[]) =>
    ring.filter(([xa, ya], index) => {
      const [xb, yb] = ring[(index + 1) % ring.length]!;
      return ya > y !== yb > y && x < xa + ((xb - xa) * (y - ya)) / (yb - ya);
    }).length;
  return grid.filter((point) => rings.reduce((sum, ring) => sum + crossings(point, ring), 0) % 2 === 1);
}
