import type { DatabaseSync } from 'node:sqlite';
import { type Point, sphericalDistanceMeters } from '@leeward/places';
import type { ZipGazetteer } from '@leeward/places/zips';
import { type AddressBook, type BookHouse, type BookRange, bookOf } from '../file/address-book.ts';
import {
  type EstimateMethod,
  type MeasuredRadius,
  MIN_SAMPLES,
  type Setting,
  type Size,
  settingOf,
  sizeOf,
} from '../file/radius-table.ts';
import { countedNumber } from '../street/number-order.ts';
import { between, sideOf } from './between-houses.ts';
import { placeOnRange } from './place-on-range.ts';
import { placeOnStreet } from './place-on-street.ts';
import { holdsNumber } from './range-point.ts';

/** The error of estimating a recorded house without its record. */
export interface RadiusSample {
  readonly method: EstimateMethod;
  readonly setting: Setting;
  readonly spanMeters: number;
  readonly errorMeters: number;
}

/** Errors of estimates on one book, by method, setting and span. */
export interface RadiusMeasurement extends MeasuredRadius {
  readonly medianErrorMeters: number;
  readonly errorMeters95: number;
  /** Fraction of one half of the samples within a radius fitted on the other half. */
  readonly coverage: number;
}

/**
 * Fraction of recorded houses within the radius. Unrecorded houses have slightly larger errors, in wider gaps and at the ends of blocks,
 * so the radius contains about 95 % of them.
 */
const HELD_SHARE = 0.97;
const MAX_STREETS = 1_500;
/** Neighbors left out on each side, to measure gaps of several widths. */
const leftOut = [1, 2, 4] as const;
const MAX_HOUSES_A_STREET = 60;
const MAX_STREET_ESTIMATES = 4;

/**
 * Estimates recorded houses without their records, by all three methods.
 *
 * @example
 * summarizeRadii(sampleRadii(book, zips));
 */
export function sampleRadii(book: AddressBook, zips: ZipGazetteer): readonly RadiusSample[] {
  const samples: RadiusSample[] = [];
  for (const street of book.sampleStreets(MAX_STREETS)) {
    const houses = book
      .houses(street)
      .filter(({ kind }) => kind !== 'interpolated')
      .slice(0, 2_000);
    if (houses.length === 0) continue;
    const setting = settingOf(street.zip === undefined ? undefined : zips.find(street.zip)?.errorRadiusMeters);
    const add = (method: EstimateMethod, spanMeters: number, from: Point, to: Point) =>
      samples.push({ method, setting, spanMeters, errorMeters: sphericalDistanceMeters(from, to) });
    for (const parity of [0, 1]) {
      const some = houses.find(({ number }) => countedNumber(number).value % 2 === parity);
      if (some === undefined) continue;
      const side = sideOf(houses, some.number).houses;
      const step = Math.max(1, Math.ceil(side.length / MAX_HOUSES_A_STREET));
      for (let index = 0; index < side.length; index += step) {
        const count = leftOut[(index / step) % leftOut.length]!;
        const [low, one, high] = [side[index - count], side[index]!, side[index + count]];
        if (low === undefined || high === undefined || low.value >= one.value || high.value <= one.value) continue;
        const place = between(low, high, one.value);
        if (place !== undefined) add('between', place.spanMeters, place, one.house);
      }
    }
    for (let turn = 0; turn < MAX_STREET_ESTIMATES; turn += 1) {
      const one = houses[Math.floor(((turn + 0.5) * houses.length) / MAX_STREET_ESTIMATES)];
      if (one === undefined) continue;
      const place = placeOnStreet(without(houses, one, turn), one.number);
      if (place !== undefined) add('street', place.spanMeters, place, one);
    }
    const ranges = rangesBeside(book, houses[0]!);
    if (ranges.length === 0) continue;
    const step = Math.max(1, Math.ceil(houses.length / MAX_HOUSES_A_STREET));
    for (let index = 0; index < houses.length; index += step) {
      const house = houses[index]!;
      const counted = countedNumber(house.number);
      const holding = ranges.filter((range) => holdsNumber(range, counted));
      // Two ranges are two streets of one name, or a duplicate: ambiguous.
      if (holding.length !== 1) continue;
      const place = placeOnRange(holding[0]!, counted.value);
      add('range', place.spanMeters, place, house);
    }
  }
  return samples;
}

function rangesBeside(book: AddressBook, { street }: BookHouse): readonly BookRange[] {
  if (street.zip === undefined) return [];
  const { before, core, suffix, behind } = street.name;
  return book
    .streets({ core, state: street.state, zip: street.zip })
    .filter(({ name }) => name.before === before && name.suffix === suffix && name.behind === behind)
    .flatMap((each) => book.ranges(each));
}

/** Every second time also without the neighbors, which may be missing too. */
function without(houses: readonly BookHouse[], left: BookHouse, turn: number): readonly BookHouse[] {
  const { value } = countedNumber(left.number);
  const reach = turn % 2 === 0 ? 0 : 12;
  return houses.filter(
    ({ number }) => number !== left.number && Math.abs(countedNumber(number).value - value) >= reach,
  );
}

/**
 * Summarizes samples by method, setting and span.
 *
 * @example
 * summarizeRadii(sampleRadii(book, zips)).map(({ method, errorMeters95 }) => [method, errorMeters95]);
 */
export function summarizeRadii(samples: readonly RadiusSample[]): readonly RadiusMeasurement[] {
  const groups = Map.groupBy(
    samples,
    ({ method, setting, spanMeters }) => `${method} ${setting} ${sizeOf(spanMeters)}`,
  );
  return [...groups]
    .map(([key, group]): RadiusMeasurement => {
      const [method, setting, size] = key.split(' ') as [EstimateMethod, Setting, Size];
      const ratios = group.map(({ errorMeters, spanMeters }) => errorMeters / spanMeters);
      const errors = group.map(({ errorMeters }) => errorMeters);
      const fitted = quantile(
        ratios.filter((_, index) => index % 2 === 0),
        HELD_SHARE,
      );
      const heldRatios = ratios.filter((_, index) => index % 2 === 1);
      return {
        method,
        setting,
        size,
        samples: group.length,
        factor: quantile(ratios, HELD_SHARE),
        medianErrorMeters: quantile(errors, 0.5),
        errorMeters95: quantile(errors, 0.95),
        coverage:
          heldRatios.length === 0
            ? Number.NaN
            : heldRatios.filter((ratio) => ratio <= fitted).length / heldRatios.length,
      };
    })
    .toSorted((a, b) => `${a.method}${a.setting}${a.size}`.localeCompare(`${b.method}${b.setting}${b.size}`));
}

/** Split conformal quantile: one more sample exceeds it with a probability of at most 1 - share. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length + 1) * share) - 1)] ?? 0;
}

/** Measures a book and stores the groups with enough samples. */
export function measureRadii(database: DatabaseSync, zips: ZipGazetteer): void {
  const measured = summarizeRadii(sampleRadii(bookOf(database), zips)).filter(({ samples }) => samples >= MIN_SAMPLES);
  database.exec('BEGIN IMMEDIATE');
  database.exec('DELETE FROM measured_radius');
  const insert = database.prepare('INSERT INTO measured_radius VALUES (?, ?, ?, ?, ?)');
  for (const { method, setting, size, factor, samples } of measured) insert.run(method, setting, size, factor, samples);
  database.exec('COMMIT');
}
