import type { AddressPart, Geocode, Geocoder, GeocoderAnswer } from '@leeward/places';
import { type Address, formatAddress, sphericalDistanceMeters } from '@leeward/places';
import { readStreetLine } from '@leeward/places/address';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { AddressBook, BookStreet } from '../file/address-book.ts';
import { type MeasuredRadius, settingOf } from '../file/radius-table.ts';
import { compareStreetNames, readStreetName, type StreetName } from '../street/street-name.ts';
import { createAgreement, type PlaceAgreement } from './place-agreement.ts';
import { reckonOnPart, reckonWhole } from './reckon-on-part.ts';
import { isWithin, partsOf, type StreetPart } from './street-parts.ts';
import { describeStreet, geocoderName, groupHouses, houseGeocode, reckonedGeocode } from './write-geocode.ts';

const MAX_CANDIDATES = 5;

/**
 * The geocoder that knows imported addresses and ranges of house numbers, with no network. A house is only one whose street,
 * direction, city and ZIP code are those asked for; a record without ZIP code or city counts by its position, and only where
 * nothing else could be meant. A house that the book has no record of is reckoned: on a range that holds its number, between its
 * known neighbours, or as the street near that number, each with a radius as measured on the book. Where two streets or parts
 * of one fit, the answer is `ambiguous`; else `not_found` with what differs, so that a chain goes on to a coarser place.
 */
export function createAddressBookGeocoder(book: AddressBook, zips: ZipGazetteer): Geocoder {
  const agreementWith = createAgreement(zips);
  return {
    name: geocoderName,
    async geocode(address, options) {
      options?.signal?.throwIfAborted();
      return book.atOneMoment(() => locate(book, zips, agreementWith, address));
    },
  };
}

/** What an address asks the book. */
interface Question {
  readonly book: AddressBook;
  readonly zips: ZipGazetteer;
  readonly place: PlaceAgreement;
  readonly address: Address;
  readonly number: string | undefined;
  readonly name: StreetName;
  readonly measured: readonly MeasuredRadius[];
}

function locate(
  book: AddressBook,
  zips: ZipGazetteer,
  agreementWith: (address: Address) => PlaceAgreement,
  given: Address,
): GeocoderAnswer {
  const { number, street } = readStreetLine(given.line1 ?? '');
  const asked = readStreetName(street);
  const state = given.state ?? (given.zip === undefined ? undefined : zips.find(given.zip)?.state);
  if (asked === undefined || (given.zip === undefined && (given.city === undefined || state === undefined))) {
    return notFound(given, '');
  }
  const place = agreementWith({ ...given, state });
  const address = place.address;
  const question = { book, zips, place, address, number, name: asked, measured: book.measuredRadii() };
  const named = book
    .streets({ core: asked.core, state, zip: address.zip, around: place.around })
    .map((each) => ({ street: each, fit: compareStreetNames(asked, each.name), agreement: place.judge(each) }))
    .filter(({ fit, agreement }) => fit > 0 && agreement !== undefined);
  const sure = bestOf(named.filter(({ agreement }) => agreement === 'sure'));
  // The whole address is recorded: nothing else is looked at.
  if (number !== undefined && address.zip !== undefined && given.city !== undefined) {
    const houses = sure
      .filter(({ fit, street: { zip } }) => fit === 2 && zip !== undefined)
      .flatMap((each) => book.houses(each.street, number));
    if (houses.length > 0) return answerOf(groupHouses(houses).map((group) => houseGeocode(group, [])));
  }
  const answer = ofOneName(
    question,
    sure,
    locateOnStreets(
      question,
      sure.map((each) => each.street),
    ),
  );
  if (answer.status === 'found' && answer.geocode.method === 'address_point') return answer;
  return byPosition(
    question,
    bestOf(named)
      .filter(({ fit, agreement }) => fit === 2 && agreement === 'possible')
      .map((each) => each.street),
    answer,
  );
}

interface NamedStreet {
  readonly street: BookStreet;
  readonly fit: 0 | 1 | 2;
  readonly agreement: 'sure' | 'possible' | undefined;
}

/** Those of the very name, or if there is none, those of which it leaves out a direction or suffix. */
function bestOf(named: readonly NamedStreet[]): readonly NamedStreet[] {
  const best = Math.max(0, ...named.map(({ fit }) => fit));
  return named.filter(({ fit }) => fit === best);
}

/** A name that leaves out a direction or suffix is that of one street only where no other one there has the rest of it. */
function ofOneName({ address }: Question, named: readonly NamedStreet[], answer: GeocoderAnswer): GeocoderAnswer {
  if (answer.status !== 'found' || named.every(({ fit }) => fit === 2)) return answer;
  const streets = new Map(
    named.map(({ street }) => [`${street.name.before}|${street.name.suffix}|${street.name.behind}`, street]),
  );
  if (streets.size === 1) return answer;
  const names = [...streets.values()].slice(0, MAX_CANDIDATES).map(({ written }) => written);
  return notFound(address, ` It has ${names.join(', ')} there: say which.`);
}

interface PartAnswer {
  readonly part: StreetPart;
  /** A house that bears the number, or a range or two neighbours that hold it. */
  readonly isHit: boolean;
  /** Undefined where the part does not tell where the number would be. */
  readonly geocode: Geocode | undefined;
}

function locateOnStreets(question: Question, streets: readonly BookStreet[]): GeocoderAnswer {
  const { book, address, number, place, name: asked } = question;
  const parts = partsOf(book, streets);
  const directions = new Set(streets.map(({ name: known }) => `${known.before}|${known.behind}`));
  if (directions.size === 1 && !directions.has(`${asked.before}|${asked.behind}`)) {
    return notFound(address, ` It has only ${describeStreet(streets[0]!)}, a street with another direction.`);
  }
  const answers = parts.flatMap((part) => answersOfPart(part, question));
  const hits = answers.filter(({ isHit }) => isHit);
  const houses = hits.filter(({ geocode }) => geocode?.method === 'address_point');
  const chosen = houses.length > 0 ? houses : hits;
  // A part that would have the number where it was found, or has only higher or only lower ones, is the same street going on.
  const others = answers.filter(
    (other) =>
      !chosen.includes(other) &&
      !chosen.some(
        (hit) =>
          other.part === hit.part ||
          (other.geocode !== undefined &&
            sphericalDistanceMeters(hit.geocode!, other.geocode) <= other.geocode.errorRadiusMeters) ||
          hit.part.first > other.part.last ||
          hit.part.last < other.part.first,
      ),
  );
  const possible = [...chosen, ...others];
  const isUntold = possible.length > 1 && possible.some(({ geocode }) => geocode === undefined);
  // Another street of the name, in a ZIP code or city that is not given, may be one that the book does not have at all.
  const isUngiven =
    address.zip === undefined || (address.city === undefined && streets.some(({ city }) => city !== undefined));
  if (isUntold || (isUngiven && number !== undefined && houses.length === 0)) {
    const advice = parts.length === 0 ? '' : ' It has that street: give the city and the ZIP code.';
    return notFound(address, nearMiss(question) || advice);
  }
  const candidates = distinct(possible.flatMap(({ geocode }) => geocode ?? []));
  if (candidates.length > 0) return answerOf(candidates);
  const [part] = parts;
  const beyond =
    part !== undefined && number !== undefined && place.address.zip !== undefined && !isWithin(part, number)
      ? ` ${describeStreet(part.street)} has numbers ${Math.floor(part.first)} to ${Math.floor(part.last)} there.`
      : '';
  return notFound(address, nearMiss(question) || beyond);
}

/** Records that only their position puts in the place asked for: where nothing else could be meant. */
function byPosition(question: Question, streets: readonly BookStreet[], otherwise: GeocoderAnswer): GeocoderAnswer {
  const { book, number, place, address } = question;
  if (number === undefined || streets.length === 0) return otherwise;
  const houses = streets.flatMap((street) => book.houses(street, number));
  const groups = groupHouses(houses);
  const [only] = groups;
  if (only === undefined || groups.length > 1 || !only.every((house) => place.isClear(house))) return otherwise;
  const geocode = houseGeocode(only, lacking(only[0]!.street, address));
  // The street is known in that very place: the house is on it, or it is on another.
  if (otherwise.status === 'ambiguous') return otherwise;
  if (otherwise.status === 'found') {
    const { geocode: street } = otherwise;
    return sphericalDistanceMeters(street, geocode) <= street.errorRadiusMeters
      ? { status: 'found', geocode }
      : otherwise;
  }
  return { status: 'found', geocode };
}

/** What was asked for and the record does not say. */
function lacking({ city, isZipFromPosition }: BookStreet, address: Address): readonly AddressPart[] {
  const parts: AddressPart[] = [];
  if (address.city !== undefined && city === undefined) parts.push('city');
  if (address.zip !== undefined && isZipFromPosition) parts.push('zip');
  return parts;
}

/** What one street in one city and ZIP code says of a number: each house that bears it, else about where it is. */
function answersOfPart(part: StreetPart, { number, address, zips, measured }: Question): readonly PartAnswer[] {
  const zip = part.street.zip;
  const context = {
    setting: settingOf(zip === undefined ? undefined : zips.find(zip)?.errorRadiusMeters),
    measured,
  };
  if (number === undefined)
    return [{ part, isHit: false, geocode: reckonedGeocode(reckonWhole(part, context), undefined, address) }];
  const named = part.houses.filter((house) => house.number === number);
  if (named.length > 0) {
    return groupHouses(named).map((group) => ({ part, isHit: true, geocode: houseGeocode(group, []) }));
  }
  const places = reckonOnPart(part, number, context);
  if (places.length === 0) return [{ part, isHit: false, geocode: undefined }];
  return places.map((place) => ({
    part,
    isHit: place.precision === 'interpolated',
    geocode: reckonedGeocode(place, number, address),
  }));
}

/** Without places that several parts have alike: houses at one point, and reckoned places of one address. */
function distinct(geocodes: readonly Geocode[]): readonly Geocode[] {
  const kept: Geocode[] = [];
  for (const geocode of geocodes) {
    const isHouse = ({ method }: Geocode) => method === 'address_point';
    const isSame = (other: Geocode) =>
      other.precision !== 'street' &&
      geocode.precision !== 'street' &&
      ((isHouse(other) && isHouse(geocode)) ||
        other.matchedAddress.toLowerCase() === geocode.matchedAddress.toLowerCase()) &&
      sphericalDistanceMeters(other, geocode) <= other.errorRadiusMeters + geocode.errorRadiusMeters;
    if (!kept.some(isSame)) kept.push(geocode);
  }
  return kept;
}

/** A house of that number and street in another ZIP code or city, for the message. */
function nearMiss({ book, address, number, name: asked }: Question): string {
  const { state, zip, city } = address;
  if (number === undefined || state === undefined) return '';
  const elsewhere = book
    .streets({ core: asked.core, state, zip, city, number })
    .filter((street) => compareStreetNames(asked, street.name) > 0);
  const miss = elsewhere.find((street) => book.houses(street, number).length > 0);
  return miss === undefined
    ? ''
    : ` It has ${describeStreet(miss, number)}, whose city or ZIP code is not the one asked for.`;
}

function notFound(address: Address, detail: string): GeocoderAnswer {
  const message = `${formatAddress(address) || 'An empty address'} is not in the address book.${detail}`;
  return { status: 'not_found', code: 'no_match', message };
}

function answerOf(candidates: readonly Geocode[]): GeocoderAnswer {
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { status: 'found', geocode: only };
  return { status: 'ambiguous', candidates: candidates.slice(0, MAX_CANDIDATES) };
}
