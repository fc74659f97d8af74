import type { Feature, MultiPolygon } from 'geojson';
import { dataFile } from '../address/data-file.ts';

/** TopoJSON: shared lines, delta-coded. */
interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: { readonly counties: { readonly geometries: readonly Geometry[] } };
}
type Geometry = { readonly id: string } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

export type CountyShape = Feature<MultiPolygon> & { readonly id: string };

let loading: Promise<Topology> | undefined;

async function load(): Promise<Topology> {
  const response = await fetch(dataFile('county-shapes'));
  if (!response.ok) throw new Error(`The shapes of counties: ${response.status}`);
  return (await response.json()) as Topology;
}

/** Counties whose FIPS codes start with `stateFips`; all if it is empty. After a failed load, the next call tries again. */
export async function countyShapes(stateFips: string): Promise<readonly CountyShape[]> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const topology = await loading;
  const { geometries } = topology.objects.counties;
  return geometries.filter(({ id }) => id.startsWith(stateFips)).map((geometry) => shapeOf(topology, geometry));
}

function shapeOf({ arcs, transform }: Topology, geometry: Geometry): CountyShape {
  const { scale, translate } = transform;
  const pointsOf = (place: number): [number, number][] => {
    let [x, y] = [0, 0];
    const points = arcs[place < 0 ? ~place : place]!.map(([dx, dy]): [number, number] => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
    return place < 0 ? points.reverse() : points;
  };
  // A line starts where the last one ends.
  const ringOf = (ring: readonly number[]) => ring.flatMap((arc, index) => pointsOf(arc).slice(index === 0 ? 0 : 1));
  const polygons = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
  return {
    type: 'Feature',
    id: geometry.id,
    properties: null,
    geometry: { type: 'MultiPolygon', coordinates: polygons.map((polygon) => polygon.map(ringOf)) },
  };
}
