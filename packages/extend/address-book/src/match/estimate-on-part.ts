import type { Method, Precision } from '@leeward/places';
import { middleOf, sphericalDistanceMeters } from '@leeward/places';
import { placeBetween, sideOf } from '../estimate/between-houses.ts';
import { placeOnRange, rangesHolding } from '../estimate/place-on-range.ts';
import { placeOnStreet, wholeStreet } from '../estimate/place-on-street.ts';
import { usualRadiusMeters } from '../estimate/usual-radius.ts';
import type { BookRange, BookStreet } from '../file/address-book.ts';
import { type Estimate, type MeasuredRadius, radiusMeters, type Setting } from '../file/radius-table.ts';
import { countedNumber } from '../street/number-order.ts';
import { isWithin, orderOf, type StreetPart } from './street-parts.ts';

export interface EstimatedPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly errorRadiusMeters: number;
  readonly precision: Extract<Precision, 'interpolated' | 'street'>;
  readonly method: Extract<Method, 'address_range' | 'between_houses' | 'street'>;
  readonly detail: string;
  readonly street: BookStreet;
}

export interface EstimateContext {
  readonly setting: Setting;
  readonly measured: readonly MeasuredRadius[];
}

/**
 * Estimates a number on a part of a street: on its ranges, between neighbors, or along the street. Returns distinct places; empty if the
 * number is beyond the recorded ones.
 */
export function estimateOnPart(part: StreetPart, number: string, context: EstimateContext): readonly EstimatedPlace[] {
  const places = [...onRanges(part, number, context), ...betweenHouses(part, number, context)];
  const [finest] = places.toSorted((a, b) => a.errorRadiusMeters - b.errorRadiusMeters);
  if (finest !== undefined) {
    const apart = places.filter(
      (place) => sphericalDistanceMeters(place, finest) > place.errorRadiusMeters + finest.errorRadiusMeters,
    );
    return [finest, ...apart];
  }
  const place = part.houses.length > 0 ? placeOnStreet(part.houses, number) : undefined;
  if (place !== undefined) return [onStreet(part, place, `near number ${number} among the known houses`, context)];
  const gap = part.ranges.length > 0 && isWithin(part, number) ? placeAmongRanges(part.ranges, number) : undefined;
  return gap === undefined
    ? []
    : [onStreet(part, gap, `no range holds number ${number}; between those around it`, context)];
}

export function estimateOnStreet(part: StreetPart, context: EstimateContext): EstimatedPlace {
  const place =
    part.houses.length > 0 && part.ranges.length === 0
      ? wholeStreet(part.houses)
      : spanOf([...part.houses, ...part.ranges.flatMap(({ line }) => line)]);
  return onStreet(part, place, 'the whole street', context);
}

function onRanges(part: StreetPart, number: string, context: EstimateContext): readonly EstimatedPlace[] {
  const { value } = countedNumber(number);
  return rangesHolding(part.ranges, number).map((range) => {
    const place = placeOnRange(range, value);
    const radius = radiusOf({ method: 'range', ...context, spanMeters: place.spanMeters }, context);
    const { prefix, from, to, side, street } = range;
    const doubt = range.isDirectionDoubtful ? '; its direction is doubtful' : '';
    return {
      latitude: place.latitude,
      longitude: place.longitude,
      // If the direction is doubtful, the house may be anywhere on the range.
      errorRadiusMeters: range.isDirectionDoubtful ? Math.max(radius, Math.ceil(place.spanMeters)) : radius,
      precision: 'interpolated',
      method: 'address_range',
      detail: `number ${number} of the range ${prefix}${from} to ${prefix}${to} on the ${side} side of ${street.written} (${street.source.name})${doubt}`,
      street,
    };
  });
}

function betweenHouses(part: StreetPart, number: string, context: EstimateContext): readonly EstimatedPlace[] {
  const place = placeBetween(sideOf(part.houses, number), number);
  if (place === undefined) return [];
  const { low, high, latitude, longitude, spanMeters } = place;
  const measured = radiusOf({ method: 'between', ...context, spanMeters }, context);
  // The place cannot be better than the neighbors.
  const own = Math.max(usualRadiusMeters(low), usualRadiusMeters(high));
  return [
    {
      latitude,
      longitude,
      errorRadiusMeters: Math.max(measured, own),
      precision: 'interpolated',
      method: 'between_houses',
      detail: `between ${low.number} and ${high.number} ${low.street.written} (${low.street.source.name})`,
      street: low.street,
    },
  ];
}

function onStreet(
  part: StreetPart,
  {
    latitude,
    longitude,
    spanMeters,
  }: { readonly latitude: number; readonly longitude: number; readonly spanMeters: number },
  detail: string,
  context: EstimateContext,
): EstimatedPlace {
  return {
    latitude,
    longitude,
    errorRadiusMeters: radiusOf({ method: 'street', ...context, spanMeters }, context),
    precision: 'street',
    method: 'street',
    detail: `${part.street.written}: ${detail} (${part.street.source.name})`,
    street: part.street,
  };
}

function radiusOf(estimate: Estimate, { measured }: EstimateContext): number {
  return radiusMeters(estimate, measured);
}

function placeAmongRanges(ranges: readonly BookRange[], number: string) {
  const { prefix, value } = countedNumber(number);
  const order = orderOf(prefix, value);
  const ends = ranges
    .flatMap((range) => {
      const [start, end] = [range.line[0]!, range.line.at(-1)!];
      return [
        { order: orderOf(range.prefix, range.from), point: start },
        { order: orderOf(range.prefix, range.to), point: end },
      ];
    })
    .toSorted((a, b) => a.order - b.order);
  const next = ends.findIndex((end) => end.order >= order);
  const around = ends.slice(Math.max(0, next - 3), next + 3).map(({ point }) => point);
  return spanOf(around);
}

function spanOf(points: readonly { readonly latitude: number; readonly longitude: number }[]) {
  const { center, reachMeters } = middleOf(points);
  return { ...center, spanMeters: reachMeters + STREET_DEPTH_METERS };
}

const STREET_DEPTH_METERS = 100;
