import { CoastError } from '@leeward/coast';
import { feature, merge } from 'topojson-client';
import type { GeometryObject, Topology } from 'topojson-specification';
import { checkGeoJson, linesOfGeoJson } from './lines-of-geojson.ts';
import type { PolygonMeaning, RawLine } from './raw-lines.ts';

type PolygonObject = Extract<GeometryObject, { type: 'Polygon' | 'MultiPolygon' }>;

/** The name may be omitted for a single object. A collection of polygons, such as states, is merged to remove inner borders. */
export function linesOfTopoJson(
  topology: Topology,
  name: string,
  objectName: string | undefined,
  polygons: PolygonMeaning = 'land',
): RawLine[] {
  const names = Object.keys(topology.objects ?? {});
  const chosen = objectName ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined || !names.includes(chosen)) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: ${objectName === undefined ? 'name the object to take' : `no object ${JSON.stringify(objectName)}`}: it has ${names.join(', ')}`,
    );
  }
  const object = topology.objects[chosen]!;
  const parts = object.type === 'GeometryCollection' ? object.geometries : [object];
  const areas = parts.filter((part): part is PolygonObject => part.type === 'Polygon' || part.type === 'MultiPolygon');
  const geojson =
    areas.length === parts.length && areas.length > 1 ? merge(topology, areas) : feature(topology, object);
  checkGeoJson(geojson, `${name} (${chosen})`);
  return linesOfGeoJson(geojson, polygons);
}

export function isTopology(parsed: unknown): parsed is Topology {
  return typeof parsed === 'object' && parsed !== null && (parsed as { type?: unknown }).type === 'Topology';
}
