import { CoastError } from '../coast-error.ts';
import type { EarthLines } from '../shoreline/earth-lines.ts';
import { VarintReader, VarintWriter } from './varint.ts';

/** The place of a region in the file, and a summary of its lines for searches that do not read them. */
export interface ShorelineRegion {
  readonly lines: number;
  readonly vertices: number;
  /** Lengths of its lines, marks and steps. */
  readonly bytes: readonly [number, number, number];
  /** Longitude and latitude of the vertex before its first one, in steps. */
  readonly origin: readonly [number, number];
  /** After long segments are divided. */
  readonly earthVertices: number;
  /** Segments of a line with equal layers, one or more, in a row. */
  readonly stretches: number;
  /** Minimum x, y, z, maximum x, y, z of its segments with a layer, in earth-centred units. */
  readonly box: readonly number[];
  /** Layers of its segments, in ascending order, without 0. */
  readonly masks: readonly number[];
}

export type RegionShape = Pick<ShorelineRegion, 'earthVertices' | 'stretches' | 'box' | 'masks'>;

export function shapeOf({ vertices, layers }: EarthLines): RegionShape {
  const box = [0, 0, 0, 0, 0, 0];
  const masks = new Set<number>();
  let stretches = 0;
  let last = 0;
  for (let vertex = 0; vertex < layers.length; vertex++) {
    const mask = layers[vertex]!;
    if (mask !== 0) {
      if (mask !== last) stretches++;
      if (masks.size === 0) for (let axis = 0; axis < 6; axis++) box[axis] = vertices[vertex * 3 + (axis % 3)]!;
      masks.add(mask);
      for (let number = 0; number < 6; number++) {
        const value = vertices[vertex * 3 + number]!;
        const axis = number % 3;
        if (value < box[axis]!) box[axis] = value;
        if (value > box[axis + 3]!) box[axis + 3] = value;
      }
    }
    last = mask;
  }
  return { earthVertices: layers.length, stretches, box, masks: [...masks].sort((one, other) => one - other) };
}

export function writeRegions(regions: readonly ShorelineRegion[]): Uint8Array<ArrayBuffer> {
  const writer = new VarintWriter();
  writer.unsigned(regions.length);
  for (const { lines, vertices, bytes, origin, earthVertices, stretches, box, masks } of regions) {
    for (const number of [lines, vertices, ...bytes]) writer.unsigned(number);
    for (const number of origin) writer.signed(number);
    for (const number of [earthVertices, stretches]) writer.unsigned(number);
    for (const number of box) writer.signed(number);
    for (const number of [masks.length, ...masks]) writer.unsigned(number);
  }
  return writer.bytes();
}

export function readRegions(bytes: Uint8Array): ShorelineRegion[] {
  const reader = new VarintReader(bytes);
  const regions: ShorelineRegion[] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    const [lines, vertices] = [reader.unsigned(), reader.unsigned()];
    const lengths: [number, number, number] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
    const origin: [number, number] = [reader.signed(), reader.signed()];
    const [earthVertices, stretches] = [reader.unsigned(), reader.unsigned()];
    const box: number[] = [];
    for (let number = 0; number < 6; number++) box.push(reader.signed());
    const masks: number[] = [];
    for (let mask = reader.unsigned(); mask > 0; mask--) masks.push(reader.unsigned());
    regions.push({ lines, vertices, bytes: lengths, origin, earthVertices, stretches, box, masks });
  }
  if (!reader.isAtEnd) throw new CoastError('corrupt_file', 'a compact shoreline with bytes after its regions');
  return regions;
}
