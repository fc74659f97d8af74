import type { AddressPart, Geocode, Geocoder, GeocoderAnswer } from '@leeward/places';
import { type Address, formatAddress, sphericalDistanceMeters } from '@leeward/places';
import { readStreetLine } from '@leeward/places/address';
import type { ZipGazetteer } from '@leeward/places/zips';
import type { AddressBook, BookStreet } from '../file/address-book.ts';
import { type MeasuredRadius, settingOf } from '../file/radius-table.ts';
import { compareStreetNames, readStreetName, type StreetName } from '../street/street-name.ts';
import { estimateOnPart, estimateOnStreet } from './estimate-on-part.ts';
import { createAgreement, type PlaceAgreement } from './place-agreement.ts';
import { isWithin, partsOf, type StreetPart } from './street-parts.ts';
import { describeStreet, estimateGeocode, geocoderName, groupHouses, houseGeocode } from './write-geocode.ts';

const MAX_CANDIDATES = 5;

/**
 * A geocoder over imported addresses and ranges, without a network. A house matches only with its street, direction, city and ZIP code.
 * A record without ZIP code or city matches by position if it is the only candidate. A house without a record is estimated: on a range,
 * between neighbors, or along the street, with a radius measured on the book. Several matching streets are `ambiguous`. Otherwise
 * `not_found` states the difference, and a chain continues with a coarser place.
 *
 * @example
 * createAddressBookGeocoder(openAddressBook('addresses.sqlite'), await loadZipGazetteer());
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
  query: Address,
): GeocoderAnswer {
  const { number, street } = readStreetLine(query.line1 ?? '');
  const streetName = readStreetName(street);
  const state = query.state ?? (query.zip === undefined ? undefined : zips.find(query.zip)?.state);
  if (streetName === undefined || (query.zip === undefined && (query.city === undefined || state === undefined))) {
    return notFound(query, '');
  }
  const place = agreementWith({ ...query, state });
  const address = place.address;
  const question = { book, zips, place, address, number, name: streetName, measured: book.measuredRadii() };
  const named = book
    .streets({ core: streetName.core, state, zip: address.zip, around: place.around })
    .map((each) => ({
      street: each,
      fit: compareStreetNames(streetName, each.name),
      agreement: place.agreementOf(each),
    }))
    .filter(({ fit, agreement }) => fit > 0 && agreement !== undefined);
  const sure = bestOf(named.filter(({ agreement }) => agreement === 'sure'));
  // The whole address is recorded: skip all other matches.
  if (number !== undefined && address.zip !== undefined && query.city !== undefined) {
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

/** Streets of the same name; without any, streets with a direction or suffix that the address omits. */
function bestOf(named: readonly NamedStreet[]): readonly NamedStreet[] {
  const best = Math.max(0, ...named.map(({ fit }) => fit));
  return named.filter(({ fit }) => fit === best);
}

/** A name without direction or suffix is accepted only if one street matches it. */
function ofOneName({ address }: Question, named: readonly NamedStreet[], answer: GeocoderAnswer): GeocoderAnswer {
  if (answer.status !== 'found' || named.every(({ fit }) => fit === 2)) return answer;
  const streets = new Map(
    named.map(({ street }) => [`${street.name.before}|${street.name.suffix}|${street.name.behind}`, street]),
  );
  if (streets.size === 1) return answer;
  const names = [...streets.values()].slice(0, MAX_CANDIDATES).map(({ written }) => written);
  return notFound(address, ` The book has ${names.join(', ')} there: name one.`);
}

interface PartAnswer {
  readonly part: StreetPart;
  /** True for a house with the number, or ranges or neighbors around it. */
  readonly isHit: boolean;
  /** Undefined if the part cannot place the number. */
  readonly geocode: Geocode | undefined;
}

function locateOnStreets(question: Question, streets: readonly BookStreet[]): GeocoderAnswer {
  const { book, address, number, place, name: queryName } = question;
  const parts = partsOf(book, streets);
  const directions = new Set(streets.map(({ name }) => `${name.before}|${name.behind}`));
  if (directions.size === 1 && !directions.has(`${queryName.before}|${queryName.behind}`)) {
    return notFound(address, ` The book has only ${describeStreet(streets[0]!)}, a street with another direction.`);
  }
  const answers = parts.flatMap((part) => answersOfPart(part, question));
  const hits = answers.filter(({ isHit }) => isHit);
  const houses = hits.filter(({ geocode }) => geocode?.method === 'address_point');
  const chosen = houses.length > 0 ? houses : hits;
  // A part with only higher or lower numbers, or that would place the number in the same spot, continues the same street.
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
  const isUnplaced = possible.length > 1 && possible.some(({ geocode }) => geocode === undefined);
  // The book may lack another street of the name in an unspecified ZIP code or city.
  const isIncomplete =
    address.zip === undefined || (address.city === undefined && streets.some(({ city }) => city !== undefined));
  if (isUnplaced || (isIncomplete && number !== undefined && houses.length === 0)) {
    const advice = parts.length === 0 ? '' : ' The book has that street: give the city and the ZIP code.';
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

/** Matches records by position if no other street is meant. */
function byPosition(question: Question, streets: readonly BookStreet[], otherwise: GeocoderAnswer): GeocoderAnswer {
  const { book, number, place, address } = question;
  if (number === undefined || streets.length === 0) return otherwise;
  const houses = streets.flatMap((street) => book.houses(street, number));
  const groups = groupHouses(houses);
  const [only] = groups;
  if (only === undefined || groups.length > 1 || !only.every((house) => place.isClear(house))) return otherwise;
  const geocode = houseGeocode(only, lacking(only[0]!.street, address));
  // The street is recorded in that place, so the house must be on it.
  if (otherwise.status === 'ambiguous') return otherwise;
  if (otherwise.status === 'found') {
    const { geocode: street } = otherwise;
    return sphericalDistanceMeters(street, geocode) <= street.errorRadiusMeters
      ? { status: 'found', geocode }
      : otherwise;
  }
  return { status: 'found', geocode };
}

function lacking({ city, isZipFromPosition }: BookStreet, address: Address): readonly AddressPart[] {
  const parts: AddressPart[] = [];
  if (address.city !== undefined && city === undefined) parts.push('city');
  if (address.zip !== undefined && isZipFromPosition) parts.push('zip');
  return parts;
}

/** Houses with the number, or else estimates. */
function answersOfPart(part: StreetPart, { number, address, zips, measured }: Question): readonly PartAnswer[] {
  const zip = part.street.zip;
  const context = {
    setting: settingOf(zip === undefined ? undefined : zips.find(zip)?.errorRadiusMeters),
    measured,
  };
  if (number === undefined)
    return [{ part, isHit: false, geocode: estimateGeocode(estimateOnStreet(part, context), undefined, address) }];
  const numbered = part.houses.filter((house) => house.number === number);
  if (numbered.length > 0) {
    return groupHouses(numbered).map((group) => ({ part, isHit: true, geocode: houseGeocode(group, []) }));
  }
  const places = estimateOnPart(part, number, context);
  if (places.length === 0) return [{ part, isHit: false, geocode: undefined }];
  return places.map((place) => ({
    part,
    isHit: place.precision === 'interpolated',
    geocode: estimateGeocode(place, number, address),
  }));
}

/** Drops equal places of several parts. */
function distinct(geocodes: readonly Geocode[]): readonly Geocode[] {
  const distinctPlaces: Geocode[] = [];
  for (const geocode of geocodes) {
    const isHouse = ({ method }: Geocode) => method === 'address_point';
    const isSame = (other: Geocode) =>
      other.precision !== 'street' &&
      geocode.precision !== 'street' &&
      ((isHouse(other) && isHouse(geocode)) ||
        other.matchedAddress.toLowerCase() === geocode.matchedAddress.toLowerCase()) &&
      sphericalDistanceMeters(other, geocode) <= other.errorRadiusMeters + geocode.errorRadiusMeters;
    if (!distinctPlaces.some(isSame)) distinctPlaces.push(geocode);
  }
  return distinctPlaces;
}

/** A house of that number and street in another ZIP code or city, for the message. */
function nearMiss({ book, address, number, name: queryName }: Question): string {
  const { state, zip, city } = address;
  if (number === undefined || state === undefined) return '';
  const elsewhere = book
    .streets({ core: queryName.core, state, zip, city, number })
    .filter((street) => compareStreetNames(queryName, street.name) > 0);
  const miss = elsewhere.find((street) => book.houses(street, number).length > 0);
  return miss === undefined ? '' : ` The book has ${describeStreet(miss, number)}, with another city or ZIP code.`;
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
