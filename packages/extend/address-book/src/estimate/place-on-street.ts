import { middleOf, type Point, sphericalDistanceMeters } from '@leeward/places';
import type { BookHouse } from '../file/address-book.ts';
import { houseNumberOrder } from '../street/number-order.ts';
import { usualRadiusMeters } from './usual-radius.ts';

/** Approximate place of an unknown house on a street. */
export interface PlaceOnStreet extends Point {
  /** Distance that contains the houses of the estimate. */
  readonly spanMeters: number;
}

interface KnownNumber extends Point {
  readonly order: number;
}

/** With fewer numbers the course of a street is unknown. */
const MIN_KNOWN_NUMBERS = 3;
/** Neighbors on each side that the radius always contains. */
const NEIGHBOURS = 2;
/** Maximum number of known numbers used to measure the error. */
const MAX_MEASURED = 400;
/** Allowance if only one side of the street is known: a boulevard with its gardens. */
const ACROSS_STREET_METERS = 75;

/**
 * Estimates a number's place from the known houses of its street. The span contains the neighbors. It is at least the greatest error of
 * estimating each other known number across a gap of the same width, and at least half the path through the gap. Undefined with fewer
 * than three numbers, or if the number is farther beyond the last known one than half of the known extent.
 */
export function placeOnStreet(houses: readonly BookHouse[], number: string): PlaceOnStreet | undefined {
  const order = houseNumberOrder(number);
  const known = knownNumbers(houses);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (new Set(known.map((one) => one.order)).size < MIN_KNOWN_NUMBERS) return undefined;
  const beyond = Math.max(first.order - order, order - last.order, 0);
  if (beyond > (last.order - first.order) / 2) return undefined;

  const at = known.findIndex((one) => one.order >= order);
  const next = at < 0 ? known.length : at;
  const high = known[next];
  const isKnown = high?.order === order;
  const low = isKnown ? high : known[next - 1];
  const around = known.slice(Math.max(0, next - NEIGHBOURS), next + NEIGHBOURS + (isKnown ? 1 : 0));
  const center = between(low, high, order);
  const reach = Math.max(...around.map((one) => sphericalDistanceMeters(center, one)));
  const errors = measureErrors(
    known.slice(Math.max(0, next - MAX_MEASURED / 2), next + MAX_MEASURED / 2),
    low === undefined ? undefined : order - low.order,
    high === undefined ? undefined : high.order - order,
  );
  // Beyond the last known number nothing else limits the place.
  if (errors.length === 0 && beyond > 0) return undefined;
  const parity = Math.floor(order) % 2;
  const across = around.some((one) => Math.floor(one.order) % 2 === parity) ? 0 : ACROSS_STREET_METERS;
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  const measured = Math.max(0, ...errors);
  const rate = metersPerNumber(known);
  // Between two numbers the street may wind. Beyond the last one it may continue at twice the rate.
  const off =
    low === undefined || high === undefined
      ? reach + 2 * Math.max(measured, rate * beyond)
      : Math.max(reach, measured, (rate * (high.order - low.order)) / 2);
  return { ...center, spanMeters: off + across + ofSource };
}

/** The middle of a street. The radius contains its houses and its widest gap. */
export function wholeStreet(houses: readonly BookHouse[]): PlaceOnStreet {
  const known = knownNumbers(houses);
  const { center, reachMeters } = middleOf(known);
  const gaps = known.slice(1).map((one, index) => sphericalDistanceMeters(one, known[index]!));
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  return { ...center, spanMeters: reachMeters + Math.max(0, ...gaps) + ofSource };
}

/** Sorted by number; numbers may repeat. */
function knownNumbers(houses: readonly BookHouse[]): readonly KnownNumber[] {
  return houses
    .map(({ number, latitude, longitude }) => ({ order: houseNumberOrder(number), latitude, longitude }))
    .toSorted((a, b) => a.order - b.order);
}

function between(low: KnownNumber | undefined, high: KnownNumber | undefined, order: number): Point {
  const [from, to] = [(low ?? high)!, (high ?? low)!];
  const share = to.order === from.order ? 0 : (order - from.order) / (to.order - from.order);
  const along = (a: number, b: number) => a + (b - a) * share;
  return { latitude: along(from.latitude, to.latitude), longitude: along(from.longitude, to.longitude) };
}

/** Errors of estimating each known number if nothing within `below` and `above` of it is known. */
function measureErrors(
  known: readonly KnownNumber[],
  below: number | undefined,
  above: number | undefined,
): readonly number[] {
  const errors: number[] = [];
  let lowAt = -1;
  let highAt = 0;
  for (const [index, one] of known.entries()) {
    if (below !== undefined) {
      while (lowAt + 1 < index && known[lowAt + 1]!.order <= one.order - below) lowAt += 1;
      if (lowAt < 0) continue;
    }
    if (above !== undefined) {
      highAt = Math.max(highAt, index + 1);
      while (highAt < known.length && known[highAt]!.order < one.order + above) highAt += 1;
      if (highAt >= known.length) break;
    }
    const reckoned = between(
      below === undefined ? undefined : known[lowAt],
      above === undefined ? undefined : known[highAt],
      one.order,
    );
    errors.push(sphericalDistanceMeters(reckoned, one));
  }
  return errors;
}

/** Maximum distance per number over stretches of four known numbers. */
function metersPerNumber(known: readonly KnownNumber[]): number {
  const step = Math.min(4, known.length - 1);
  const rates = known.slice(step).map((one, index) => {
    const width = one.order - known[index]!.order;
    return width === 0 ? 0 : sphericalDistanceMeters(one, known[index]!) / width;
  });
  return Math.max(0, ...rates);
}
