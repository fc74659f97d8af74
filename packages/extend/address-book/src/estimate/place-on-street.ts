import { middleOf, type Point, sphericalDistanceMeters } from '@leeward/places';
import type { BookHouse } from '../file/address-book.ts';
import { houseNumberOrder } from '../street/number-order.ts';
import { usualRadiusMeters } from './usual-radius.ts';

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
/** Maximum number of records used to measure the error. */
const MAX_MEASURED = 400;
/** Allowance if only one side of the street is known: a boulevard with its gardens. */
const ACROSS_STREET_METERS = 75;

/**
 * Estimates a number's place from the recorded houses of its street. The span contains the neighbors. It is at least the greatest error
 * of estimating each other recorded number across a gap of the same width, and at least half the path through the gap. Undefined with
 * fewer than three numbers, or if the number is beyond the last one by more than half of the recorded extent.
 */
export function placeOnStreet(houses: readonly BookHouse[], number: string): PlaceOnStreet | undefined {
  const order = houseNumberOrder(number);
  const recorded = knownNumbers(houses);
  const [first, last] = [recorded[0], recorded.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (new Set(recorded.map((one) => one.order)).size < MIN_KNOWN_NUMBERS) return undefined;
  const beyond = Math.max(first.order - order, order - last.order, 0);
  if (beyond > (last.order - first.order) / 2) return undefined;

  const at = recorded.findIndex((one) => one.order >= order);
  const next = at < 0 ? recorded.length : at;
  const high = recorded[next];
  const isKnown = high?.order === order;
  const low = isKnown ? high : recorded[next - 1];
  const around = recorded.slice(Math.max(0, next - NEIGHBOURS), next + NEIGHBOURS + (isKnown ? 1 : 0));
  const center = between(low, high, order);
  const reach = Math.max(...around.map((one) => sphericalDistanceMeters(center, one)));
  const errors = measureErrors(
    recorded.slice(Math.max(0, next - MAX_MEASURED / 2), next + MAX_MEASURED / 2),
    low === undefined ? undefined : order - low.order,
    high === undefined ? undefined : high.order - order,
  );
  // Beyond the last number, only the errors limit the place.
  if (errors.length === 0 && beyond > 0) return undefined;
  const parity = Math.floor(order) % 2;
  const across = around.some((one) => Math.floor(one.order) % 2 === parity) ? 0 : ACROSS_STREET_METERS;
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  const measured = Math.max(0, ...errors);
  const rate = metersPerNumber(recorded);
  // Between two numbers the street may wind. Beyond the last one it may continue at twice the rate.
  const off =
    low === undefined || high === undefined
      ? reach + 2 * Math.max(measured, rate * beyond)
      : Math.max(reach, measured, (rate * (high.order - low.order)) / 2);
  return { ...center, spanMeters: off + across + ofSource };
}

/** The middle of a street. The span contains its houses and its widest gap. */
export function wholeStreet(houses: readonly BookHouse[]): PlaceOnStreet {
  const recorded = knownNumbers(houses);
  const { center, reachMeters } = middleOf(recorded);
  const gaps = recorded.slice(1).map((one, index) => sphericalDistanceMeters(one, recorded[index]!));
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  return { ...center, spanMeters: reachMeters + Math.max(0, ...gaps) + ofSource };
}

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

/** Errors of estimating each number without the records within `below` and `above` of it. */
function measureErrors(
  recorded: readonly KnownNumber[],
  below: number | undefined,
  above: number | undefined,
): readonly number[] {
  const errors: number[] = [];
  let lowAt = -1;
  let highAt = 0;
  for (const [index, one] of recorded.entries()) {
    if (below !== undefined) {
      while (lowAt + 1 < index && recorded[lowAt + 1]!.order <= one.order - below) lowAt += 1;
      if (lowAt < 0) continue;
    }
    if (above !== undefined) {
      highAt = Math.max(highAt, index + 1);
      while (highAt < recorded.length && recorded[highAt]!.order < one.order + above) highAt += 1;
      if (highAt >= recorded.length) break;
    }
    const estimated = between(
      below === undefined ? undefined : recorded[lowAt],
      above === undefined ? undefined : recorded[highAt],
      one.order,
    );
    errors.push(sphericalDistanceMeters(estimated, one));
  }
  return errors;
}

/** Maximum distance per number over stretches of four numbers. */
function metersPerNumber(recorded: readonly KnownNumber[]): number {
  const step = Math.min(4, recorded.length - 1);
  const rates = recorded.slice(step).map((one, index) => {
    const width = one.order - recorded[index]!.order;
    return width === 0 ? 0 : sphericalDistanceMeters(one, recorded[index]!) / width;
  });
  return Math.max(0, ...rates);
}
