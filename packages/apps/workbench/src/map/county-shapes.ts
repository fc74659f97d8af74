import type { Feature, MultiPolygon } from 'geojson';
import { dataFile } from '../address/data-file.ts';

/** TopoJSON of counties: shared lines, delta-coded. */
export interface CountyTopology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: Readonly<Record<'counties' | 'states', { readonly geometries: readonly Geometry[] }>>;
}
type Geometry = { readonly id: string } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

export type CountyShape = Feature<MultiPolygon> & { readonly id: string };

let loading: Promise<CountyTopology> | undefined;

async function load(): Promise<CountyTopology> {
  const response = await fetch(dataFile('county-shapes'));
  if (!response.ok) throw new Error(`The shapes of counties: ${response.status}`);
  return (await response.json()) as CountyTopology;
}

/** Counties whose FIPS codes start with `stateFips`; all if it is empty. After a failed load, the next call tries again. */
export async function countyShapes(stateFips: string): Promise<readonly CountyShape[]> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return shapesOf(await loading, stateFips);
}

/** Counties, or states, whose FIPS codes start with `stateFips`; all if it is empty. */
export function shapesOf(
  topology: CountyTopology,
  stateFips: string,
  objects: 'counties' | 'states' = 'counties',
): readonly CountyShape[] {
  const { geometries } = topology.objects[objects];
  return geometries.filter(({ id }) => id.startsWith(stateFips)).map((geometry) => shapeOf(topology, geometry));
}

/** The points of a shared line, in degrees. */
export function pointsOfLine({ arcs, transform }: CountyTopology, line: number): [number, number][] {
  const { scale, translate } = transform;
  let [x, y] = [0, 0];
  return arcs[line]!.map(([dx, dy]): [number, number] => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

function shapeOf(topology: CountyTopology, geometry: Geometry): CountyShape {
  const pointsOf = (line: number) =>
    line < 0 ? pointsOfLine(topology, ~line).reverse() : pointsOfLine(topology, line);
  // A line starts where the last one ends.
  const ringOf = (ring: readonly number[]) => ring.flatMap((line, index) => pointsOf(line).slice(index === 0 ? 0 : 1));
  const polygons = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
  return {
    type: 'Feature',
    id: geometry.id,
    properties: null,
    geometry: { type: 'MultiPolygon', coordinates: polygons.map((polygon) => polygon.map(ringOf)) },
  };
}
