import type { Feature, MultiPolygon } from 'geojson';
import { dataFile } from '../address/data-file.ts';

/** TopoJSON of counties: shared lines, delta-coded. */
export interface CountyTopology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  /** The page needs no states. */
  readonly objects: { readonly counties: Geometries; readonly states?: Geometries };
}
interface Geometries {
  readonly geometries: readonly Geometry[];
}
type Geometry = { readonly id: string } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

export type CountyShape = Feature<MultiPolygon> & { readonly id: string };

/** Name of the file of a state, by FIPS code; of all states if it is empty. */
export const shapesFile = (stateFips: string) => `county-shapes-${stateFips || 'us'}`;

const loading = new Map<string, Promise<readonly CountyShape[]>>();

async function load(name: string): Promise<readonly CountyShape[]> {
  const response = await fetch(dataFile(name));
  if (!response.ok) throw new Error(`The shapes of counties: ${response.status}`);
  return shapesOf((await response.json()) as CountyTopology);
}

/** Counties of the state with this FIPS code; of all states if it is empty. After a failed load, the next call tries again. */
export function countyShapes(stateFips: string): Promise<readonly CountyShape[]> {
  const name = shapesFile(stateFips);
  let shapes = loading.get(name);
  if (shapes === undefined) {
    shapes = load(name);
    loading.set(name, shapes);
    shapes.catch(() => loading.delete(name));
  }
  return shapes;
}

export function shapesOf(
  topology: CountyTopology,
  objects: 'counties' | 'states' = 'counties',
): readonly CountyShape[] {
  return (topology.objects[objects]?.geometries ?? []).map((geometry) => shapeOf(topology, geometry));
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
