import { type Point, sphericalDistanceMeters } from '@leeward/places';
import { placeKey } from '@leeward/places/address';
import type { AddressBook, BookHouse, BookRange, BookStreet } from '../file/address-book.ts';
import { countedNumber, houseNumberOrder } from '../street/number-order.ts';

export interface StreetPart {
  /** Spelling of one of its sources. */
  readonly street: BookStreet;
  readonly houses: readonly BookHouse[];
  readonly ranges: readonly BookRange[];
  readonly first: number;
  readonly last: number;
}

/** Ranges nearer to each other, or to a house, belong to one street. */
const SAME_STREET_METERS = 400;
const METERS_PER_DEGREE = 111_195;

/**
 * Groups streets of one name into parts that are one street each. Ranges have no city: they join the city of the houses along them.
 * Distant ranges with common numbers are two streets.
 */
export function partsOf(book: AddressBook, streets: readonly BookStreet[]): readonly StreetPart[] {
  const byName = Map.groupBy(streets, ({ name, zip }) => `${name.before}|${name.suffix}|${name.behind}|${zip}`);
  return [...byName.values()].flatMap((same) => partsOfName(book, same));
}

function partsOfName(book: AddressBook, streets: readonly BookStreet[]): readonly StreetPart[] {
  const houses = streets.flatMap((street) => book.houses(street));
  const groups = [...housesByCity(houses).values()].map((some) => ({
    houses: some,
    ranges: [] as BookRange[],
  }));
  for (const ranges of clusters(streets.flatMap((street) => book.ranges(street)))) {
    const withHouses = groups.filter((group) => group.houses.length > 0);
    // With one candidate, any near house suffices.
    const enoughMeters = withHouses.length === 1 ? SAME_STREET_METERS : 0;
    const near = withHouses
      .map((group) => ({ group, meters: distanceToHouses(ranges, group.houses, enoughMeters) }))
      .toSorted((a, b) => a.meters - b.meters)[0];
    if (near !== undefined && near.meters <= SAME_STREET_METERS) near.group.ranges.push(...ranges);
    else groups.push({ houses: [], ranges: [...ranges] });
  }
  return groups.map(({ houses: some, ranges }) => {
    const numbers = [
      ...some.map(({ number }) => houseNumberOrder(number)),
      ...ranges.flatMap(({ prefix, from, to }) => [from, to].map((value) => orderOf(prefix, value))),
    ];
    return {
      street: (some.find(({ street }) => street.city !== undefined) ?? some[0] ?? ranges[0])!.street,
      houses: some,
      ranges,
      first: Math.min(...numbers),
      last: Math.max(...numbers),
    };
  });
}

/** Neighbors on each side that can determine the city of a house. */
const MAX_NEIGHBOURS = 4;

/** Groups houses by city. A house without one joins a near neighbor's. */
function housesByCity(houses: readonly BookHouse[]): ReadonlyMap<string, readonly BookHouse[]> {
  const ordered = houses.toSorted((a, b) => houseNumberOrder(a.number) - houseNumberOrder(b.number));
  const cities = ordered.map(({ street }) => placeKey(street.city ?? ''));
  const settle = (at: number, step: 1 | -1) => {
    if (cities[at] !== '') return;
    for (let count = 1; count <= MAX_NEIGHBOURS; count += 1) {
      const other = at + step * count;
      const city = cities[other];
      if (city === undefined) return;
      if (city === '' || sphericalDistanceMeters(ordered[at]!, ordered[other]!) > SAME_STREET_METERS) continue;
      cities[at] = city;
      return;
    }
  };
  for (let at = 0; at < ordered.length; at += 1) settle(at, -1);
  for (let at = ordered.length - 1; at >= 0; at -= 1) settle(at, 1);
  return Map.groupBy(ordered, (_, at) => cities[at]!);
}

export function orderOf(prefix: string, value: number): number {
  return prefix === '' ? value : houseNumberOrder(`${prefix}${value}`);
}

/** Groups ranges that are one street each: near ones, and distant ones without common numbers (an interrupted street). */
function clusters(ranges: readonly BookRange[]): readonly (readonly BookRange[])[] {
  let groups: BookRange[][] = [];
  for (const range of ranges) {
    const near = groups.filter((group) => group.some((other) => isNear(range, other)));
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), range]];
  }
  const merged: BookRange[][] = [];
  for (const group of groups.toSorted((a, b) => b.length - a.length)) {
    const continued = merged.find((other) => !countSame(group, other));
    if (continued === undefined) merged.push(group);
    else continued.push(...group);
  }
  return merged;
}

function isNear(a: BookRange, b: BookRange): boolean {
  if (a.edge === b.edge) return true;
  const ends = (range: BookRange) => [range.line[0]!, range.line.at(-1)!];
  return ends(a).some((one) => ends(b).some((other) => sphericalDistanceMeters(one, other) <= SAME_STREET_METERS));
}

function countSame(a: readonly BookRange[], b: readonly BookRange[]): boolean {
  return a.some((one) => b.some((other) => haveNumberInCommon(one, other)));
}

function haveNumberInCommon(a: BookRange, b: BookRange): boolean {
  if (a.prefix !== b.prefix || (a.parity !== b.parity && a.parity !== 'both' && b.parity !== 'both')) return false;
  return Math.min(a.from, a.to) <= Math.max(b.from, b.to) && Math.min(b.from, b.to) <= Math.max(a.from, a.to);
}

const MAX_HOUSES_COMPARED = 60;

/** Minimum distance, or any distance up to `enoughMeters`. */
function distanceToHouses(ranges: readonly BookRange[], houses: readonly BookHouse[], enoughMeters: number): number {
  const step = Math.max(1, Math.ceil(houses.length / MAX_HOUSES_COMPARED));
  const lines = ranges.map(({ line }) => ({ line, box: boxOf(line) }));
  let minMeters = Number.POSITIVE_INFINITY;
  for (let index = 0; index < houses.length; index += step) {
    const house = houses[index]!;
    for (const { line, box } of lines) {
      if (metersBeyond(box, house) >= minMeters) continue;
      minMeters = Math.min(minMeters, distanceToLine(house, line));
      if (minMeters <= enoughMeters) return minMeters;
    }
  }
  return minMeters;
}

interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

function boxOf(line: readonly Point[]): Box {
  const box = { south: 90, north: -90, west: 180, east: -180 };
  for (const { latitude, longitude } of line) {
    if (latitude < box.south) box.south = latitude;
    if (latitude > box.north) box.north = latitude;
    if (longitude < box.west) box.west = longitude;
    if (longitude > box.east) box.east = longitude;
  }
  return box;
}

/** Lower bound of the distance from a point to a box. */
function metersBeyond({ south, north, west, east }: Box, { latitude, longitude }: Point): number {
  const northward = Math.max(south - latitude, latitude - north, 0);
  const eastward = Math.max(west - longitude, longitude - east, 0) * Math.cos((latitude * Math.PI) / 180);
  return Math.max(northward, eastward) * METERS_PER_DEGREE;
}

function distanceToLine(point: Point, line: readonly Point[]): number {
  const eastward = METERS_PER_DEGREE * Math.cos((point.latitude * Math.PI) / 180);
  const place = ({ latitude, longitude }: Point) =>
    [(longitude - point.longitude) * eastward, (latitude - point.latitude) * METERS_PER_DEGREE] as const;
  let minMeters = Number.POSITIVE_INFINITY;
  for (let index = 1; index < line.length; index += 1) {
    const [[ax, ay], [bx, by]] = [place(line[index - 1]!), place(line[index]!)];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
    minMeters = Math.min(minMeters, Math.hypot(ax + share * dx, ay + share * dy));
  }
  return minMeters;
}

export function isWithin({ first, last }: StreetPart, number: string): boolean {
  const { prefix, value } = countedNumber(number);
  const order = orderOf(prefix, value);
  return order >= first && order <= last;
}
