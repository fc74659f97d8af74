import { isAsFineAs } from '@leeward/places';
import { METERS_PER_FOOT, METERS_PER_MILE, unitFor, wordOf, writeDataset, writeLength } from '@leeward/terms';
import type { FoundPlace } from '../distance/found-place.ts';
import type { KnownDistance } from './known-distances.ts';

const METERS_PER = { miles: METERS_PER_MILE, feet: METERS_PER_FOOT, meters: 1 } as const;
export type DistanceUnit = keyof typeof METERS_PER;

/** `0.39 miles from tidal water (0.35 to 0.42), by the point given and the OpenStreetMap shoreline, 2024 ± 180 feet`. */
export function describeDistance(
  { meters, min, max, to, dataset, evidence }: KnownDistance,
  location: FoundPlace | undefined,
  unit: DistanceUnit,
): string {
  const length = printLength(meters, unit);
  const about = location !== undefined && isCoarse(location) && dataset !== undefined ? 'about ' : '';
  const far = `${about}${length} ${unitFor(length === '1' ? 1 : 2, unit)} from ${to}`;
  if (dataset === undefined) return `${far}, as given${describeEvidence(evidence)}`;
  const range = `${far} (${printLength(min, unit)} to ${printLength(max, unit)})`;
  const shore = `the ${writeDataset(dataset)} ± ${writeLength(dataset.accuracyMeters)}`;
  return location === undefined ? `${range}, by ${shore}` : `${range}, by ${describePlace(location)} and ${shore}`;
}

function describePlace({ precision, errorRadiusMeters }: FoundPlace): string {
  const words = wordOf('precision', precision);
  return errorRadiusMeters > 0 ? `${words} ± ${writeLength(errorRadiusMeters)}` : words;
}

function isCoarse({ precision }: FoundPlace): boolean {
  return !isAsFineAs(precision, 'interpolated');
}

/** ` (surveyor, 2026-05-01)`; empty without evidence. */
function describeEvidence(evidence: KnownDistance['evidence']): string {
  const parts = [
    evidence?.source === undefined ? undefined : wordOf('evidenceSource', evidence.source),
    evidence?.asOf,
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The unit of a request name or fact. */
export function unitOfDistance(name: string): DistanceUnit {
  return (['feet', 'meters'] as const).find((each) => name.endsWith(`_${each}`)) ?? 'miles';
}

/** @param givenAs the request name of the distance, in the unit of the rule */
export function wayOut({ dataset }: KnownDistance, location: FoundPlace | undefined, givenAs: string): string {
  if (location !== undefined && isCoarse(location))
    return `Give a street address with its house number, lat and lng, or ${givenAs} if it has been measured.`;
  if (dataset === undefined) return '';
  return `The shore is not known more exactly here: give ${givenAs} if it has been measured.`;
}

/** Miles with two decimals. */
export function printLength(meters: number, unit: DistanceUnit): string {
  const value = meters / METERS_PER[unit];
  const rounded = unit === 'miles' ? Math.round(value * 100) / 100 : Math.round(value);
  return rounded.toLocaleString('en-US');
}

/** `91 %`; `above 99.9 %` instead of a rounded 100 %, and `below 0.1 %` instead of 0 %. */
export function describeProbability(probability: number): string {
  const percent = probability * 100;
  if (percent > 99.9) return 'above 99.9 %';
  if (percent < 0.1) return 'below 0.1 %';
  const isPlain = percent >= 1 && percent <= 99;
  return `${isPlain ? Math.round(percent) : Math.round(percent * 10) / 10} %`;
}

/** `95 %`, in full. */
export function describeCertainty(certainty: number): string {
  return `${Number((certainty * 100).toPrecision(10))} %`;
}
