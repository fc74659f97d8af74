import { CoastError } from '@leeward/coast';
import type { Feature, FeatureCollection } from 'geojson';
import { open } from 'shapefile';

/** A file of features with attributes: the `.shp` of a shapefile with its `.dbf`, or GeoJSON. In degrees. */
export interface FeatureFile {
  /** For messages: usually the file's name. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The `.dbf` beside a `.shp`: the attributes. */
  readonly attributes?: Uint8Array;
}

/** All features of a file. Throws `invalid_shoreline`, naming the file, if it is none. */
export async function readFeatures(file: FeatureFile): Promise<Feature[]> {
  return isShapefile(file.bytes) ? featuresOfShapefile(file) : featuresOfGeoJson(file);
}

/** Big-endian 9994, with which every `.shp` begins. */
function isShapefile(bytes: Uint8Array): boolean {
  return bytes.length >= 100 && bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0x27 && bytes[3] === 0x0a;
}

async function featuresOfShapefile({ name, bytes, attributes }: FeatureFile): Promise<Feature[]> {
  if (attributes === undefined) {
    throw new CoastError('invalid_shoreline', `${name}: its attributes decide what is shore; give the .dbf beside it`);
  }
  const features: Feature[] = [];
  try {
    const source = await open(bytes, attributes);
    for (let record = await source.read(); !record.done; record = await source.read()) features.push(record.value);
  } catch (error) {
    throw new CoastError('invalid_shoreline', `${name}: not a readable shapefile (${messageOf(error)})`);
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
  return collection.features.filter((feature) => feature?.type === 'Feature');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
