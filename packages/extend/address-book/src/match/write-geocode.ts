import type { AddressPart, Geocode } from '@leeward/places';
import { type Address, formatAddress, middleOf, sphericalDistanceMeters } from '@leeward/places';
import { usualRadiusMeters } from '../estimate/usual-radius.ts';
import type { BookHouse, BookStreet } from '../file/address-book.ts';
import type { RecordKind } from '../record.ts';
import type { EstimatedPlace } from './estimate-on-part.ts';

export const geocoderName = 'address_book';
/** Points of one address within this distance are one place: the buildings of a large parcel. */
const SAME_PLACE_METERS = 400;

export function describeStreet({ written, city, state, zip }: BookStreet, number?: string): string {
  return formatAddress({ line1: number === undefined ? written : `${number} ${written}`, city, state, zip });
}

/** Groups houses of one address by place. */
export function groupHouses(houses: readonly BookHouse[]): readonly (readonly BookHouse[])[] {
  const groups: BookHouse[][] = [];
  for (const house of houses) {
    const near = groups.find((group) => sphericalDistanceMeters(group[0]!, house) <= SAME_PLACE_METERS);
    if (near === undefined) groups.push([house]);
    else near.push(house);
  }
  return groups;
}

const recordWords: Readonly<Record<RecordKind, string>> = {
  rooftop: 'its building',
  entrance: 'its entrance',
  parcel: 'the middle of its parcel',
  access: 'the way in to its property',
  interpolated: 'a point that its source estimated from house numbers',
};

export function houseGeocode(houses: readonly BookHouse[], unmatched: readonly AddressPart[]): Geocode {
  // Use the source with the smallest radius.
  const radius = Math.min(...houses.map(usualRadiusMeters));
  const finest = houses.filter((house) => usualRadiusMeters(house) === radius);
  const { center, reachMeters } = middleOf(finest);
  const { number, street, kind } = finest[0]!;
  return {
    ...center,
    precision: kind === 'interpolated' ? 'interpolated' : kind === 'parcel' || kind === 'access' ? 'parcel' : 'rooftop',
    errorRadiusMeters: Math.ceil(radius + reachMeters),
    method: 'address_point',
    detail: `recorded as ${recordWords[kind]} (${street.source.name})`,
    geocoder: geocoderName,
    matchedAddress: describeStreet(unmatched.includes('zip') ? { ...street, zip: undefined } : street, number),
    state: street.state,
    zip: unmatched.includes('zip') ? undefined : street.zip,
    unmatched,
    attribution: street.source.attribution,
    dataVersion: dataVersionOf(street),
  };
}

function dataVersionOf({ source }: Pick<BookStreet, 'source'>): string {
  return `${source.name} ${source.importedAt}`;
}

export function estimateGeocode(
  { street, ...place }: EstimatedPlace,
  number: string | undefined,
  address: Address,
): Geocode {
  const { written, city, state, zip, source } = street;
  const line1 = place.precision === 'street' || number === undefined ? written : `${number} ${written}`;
  return {
    ...place,
    geocoder: geocoderName,
    matchedAddress: formatAddress({ line1, city: city ?? address.city, state, zip }),
    state,
    zip,
    unmatched: place.precision === 'street' ? ['line1'] : [],
    attribution: source.attribution,
    dataVersion: dataVersionOf({ source }),
  };
}
