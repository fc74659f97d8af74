import { type Point, sphericalDistanceMeters } from '@leeward/places';
import type { BookHouse } from '../file/address-book.ts';
import { countedNumber } from '../street/number-order.ts';

/** A place between two known houses of the same side. */
export interface PlaceBetween extends Point {
  readonly spanMeters: number;
  readonly low: BookHouse;
  readonly high: BookHouse;
}

/** Farther apart than this, in numbers or meters, two houses tell of the street but not of the houses between. */
const MAX_NUMBERS_APART = 100;
const MAX_METERS_APART = 600;
/** A lot's depth: houses stand nearer to the road or farther from it. */
const DEPTH_METERS = 20;

/** The known houses of one side of a street, in the order of their numbers, and what counts in each. */
export interface SideOfStreet {
  readonly houses: readonly { readonly house: BookHouse; readonly value: number }[];
}

/** The side that a number would stand on: houses with the same prefix and parity. */
export function sideOf(houses: readonly BookHouse[], number: string): SideOfStreet {
  const asked = countedNumber(number);
  return {
    houses: houses
      .map((house) => ({ house, ...countedNumber(house.number) }))
      .filter(({ prefix, value }) => prefix === asked.prefix && value % 2 === asked.value % 2)
      .toSorted((a, b) => a.value - b.value),
  };
}

/** Where a number stands between its nearest known neighbours on its side; undefined without a neighbour on each hand, near enough. */
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
