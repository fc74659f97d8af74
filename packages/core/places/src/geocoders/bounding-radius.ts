import { sphericalDistanceMeters } from '../point/point.ts';
import { asList, asNumber } from './json-value.ts';

export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Four numbers of a list, in the order given by their names. */
export function readBox(value: unknown, order: readonly [keyof Box, keyof Box, keyof Box, keyof Box]): Box | undefined {
  const numbers = asList(value)?.map(asNumber);
  if (numbers?.length !== 4 || numbers.some((number) => number === undefined)) return undefined;
  const box = { south: 0, west: 0, north: 0, east: 0 };
  for (const [index, name] of order.entries()) box[name] = numbers[index]!;
  return box;
}

/** Half the diagonal of a box, in meters: how far the home may be from its middle. At least `least`, also without a box. */
export function boundingRadius(box: Box | undefined, least: number): number {
  if (box === undefined) return least;
  const diagonal = sphericalDistanceMeters(
    { latitude: box.south, longitude: box.west },
    { latitude: box.north, longitude: box.east },
  );
  return Math.max(least, Math.ceil(diagonal / 2));
}
