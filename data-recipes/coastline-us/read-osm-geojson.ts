import { readFileSync } from 'node:fs';
import { type LineSet, LineSetBuilder } from './line-set.ts';

interface PolygonCollection {
  readonly geometries: readonly { readonly type: string; readonly coordinates: readonly (readonly Position[])[][] }[];
}
type Position = readonly [number, number];

/** Rings of a file of `@geo-maps` (rivers; the coastline of 2017) that touch one of the boxes, their inside on the left. */
export function readOsmGeoJson(path: string, touches: (longitude: number, latitude: number) => boolean): LineSet {
  const collection = JSON.parse(readFileSync(path, 'utf8')) as PolygonCollection;
  const lines = new LineSetBuilder();
  for (const geometry of collection.geometries) {
    if (geometry.type !== 'MultiPolygon') throw new Error(`Expected MultiPolygon, found ${geometry.type}.`);
    for (const polygon of geometry.coordinates) {
      polygon.forEach((ring, index) => {
        if (!ring.some(([longitude, latitude]) => touches(longitude, latitude))) return;
        // Inside an outer ring (counterclockwise), outside a hole (clockwise).
        const isOuter = index === 0;
        const ordered = planarArea(ring) > 0 === isOuter ? ring : [...ring].reverse();
        for (const [longitude, latitude] of ordered) lines.addVertex(longitude, latitude);
        lines.endLine();
      });
    }
  }
  return lines.finish();
}

function planarArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) sum += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return sum;
}
