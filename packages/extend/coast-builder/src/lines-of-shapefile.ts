import { CoastError } from '@leeward/coast';
import type { GeoJSON } from 'geojson';
import { openShp } from 'shapefile';
import { checkGeoJson, linesOfGeoJson } from './lines-of-geojson.ts';
import type { PolygonMeaning, RawLine } from './raw-lines.ts';

/** In degrees. */
export async function linesOfShapefile(
  bytes: Uint8Array,
  name: string,
  polygons: PolygonMeaning = 'land',
): Promise<RawLine[]> {
  const geometries: GeoJSON[] = [];
  try {
    const source = await openShp(bytes);
    for (let record = await source.read(); !record.done; record = await source.read()) geometries.push(record.value);
  } catch (error) {
    throw new CoastError(
      'invalid_shoreline',
      `${name}: not a readable shapefile (${error instanceof Error ? error.message : error})`,
    );
  }
  const lines: RawLine[] = [];
  for (const [index, geometry] of geometries.entries()) {
    checkGeoJson(geometry, `${name} record ${index + 1}`);
    for (const line of linesOfGeoJson(geometry, polygons)) lines.push(line);
  }
  return lines;
}

/** Begins with 9994, big-endian. */
export function isShapefile(bytes: Uint8Array): boolean {
  return bytes.length >= 100 && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0x27 && bytes[3] === 0x0a;
}
