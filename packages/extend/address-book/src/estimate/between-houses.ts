import { type Point, sphericalDistanceMeters } from '@leeward/places';
import type { BookHouse } from '../file/address-book.ts';
import { countedNumber } from '../street/number-order.ts';

export interface PlaceBetween extends Point {
  readonly spanMeters: number;
  readonly low: BookHouse;
  readonly high: BookHouse;
}

/** Houses farther apart do not determine the houses between them. */
const MAX_NUMBERS_APART = 100;
const MAX_METERS_APART = 600;
/** Depth of a lot: its house may be near the road or far from it. */
const DEPTH_METERS = 20;

/** Houses of one side of a street, ordered by the counted part of their numbers. */
export interface SideOfStreet {
  readonly houses: readonly { readonly house: BookHouse; readonly value: number }[];
}

/** Houses with the same prefix and parity as the number. */
export function sideOf(houses: readonly BookHouse[], number: string): SideOfStreet {
  const target = countedNumber(number);
  return {
    houses: houses
      .map((house) => ({ house, ...countedNumber(house.number) }))
      .filter(({ prefix, value }) => prefix === target.prefix && value % 2 === target.value % 2)
      .toSorted((a, b) => a.value - b.value),
  };
}

/** Position of a number between its nearest neighbors on its side; undefined if one is missing or too far. */
export function placeBetween(side: SideOfStreet, number: string): PlaceBetween | undefined {
  const { value } = countedNumber(number);
  const at = side.houses.findIndex((one) => one.value >= value);
  const [low, high] = [side.houses[at - 1], side.houses[at]];
  if (at < 1 || low === undefined || high === undefined) return undefined;
  return between(low, high, value);
}

export function between(
  low: SideOfStreet['houses'][number],
  high: SideOfStreet['houses'][number],
  value: number,
): PlaceBetween | undefined {
  if (high.value === low.value || high.value - low.value > MAX_NUMBERS_APART) return undefined;
  if (sphericalDistanceMeters(low.house, high.house) > MAX_METERS_APART) return undefined;
  const share = (value - low.value) / (high.value - low.value);
  const point = {
    latitude: low.house.latitude + (high.house.latitude - low.house.latitude) * share,
    longitude: low.house.longitude + (high.house.longitude - low.house.longitude) * share,
  };
  const reach = Math.max(sphericalDistanceMeters(point, low.house), sphericalDistanceMeters(point, high.house));
  return { ...point, spanMeters: reach + DEPTH_METERS, low: low.house, high: high.house };
}
