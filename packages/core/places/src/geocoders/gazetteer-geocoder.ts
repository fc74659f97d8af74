import { type Address, formatAddress } from '../address/address.ts';
import type { AddressPart, Geocode, Geocoder, GeocoderAnswer } from '../geocoder/geocoder.ts';
import { sphericalDistanceMeters } from '../point/point.ts';
import { cityReading } from '../zips/city-reading.ts';
import { zipAttribution } from '../zips/zip-attribution.ts';
import type { ZipGazetteer, ZipPoint } from '../zips/zip-gazetteer.ts';

const name = 'zip_gazetteer';
/** ZIP points of one city are nearer; farther apart, two places share the name. */
const SAME_CITY_METERS = 60_000;

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
  const place = formatAddress({ ...address, line1: undefined });
  return { status: 'not_found', code: 'unknown_city', message: `The city "${place}" is unknown: give the ZIP code.` };
}

function locateZip(gazetteer: ZipGazetteer, address: Address, point: ZipPoint): GeocoderAnswer {
  const { state, city } = address;
  if (state !== undefined && state !== point.state && !reaches(gazetteer, point, state)) {
    const message = `ZIP code ${point.zip} is in ${point.state.toUpperCase()}, not in ${state.toUpperCase()}: correct one of the two.`;
    return { status: 'not_found', code: 'zip_not_in_state', message };
  }
  const elsewhere = city === undefined || state === undefined ? [] : cityReading(gazetteer, state, city).zips;
  const cityIsFar =
    elsewhere.length > 0 &&
    elsewhere.every((other) => sphericalDistanceMeters(other, point) > SAME_CITY_METERS + point.errorRadiusMeters);
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined) unmatched.push('line1');
  if (cityIsFar) unmatched.push('city');
  return { status: 'found', geocode: zipGeocode(point, unmatched) };
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

function locateCity(
  gazetteer: ZipGazetteer,
  address: Address,
  city: string,
  state: string,
): GeocoderAnswer | undefined {
  const { zips: all, isWider } = cityReading(gazetteer, state, city);
  if (all.length === 0) return undefined;
  // PO boxes and single buildings are less certain: only if the city has nothing else.
  const measured = all.filter((point) => point.positionFrom === 'census');
  const points = measured.length > 0 ? measured : all;
  const unmatched: AddressPart[] = [];
  if (address.line1 !== undefined) unmatched.push('line1');
  if (address.zip !== undefined) unmatched.push('zip');
  const groups = groupByNearness(points);
  const cityName = isWider ? city : undefined;
  const candidates = groups.map((group) => cityGeocode(group, unmatched, cityName));
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return { status: 'found', geocode: only };
  // By a ZIP code, so that the caller can choose.
  const named = candidates.map((candidate, index) => {
    const { city: name, state: code, zip } = groups[index]![0]!;
    return { ...candidate, matchedAddress: formatAddress({ line1: undefined, city: name, state: code, zip }) };
  });
  return { status: 'ambiguous', candidates: named };
}

function groupByNearness(points: readonly ZipPoint[]): readonly (readonly ZipPoint[])[] {
  let groups: ZipPoint[][] = [];
  for (const point of points) {
    const isNear = (group: readonly ZipPoint[]) =>
      group.some((other) => sphericalDistanceMeters(other, point) <= SAME_CITY_METERS);
    const near = groups.filter(isNear);
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), point]];
  }
  return groups;
}

function cityGeocode(
  points: readonly ZipPoint[],
  unmatched: readonly AddressPart[],
  cityName: string | undefined,
): Geocode {
  const mean = (value: (point: ZipPoint) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const center = { latitude: mean((point) => point.latitude), longitude: mean((point) => point.longitude) };
  const errorRadiusMeters = Math.ceil(
    Math.max(...points.map((point) => sphericalDistanceMeters(center, point) + point.errorRadiusMeters)),
  );
  const [{ city, state, countyFips }] = points as readonly [ZipPoint];
  const isOneCounty = points.every((point) => point.countyFips === countyFips);
  return {
    ...center,
    precision: 'city_centroid',
    method: 'city_points',
    errorRadiusMeters,
    geocoder: name,
    matchedAddress: formatAddress({ line1: undefined, city: cityName ?? city, state, zip: undefined }),
    state,
    countyFips: isOneCounty ? countyFips : undefined,
    unmatched,
    attribution: zipAttribution,
  };
}
