import { middleOf, type Point, sphericalDistanceMeters } from '@leeward/places';
import type { BookHouse } from '../file/address-book.ts';
import { houseNumberOrder } from '../street/number-order.ts';
import { usualRadiusMeters } from './usual-radius.ts';

/** About where on a street a house stands that is not known. */
export interface PlaceOnStreet extends Point {
  /** Holds what the place was reckoned from. */
  readonly spanMeters: number;
}

interface KnownNumber extends Point {
  readonly order: number;
}

/** Fewer numbers tell nothing of how a street runs. */
const MIN_KNOWN_NUMBERS = 3;
/** Known numbers on each side whose points the radius holds in any case. */
const NEIGHBOURS = 2;
/** So many known numbers around are left out in turn to measure the error. */
const MAX_MEASURED = 400;
/** Where only one side of the street is known, the other may be as far as this: a boulevard with its gardens. */
const ACROSS_STREET_METERS = 75;

/**
 * Where the known houses of one street say that a number stands. The span is measured on the street itself: it holds the
 * known neighbours, and is no less than the greatest error made when a gap of the same width is laid around each other known
 * number in turn, and than the street can wind in the gap. Undefined where the street tells too little: fewer than three
 * numbers, or the number lies farther beyond the last known one than half of what is known.
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
  // Beyond the last known number nothing else bounds the place.
  if (errors.length === 0 && beyond > 0) return undefined;
  const parity = Math.floor(order) % 2;
  const across = around.some((one) => Math.floor(one.order) % 2 === parity) ? 0 : ACROSS_STREET_METERS;
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  const measured = Math.max(0, ...errors);
  const rate = metersPerNumber(known);
  // Between two known numbers the street may wind; past the last one nothing holds it back, so it may run on twice as fast.
  const off =
    low === undefined || high === undefined
      ? reach + 2 * Math.max(measured, rate * beyond)
      : Math.max(reach, measured, (rate * (high.order - low.order)) / 2);
  return { ...center, spanMeters: off + across + ofSource };
}

/** The middle of a street, with a radius that holds its known houses and beyond them as much as its widest known gap. */
export function wholeStreet(houses: readonly BookHouse[]): PlaceOnStreet {
  const known = knownNumbers(houses);
  const { center, reachMeters } = middleOf(known);
  const gaps = known.slice(1).map((one, index) => sphericalDistanceMeters(one, known[index]!));
  const ofSource = Math.max(...houses.map(usualRadiusMeters));
  return { ...center, spanMeters: reachMeters + Math.max(0, ...gaps) + ofSource };
}

/** In the order of the street; a number may stand there more than once. */
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

/** How far off each known number is reckoned if nothing nearer is known than `below` it and `above` it. */
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

/** The most meters that the street takes for a number, over stretches of four known ones. */
function metersPerNumber(known: readonly KnownNumber[]): number {
  const step = Math.min(4, known.length - 1);
  const rates = known.slice(step).map((one, index) => {
    const width = one.order - known[index]!.order;
    return width === 0 ? 0 : sphericalDistanceMeters(one, known[index]!) / width;
  });
  return Math.max(0, ...rates);
}
