import { type CountyTopology, shapesFile } from '../map/county-shapes.ts';
import { projectionOfState } from '../map/projections.ts';
import { countyTopology } from './ground-cells.ts';

type Point = readonly [x: number, y: number];

/** About 1 km: a third of a pixel on the map of all states. */
const COARSE_STEP_DEGREES = 0.02;

/** The shapes of the counties of each state, and of all states that their map draws in coarser steps. */
export function countyShapeFiles(): readonly [name: string, text: string][] {
  const topology = JSON.parse(countyTopology()) as CountyTopology;
  const codes = [...new Set(topology.objects.counties.geometries.map(({ id }) => id.slice(0, 2)))].sort();
  const ofStates = codes.map((code) => [code, pickCounties(topology, (id) => id.startsWith(code))] as const);
  const all = pickCounties(topology, (id) => projectionOfState(id.slice(0, 2)) !== undefined);
  return [...ofStates, ['', coarsen(all, COARSE_STEP_DEGREES)] as const].map(([code, picked]) => [
    `${shapesFile(code)}.json`,
    JSON.stringify(picked),
  ]);
}

/** Keeps the lines of the picked counties only. */
function pickCounties(topology: CountyTopology, isPicked: (id: string) => boolean): CountyTopology {
  const numbers = new Map<number, number>();
  const renumber = (line: number): number => {
    const old = line < 0 ? ~line : line;
    const number = numbers.get(old) ?? numbers.size;
    numbers.set(old, number);
    return line < 0 ? ~number : number;
  };
  const geometries = topology.objects.counties.geometries
    .filter(({ id }) => isPicked(id))
    .map((geometry) =>
      geometry.type === 'Polygon'
        ? { ...plain(geometry), arcs: geometry.arcs.map((ring) => ring.map(renumber)) }
        : { ...plain(geometry), arcs: geometry.arcs.map((polygon) => polygon.map((ring) => ring.map(renumber))) },
    ) as CountyTopology['objects']['counties']['geometries'];
  const arcs = [...numbers.keys()].map((old) => topology.arcs[old]!);
  return { transform: topology.transform, arcs, objects: { counties: { geometries } } };
}

const plain = ({ type, id }: { readonly type: string; readonly id: string }) => ({ type, id });

/** Rounds to steps. Neighbours still share their lines. */
function coarsen(topology: CountyTopology, step: number): CountyTopology {
  const { scale, translate } = topology.transform;
  const [byX, byY] = scale.map((each) => Math.max(1, step / each)) as [number, number];
  const arcs = topology.arcs.map((arc) => {
    let [x, y, lastX, lastY] = [0, 0, 0, 0];
    return arc.flatMap(([dx, dy], at): Point[] => {
      x += dx;
      y += dy;
      const [toX, toY] = [Math.round(x / byX), Math.round(y / byY)];
      const delta: Point = [toX - lastX, toY - lastY];
      [lastX, lastY] = [toX, toY];
      return at > 0 && delta[0] === 0 && delta[1] === 0 ? [] : [delta];
    });
  });
  return { ...topology, transform: { scale: [scale[0] * byX, scale[1] * byY], translate }, arcs };
}
