import { CoastError } from '@leeward/coast';
import type { Feature, FeatureCollection } from 'geojson';
import { open } from 'shapefile';
import { checkBytes } from '../check-bytes.ts';
import { checkGeoJson } from '../lines-of-geojson.ts';
import { isShapefile } from '../lines-of-shapefile.ts';

/** In degrees: a `.shp` with its `.dbf`, or GeoJSON. */
export interface FeatureFile {
  /** For messages, usually the file's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The `.dbf`, required with a `.shp`. */
  readonly attributes?: Uint8Array;
  /** The `.prj` of a `.shp`. @default degrees on WGS84 */
  readonly projection?: Uint8Array;
}

/** Throws `invalid_shoreline`, naming the file. */
export async function readFeatures(file: FeatureFile): Promise<Feature[]> {
  checkBytes(file);
  return isShapefile(file.bytes) ? featuresOfShapefile(file) : featuresOfGeoJson(file);
}

async function featuresOfShapefile({ name, bytes, attributes }: FeatureFile): Promise<Feature[]> {
  if (attributes === undefined) {
    throw new CoastError('invalid_shoreline', `${name}: the attributes are missing; give the .dbf of this .shp too`);
  }
  const features: Feature[] = [];
  try {
    const source = await open(bytes, attributes);
    for (let record = await source.read(); !record.done; record = await source.read()) features.push(record.value);
  } catch (error) {
    throw new CoastError('invalid_shoreline', `${name}: not a readable shapefile (${messageOf(error)})`);
  }
  for (const [index, { geometry }] of features.entries()) {
    if (geometry !== null) checkGeoJson(geometry, `${name} record ${index + 1}`);
  }
  return features;
}

function featuresOfGeoJson({ name, bytes }: FeatureFile): Feature[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new CoastError('invalid_shoreline', `${name}: neither a shapefile nor JSON (${messageOf(error)})`);
  }
  const collection = parsed as Partial<FeatureCollection> | null;
  if (collection?.type !== 'FeatureCollection' || !Array.isArray(collection.features)) {
    throw new CoastError('invalid_shoreline', `${name}: expected a GeoJSON FeatureCollection with attributes`);
  }
  checkGeoJson(collection, name);
  return collection.features.filter((feature) => feature?.type === 'Feature');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
