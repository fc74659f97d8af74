import { type Address, formatAddress } from '../address/address.ts';
import { readStreetLine } from '../address/street-line.ts';
import type { AddressPart, Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import type { AddressBook, BookAddress } from './address-book.ts';

const name = 'address_book';
/** Points of one address are of one place if they are this near to each other: the buildings of a large parcel. */
const samePlaceMeters = 400;
const maximumCandidates = 5;

/**
 * The geocoder that knows imported addresses: exact to the building, with no network. Where it has the street of a ZIP code
 * but not the house, it answers the street, with a radius that holds all its houses.
 */
export function createAddressBookGeocoder(book: AddressBook): Geocoder {
  return {
    name,
    async geocode(address, options) {
      options?.signal?.throwIfAborted();
      return locate(book, address);
    },
  };
}

function locate(book: AddressBook, address: Address): GeocoderAnswer {
  const { zip, city, state } = address;
  const { number, street } = readStreetLine(address.line1 ?? '');
  const place = { street, city, state };
  if (number !== undefined) {
    const inZip = zip === undefined ? [] : book.find({ ...place, number, zip });
    if (inZip.length > 0) return locateHouses(inZip, []);
    // The same house in the same city, under another ZIP code.
    const inCity = city === undefined || state === undefined ? [] : book.find({ ...place, number });
    if (inCity.length > 0) return locateHouses(inCity, zip === undefined ? [] : ['zip']);
  }
  const houses = zip === undefined || street === '' ? [] : book.find({ ...place, zip });
  if (houses.length > 0) return { status: 'found', geocode: streetGeocode(houses, address) };
  const message = `${formatAddress(address) || 'An empty address'} is not in the address book.`;
  return { status: 'not_found', code: 'no_match', message };
}

function locateHouses(houses: readonly BookAddress[], otherwise: readonly AddressPart[]): GeocoderAnswer {
  const groups: BookAddress[][] = [];
  for (const house of houses) {
    const near = groups.find((group) => isSameHouse(group[0]!, house));
    if (near === undefined) groups.push([house]);
    else near.push(house);
  }
  const candidates = groups.map((group) => houseGeocode(group, otherwise));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { status: 'found', geocode: only };
  return { status: 'ambiguous', candidates: candidates.slice(0, maximumCandidates) };
}

function isSameHouse(a: BookAddress, b: BookAddress): boolean {
  return sphericalDistanceMeters(a, b) <= samePlaceMeters;
}

function houseGeocode(houses: readonly BookAddress[], unmatched: readonly AddressPart[]): Geocode {
  // Of several sources, the finest counts.
  const radius = Math.min(...houses.map(({ source }) => source.errorRadiusMeters));
  const finest = houses.filter(({ source }) => source.errorRadiusMeters === radius);
  const { center, reachMeters } = middleOf(finest);
  const { number, street, city, state, zip, source } = finest[0]!;
  return {
    ...center,
    precision: source.precision,
    errorRadiusMeters: Math.ceil(radius + reachMeters),
    geocoder: name,
    matchedAddress: formatAddress({ line1: `${number} ${street}`, city, state, zip }),
    state,
    zip,
    unmatched,
    attribution: source.attribution,
  };
}

function streetGeocode(houses: readonly BookAddress[], address: Address): Geocode {
  const { center, reachMeters } = middleOf(houses);
  const { street, city, state, zip, source } = houses[0]!;
  return {
    ...center,
    precision: 'street',
    // The house that is not in the book may stand beyond the last that is.
    errorRadiusMeters: Math.ceil(reachMeters + 500),
    geocoder: name,
    matchedAddress: formatAddress({ line1: street, city: city ?? address.city, state, zip }),
    state,
    zip,
    unmatched: ['line1'],
    attribution: source.attribution,
  };
}

function middleOf(points: readonly Point[]): { readonly center: Point; readonly reachMeters: number } {
  const mean = (value: (point: Point) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const center = { latitude: mean(({ latitude }) => latitude), longitude: mean(({ longitude }) => longitude) };
  return { center, reachMeters: Math.max(...points.map((point) => sphericalDistanceMeters(center, point))) };
}
