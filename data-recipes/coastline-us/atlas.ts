import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type LineSet, LineSetBuilder } from './line-set.ts';

interface Topology {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Geometry[] }>>;
}

type Geometry = { readonly id?: string; readonly properties?: { readonly name?: string } } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] }
);

const UNITED_STATES = new Set(['840', '630', '850', '316', '580', '016', '581']);

/** Outlines of countries: Census for the United States (us-atlas), Natural Earth for the rest (world-atlas). */
export function readAtlas(): { readonly unitedStates: LineSet; readonly others: LineSet } {
  const states = readTopology('us-atlas/states-10m.json');
  const world = readTopology('world-atlas/countries-10m.json');
  const unitedStates = new LineSetBuilder();
  addOutlines(unitedStates, states, states.objects['states']!.geometries);
  const isAmerican = (geometry: Geometry): boolean => UNITED_STATES.has(geometry.id ?? '');
  addOutlines(
    unitedStates,
    world,
    world.objects['countries']!.geometries.filter((g) => g.id === '581'),
  );
  const others = new LineSetBuilder();
  addOutlines(
    others,
    world,
    world.objects['countries']!.geometries.filter((g) => !isAmerican(g)),
  );
  return { unitedStates: unitedStates.finish(), others: others.finish() };
}

function readTopology(name: string): Topology {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(name), 'utf8')) as Topology;
}

/** Rings reversed so that land is on their left (TopoJSON keeps shapefile order). */
function addOutlines(lines: LineSetBuilder, topology: Topology, geometries: readonly Geometry[]): void {
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]): [number, number] => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  for (const geometry of geometries) {
    const polygons = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
    for (const ring of polygons.flat()) {
      const positions = ring.flatMap((index, i) => {
        const arc = index < 0 ? [...arcs[~index]!].reverse() : arcs[index]!;
        return i === 0 ? arc : arc.slice(1);
      });
      for (const [longitude, latitude] of positions.reverse()) lines.addVertex(longitude, latitude);
      lines.endLine();
    }
  }
}
