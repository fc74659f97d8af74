import { type Address, formatAddress } from '../address/address.ts';
import { houseNumberOrder } from '../address/house-number.ts';
import { readStreetLine } from '../address/street-line.ts';
import type { Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { middleOf } from '../point/middle-of.ts';
import { sphericalDistanceMeters } from '../point/point.ts';
import { placeKey } from '../zips/place-key.ts';
import type { AddressBook, BookAddress } from './address-book.ts';
import { type PlaceOnStreet, placeOnStreet, wholeStreet } from './place-on-street.ts';
import { compareStreetNames, readStreetName, type StreetName } from './street-name.ts';

const name = 'address_book';
/** Points of one address are of one place if they are this near to each other: the buildings of a large parcel. */
const samePlaceMeters = 400;
const maximumCandidates = 5;

/**
 * The geocoder that knows imported addresses: exact to the building, with no network. A house is only one whose street, direction,
 * city and ZIP code are those asked for. Where the book has the street but not the house, it answers the street near that
 * number, with a radius measured on its known houses; where two streets or parts of one fit, `ambiguous`; else `not_found`
 * with what differs, so that a chain goes on to a coarser place.
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
  const asked = readStreetName(street);
  if (asked === undefined) return notFound(address, '');
  if (number !== undefined && zip !== undefined && city !== undefined) {
    const houses = book.find({ number, street, city, state, zip });
    const sure = houses.filter((house) => house.zip !== undefined && house.city !== undefined && isNamed(asked, house));
    if (sure.length > 0) return locateHouses(sure);
  }
  // Of an address in neither a city nor a ZIP code nothing says that it is the one asked for.
  const isPlaced = (house: BookAddress) =>
    (zip !== undefined && house.zip === zip) || (city !== undefined && house.city !== undefined);
  const placed = book.find({ street, city, state, zip }).filter(isPlaced);
  // Without a ZIP code of its own an address may be in any that the street runs through.
  const isElsewhere =
    zip !== undefined &&
    placed.some((house) => house.zip === undefined) &&
    book.find({ street, city, state }).some((house) => house.zip !== undefined && house.zip !== zip);
  const onStreet = isElsewhere ? placed.filter((house) => house.zip !== undefined) : placed;
  const parts = partsOf(onStreet);
  const directions = new Set(onStreet.map((house) => directionOf(house.street)));
  if (directions.size === 1 && !directions.has(`${asked.before}|${asked.behind}`)) {
    return notFound(address, ` It has only ${describe(onStreet[0]!)}, a street with another direction.`);
  }
  const answers = parts.flatMap((part) => locateOnPart(part, number, address));
  const housesFound = answers.filter(({ isHouse }) => isHouse);
  // A part that would have the number where the house stands, or has only higher or only lower ones, is the same street going on.
  const others = answers.filter(
    ({ isHouse, geocode, range: [first, last] }) =>
      !isHouse &&
      !housesFound.some(
        (house) =>
          (geocode !== undefined && sphericalDistanceMeters(house.geocode!, geocode) <= geocode.errorRadiusMeters) ||
          house.range[0] > last ||
          house.range[1] < first,
      ),
  );
  const possible = [...housesFound, ...others];
  const isUntold = possible.length > 1 && possible.some(({ geocode }) => geocode === undefined);
  // Another street of the name, in a ZIP code or city that is not given, may be one that the book does not have at all.
  const isUngiven = zip === undefined || (city === undefined && onStreet.some((house) => house.city !== undefined));
  if (isUntold || (isUngiven && number !== undefined && housesFound.length === 0)) {
    const advice = parts.length === 0 ? '' : ' It has that street: give the city and the ZIP code.';
    return notFound(address, nearMiss(book, address, number, street) || advice);
  }
  const candidates = distinct(possible.flatMap(({ geocode }) => geocode ?? []));
  const [only] = candidates;
  if (only === undefined) return notFound(address, nearMiss(book, address, number, street));
  if (candidates.length === 1) return { status: 'found', geocode: only };
  return { status: 'ambiguous', candidates: candidates.slice(0, maximumCandidates) };
}

interface PartAnswer {
  readonly isHouse: boolean;
  /** Undefined where the part does not tell where the number would be. */
  readonly geocode: Geocode | undefined;
  /** The first and last number known on the part. */
  readonly range: readonly [first: number, last: number];
}

/** What the houses of one street in one city and ZIP code say of a number: each house that bears it, else about where it is. */
function locateOnPart(
  houses: readonly BookAddress[],
  number: string | undefined,
  address: Address,
): readonly PartAnswer[] {
  const orders = houses.map((house) => houseNumberOrder(house.number));
  const range = [Math.min(...orders), Math.max(...orders)] as const;
  if (number === undefined) {
    return [{ isHouse: false, geocode: streetGeocode(houses[0]!, wholeStreet(houses), address), range }];
  }
  const named = houses.filter((house) => house.number === number);
  if (named.length > 0) {
    return groupHouses(named).map((group) => ({ isHouse: true, geocode: houseGeocode(group), range }));
  }
  const place = placeOnStreet(houses, number);
  const geocode = place === undefined ? undefined : streetGeocode(houses[0]!, place, address);
  return [{ isHouse: false, geocode, range }];
}

/** Houses by the name of their street, their city and ZIP code. */
function partsOf(houses: readonly BookAddress[]): readonly (readonly BookAddress[])[] {
  const key = ({ street, city, zip }: BookAddress) =>
    JSON.stringify([readStreetName(street), placeKey(city ?? ''), zip]);
  return [...Map.groupBy(houses, key).values()];
}

/** Without houses that several parts have at one place. */
function distinct(geocodes: readonly Geocode[]): readonly Geocode[] {
  const kept: Geocode[] = [];
  for (const geocode of geocodes) {
    const isSame = (other: Geocode) =>
      other.precision !== 'street' &&
      geocode.precision !== 'street' &&
      sphericalDistanceMeters(other, geocode) <= other.errorRadiusMeters + geocode.errorRadiusMeters;
    if (!kept.some(isSame)) kept.push(geocode);
  }
  return kept;
}

function isNamed(asked: StreetName, { street }: BookAddress): boolean {
  const known = readStreetName(street);
  return known !== undefined && compareStreetNames(asked, known) === 2;
}

function directionOf(street: string): string {
  const { before = '', behind = '' } = readStreetName(street) ?? {};
  return `${before}|${behind}`;
}

function nearMiss(
  book: AddressBook,
  { zip, city, state }: Address,
  number: string | undefined,
  street: string,
): string {
  if (number === undefined) return '';
  const place = [{ zip }, { city }].filter((part) => Object.values(part)[0] !== undefined);
  const differs = (house: BookAddress) =>
    (zip !== undefined && house.zip !== zip) || (city !== undefined && placeKey(house.city ?? '') !== placeKey(city));
  const miss = place
    .flatMap((part) => (state === undefined ? [] : book.find({ number, street, state, ...part })))
    .find(differs);
  return miss === undefined
    ? ''
    : ` It has ${describe(miss, number)}, whose city or ZIP code is not the one asked for.`;
}

function describe({ street, city, state, zip }: BookAddress, number?: string): string {
  return formatAddress({ line1: number === undefined ? street : `${number} ${street}`, city, state, zip });
}

function notFound(address: Address, detail: string): GeocoderAnswer {
  const message = `${formatAddress(address) || 'An empty address'} is not in the address book.${detail}`;
  return { status: 'not_found', code: 'no_match', message };
}

function locateHouses(houses: readonly BookAddress[]): GeocoderAnswer {
  const candidates = groupHouses(houses).map(houseGeocode);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { status: 'found', geocode: only };
  return { status: 'ambiguous', candidates: candidates.slice(0, maximumCandidates) };
}

function groupHouses(houses: readonly BookAddress[]): readonly (readonly BookAddress[])[] {
  const groups: BookAddress[][] = [];
  for (const house of houses) {
    const near = groups.find((group) => isSameHouse(group[0]!, house));
    if (near === undefined) groups.push([house]);
    else near.push(house);
  }
  return groups;
}

function isSameHouse(a: BookAddress, b: BookAddress): boolean {
  return sphericalDistanceMeters(a, b) <= samePlaceMeters;
}

function houseGeocode(houses: readonly BookAddress[]): Geocode {
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
    unmatched: [],
    attribution: source.attribution,
  };
}

function streetGeocode(
  { street, city, state, zip, source }: BookAddress,
  place: PlaceOnStreet,
  address: Address,
): Geocode {
  return {
    ...place,
    precision: 'street',
    geocoder: name,
    matchedAddress: formatAddress({ line1: street, city: city ?? address.city, state, zip }),
    state,
    zip,
    unmatched: ['line1'],
    attribution: source.attribution,
  };
}
