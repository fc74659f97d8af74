import { type Address, formatAddress } from '../address/address.ts';
import { didYouMeanPlace } from '../address/state-of-city.ts';
import type { AddressPart, Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import type { NamedPlace } from '../names/named-table.ts';
import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import { type CityReading, cityReading } from '../zips/city-reading.ts';
import { placeAttribution, zipAttribution } from '../zips/zip-attribution.ts';
import type { ZipGazetteer, ZipPoint } from '../zips/zip-gazetteer.ts';

const name = 'zip_gazetteer';
/** ZIP points of one city are nearer; farther apart, two places share the name. */
const SAME_CITY_METERS = 60_000;
/** In one state, how many times as populous as a namesake the city is that people mean. */
const MAIN_PLACE = 10;
/** Population of a namesake that people may mean; the city of a post office is larger than its town. */
const MIN_NAMESAKE = 2_000;
const MAX_NAMESAKES = 3;
/** ZIP points that give the county of a place. */
const NEAR_COUNT = 8;

/**
 * Creates an offline geocoder: the point of the ZIP code, else of the city, with the radius that contains its homes. It ignores the
 * street.
 * @example
 * createGazetteerGeocoder(await loadZipGazetteer());
 */
export function createGazetteerGeocoder(gazetteer: ZipGazetteer): Geocoder {
  return {
    name,
    async geocode(address, options) {
      options?.signal?.throwIfAborted();
      return locate(gazetteer, address);
    },
  };
}

function locate(gazetteer: ZipGazetteer, address: Address): GeocoderAnswer {
  const zipPoint = address.zip === undefined ? undefined : gazetteer.find(address.zip);
  if (zipPoint !== undefined) return locateZip(gazetteer, address, zipPoint);
  if (address.city !== undefined && address.state !== undefined) {
    const answer = locateCity(gazetteer, address, address.city, address.state);
    if (answer !== undefined) return answer;
  }
  if (address.zip !== undefined) {
    return { status: 'not_found', code: 'unknown_zip', message: `${address.zip} is not a known ZIP code.` };
  }
  return { status: 'not_found', code: 'unknown_city', message: unknownCity(gazetteer, address) };
}

function unknownCity(gazetteer: ZipGazetteer, { city = '', state = '' }: Address): string {
  const place = formatAddress({ line1: undefined, city, state, zip: undefined });
  const similar = gazetteer.suggestPlaces(city, state);
  const namesakes = similar.length > 0 ? [] : gazetteer.placesNamed(city).slice(0, MAX_NAMESAKES);
  const hint = didYouMeanPlace([...similar, ...namesakes]);
  return hint === ''
    ? `The city "${place}" is unknown: give the ZIP code.`
    : `The city "${place}" is unknown.${hint} If not, give the ZIP code.`;
}

function locateZip(gazetteer: ZipGazetteer, address: Address, point: ZipPoint): GeocoderAnswer {
  const { state, city } = address;
  if (state !== undefined && state !== point.state && !reaches(gazetteer, point, state)) {
    const message = `ZIP code ${point.zip} is in ${point.state.toUpperCase()}, not in ${state.toUpperCase()}: correct one of the two.`;
    return { status: 'not_found', code: 'zip_not_in_state', message };
  }
  const elsewhere = city === undefined || state === undefined ? [] : placesOf(cityReading(gazetteer, state, city));
  const cityIsFar =
    elsewhere.length > 0 &&
    elsewhere.every((other) => {
      const reach = Math.max(SAME_CITY_METERS, other.errorRadiusMeters) + point.errorRadiusMeters;
      return sphericalDistanceMeters(other, point) > reach;
    });
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined) unmatched.push('line1');
  if (cityIsFar) unmatched.push('city');
  return { status: 'found', geocode: zipGeocode(point, unmatched) };
}

function placesOf({ zips, places }: CityReading): readonly (ZipPoint | NamedPlace)[] {
  return [...zips, ...places];
}

/** Some ZIP codes cross a state line: the other state has ZIP points within this one's radius. */
function reaches(gazetteer: ZipGazetteer, point: ZipPoint, state: string): boolean {
  return gazetteer.nearest(point, 30, point.errorRadiusMeters).some(({ zipPoint }) => zipPoint.state === state);
}

function zipGeocode(point: ZipPoint, unmatched: readonly AddressPart[]): Geocode {
  const { latitude, longitude, errorRadiusMeters, state, zip, countyFips, city } = point;
  const matchedAddress = formatAddress({ line1: undefined, city, state, zip });
  return {
    latitude,
    longitude,
    precision: 'zip_centroid',
    method: 'zip_point',
    errorRadiusMeters,
    geocoder: name,
    matchedAddress,
    state,
    zip,
    countyFips,
    unmatched,
    attribution: zipAttribution,
  };
}

/** A circle that homes lie in. */
interface Circle extends Point {
  readonly errorRadiusMeters: number;
  readonly state: string;
  readonly name: string | undefined;
  readonly zip: string;
  readonly countyFips: string | undefined;
  readonly place: NamedPlace | undefined;
}

function locateCity(
  gazetteer: ZipGazetteer,
  address: Address,
  city: string,
  state: string,
): GeocoderAnswer | undefined {
  const reading = cityReading(gazetteer, state, city);
  const { places } = reading;
  const isExact = gazetteer.findCity(state, city).length > 0;
  // A place of exactly this name comes before a city with another word, and before a county.
  const all = isExact || places.length === 0 ? reading.zips : [];
  // PO boxes and single buildings are less certain: only if the city has nothing else.
  const measured = all.filter((point) => point.positionFrom === 'census');
  const name = reading.isWider ? city : undefined;
  const cityCircles = groupByNearness(measured.length > 0 ? measured : all).map((group) => cityCircle(group, name));
  const placeCircles = groupByNearness(places).map((group) => placeCircle(gazetteer, group));
  const circles = [...cityCircles, ...(isMainPlace(gazetteer, city, state) ? [] : placeCircles)];
  const [only] = circles;
  if (only === undefined) return undefined;
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined) unmatched.push('line1');
  if (address.zip !== undefined) unmatched.push('zip');
  if (circles.length > 1) {
    // By a ZIP code, so that the caller can choose.
    const candidates = circles.map((circle) => circleGeocode(circle, unmatched, circle.zip));
    return { status: 'ambiguous', candidates };
  }
  const part = address.line1 === undefined ? undefined : partOfCity(gazetteer, address.line1, only);
  return part === undefined
    ? { status: 'found', geocode: circleGeocode(only, unmatched) }
    : {
        status: 'found',
        geocode: circleGeocode(
          part,
          unmatched.filter((each) => each !== 'line1'),
        ),
      };
}

/** True if no place of the city's name elsewhere in the state is an area, or large enough to be meant. */
function isMainPlace(gazetteer: ZipGazetteer, city: string, state: string): boolean {
  const named = gazetteer.placesNamed(city).filter((each) => each.state === state);
  const main = named.find(({ kind }) => kind === 'city');
  if (main === undefined) return false;
  const enough = Math.max(MIN_NAMESAKE, main.population / MAIN_PLACE);
  return named.every((each) => each === main || (each.kind !== 'area' && each.population < enough));
}

/** A street line that is the name of a neighborhood: `South Beach, Miami Beach`. */
function partOfCity(gazetteer: ZipGazetteer, line1: string, city: Circle): Circle | undefined {
  const parts = gazetteer
    .findPlaces(city.state, line1)
    .filter((part) => sphericalDistanceMeters(part, city) <= part.errorRadiusMeters + city.errorRadiusMeters);
  return parts.length === 1 ? placeCircle(gazetteer, parts) : undefined;
}

function groupByNearness<Each extends Point>(points: readonly Each[]): readonly (readonly Each[])[] {
  let groups: Each[][] = [];
  for (const point of points) {
    const isNear = (group: readonly Each[]) =>
      group.some((other) => sphericalDistanceMeters(other, point) <= SAME_CITY_METERS);
    const near = groups.filter(isNear);
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), point]];
  }
  return groups;
}

function cityCircle(points: readonly ZipPoint[], cityName: string | undefined): Circle {
  const [{ city, state, zip, countyFips }] = points as readonly [ZipPoint];
  const isOneCounty = points.every((point) => point.countyFips === countyFips);
  return {
    ...circleAround(points),
    state,
    name: cityName ?? city,
    zip,
    countyFips: isOneCounty ? countyFips : undefined,
    place: undefined,
  };
}

function placeCircle(gazetteer: ZipGazetteer, places: readonly NamedPlace[]): Circle {
  const circle = circleAround(places);
  const [place] = places as readonly [NamedPlace];
  const near = gazetteer.nearest(circle, NEAR_COUNT).filter(({ distanceMeters }, index) => {
    return index === 0 || distanceMeters <= circle.errorRadiusMeters;
  });
  const [countyFips, ...others] = new Set(near.map(({ zipPoint }) => zipPoint.countyFips));
  return {
    ...circle,
    state: place.state,
    name: place.name,
    zip: (near.find(({ zipPoint }) => zipPoint.positionFrom === 'census') ?? near[0])!.zipPoint.zip,
    countyFips: others.length === 0 ? countyFips : undefined,
    place,
  };
}

function circleAround(parts: readonly (Point & { readonly errorRadiusMeters: number })[]) {
  const mean = (value: (part: Point) => number) => parts.reduce((sum, part) => sum + value(part), 0) / parts.length;
  const center = { latitude: mean((part) => part.latitude), longitude: mean((part) => part.longitude) };
  const errorRadiusMeters = Math.ceil(
    Math.max(...parts.map((part) => sphericalDistanceMeters(center, part) + part.errorRadiusMeters)),
  );
  return { ...center, errorRadiusMeters };
}

function circleGeocode(
  { latitude, longitude, errorRadiusMeters, state, name: city, countyFips, place }: Circle,
  unmatched: readonly AddressPart[],
  zip?: string,
): Geocode {
  return {
    latitude,
    longitude,
    precision: 'city_centroid',
    method: 'city_points',
    ...(place === undefined ? {} : { detail: `the middle of ${place.name} and a radius that covers it` }),
    errorRadiusMeters,
    geocoder: name,
    matchedAddress: formatAddress({ line1: undefined, city, state, zip }),
    state,
    countyFips,
    unmatched,
    attribution: place === undefined ? zipAttribution : placeAttribution,
  };
}
