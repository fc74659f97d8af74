import { createRequire } from 'node:module';
import { bbox, bboxPolygon, booleanIntersects, difference, featureCollection } from '@turf/turf';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** West, south, east, north in degrees. */
export type Box = readonly [number, number, number, number];

/** Galveston County, Texas, with all of its bay and the Gulf before it. */
export const GALVESTON: Box = [-95.3, 28.9, -94.35, 29.85];

/**
 * Returns the water of a box as polygons with the attributes of TIGER/Line AREAWATER: the box minus the Census Bureau's
 * county outlines (us-atlas 10m, in the public domain, cut at the shore). Bays and Gulf are H2051. Beyond the box lies
 * H2053, as beyond a county's limit, so that the box's border is not a shore. The outlines are generalized: accurate to
 * about a kilometre.
 */
export function countyWater(box: Box): string {
  const atlas = createRequire(import.meta.url)('us-atlas/counties-10m.json') as Topology<{
    counties: GeometryCollection;
  }>;
  const frame = bboxPolygon([...box]);
  const counties = feature(atlas, atlas.objects.counties).features as Feature<Polygon | MultiPolygon>[];
  const near = counties.filter((county) => {
    const [west, south, east, north] = bbox(county);
    return west < box[2] && east > box[0] && south < box[3] && north > box[1] && booleanIntersects(county, frame);
  });
  const water = difference(featureCollection([frame, ...near]));
  if (water === null) throw new Error('There is no water in this box.');
  const polygons = water.geometry.type === 'Polygon' ? [water.geometry.coordinates] : water.geometry.coordinates;
  const features = polygons.map((coordinates) => waterFeature('H2051', coordinates));
  for (const [ring = []] of polygons) {
    for (let at = 0; at + 1 < ring.length; at++) {
      const beyond = beyondBorder(ring[at]!, ring[at + 1]!, box);
      if (beyond) features.push(waterFeature('H2053', [[ring[at]!, ring[at + 1]!, beyond, ring[at]!]]));
    }
  }
  return JSON.stringify(featureCollection(features));
}

function waterFeature(code: string, coordinates: Position[][]): Feature<Polygon> {
  return {
    type: 'Feature',
    properties: { FULLNAME: '', MTFCC: code },
    geometry: { type: 'Polygon', coordinates },
  };
}

/** A place outside the box, if both ends lie on one side of it. */
function beyondBorder([ax, ay]: Position, [bx, by]: Position, [west, south, east, north]: Box): Position | undefined {
  const middle = [(ax! + bx!) / 2, (ay! + by!) / 2] as const;
  if (ax === west && bx === west) return [west - 0.01, middle[1]];
  if (ax === east && bx === east) return [east + 0.01, middle[1]];
  if (ay === south && by === south) return [middle[0], south - 0.01];
  if (ay === north && by === north) return [middle[0], north + 0.01];
  return undefined;
}
