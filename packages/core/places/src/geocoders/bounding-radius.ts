import { sphericalDistanceMeters } from '../point/point.ts';
import { asList, asNumber } from './json-value.ts';

export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export function readBox(value: unknown, order: readonly [keyof Box, keyof Box, keyof Box, keyof Box]): Box | undefined {
  const numbers = asList(value)?.map(asNumber);
  if (numbers?.length !== 4 || numbers.some((number) => number === undefined)) return undefined;
  const box = { south: 0, west: 0, north: 0, east: 0 };
  for (const [index, name] of order.entries()) box[name] = numbers[index]!;
  return box;
}

/** Half the diagonal of a box: the maximum distance of the home from its middle. Never below `min`. */
export function boundingRadius(box: Box | undefined, min: number): number {
  if (box === undefined) return min;
  const diagonal = sphericalDistanceMeters(
    { latitude: box.south, longitude: box.west },
    { latitude: box.north, longitude: box.east },
  );
  return Math.max(min, Math.ceil(diagonal / 2));
}
