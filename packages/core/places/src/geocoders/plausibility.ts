import { writeLength } from '@leeward/terms';
import type { Address } from '../address/address.ts';
import type { Geocode } from '../geocoder/geocoder.ts';
import { type Point, sphericalDistanceMeters } from '../point/point.ts';
import type { ZipGazetteer } from '../zips/zip-gazetteer.ts';

/** A reason if an answer cannot be the place of the address. */
export type PlausibilityCheck = (address: Address, geocode: Geocode) => string | undefined;

/** ZIP codes and cities extend beyond their points and radii. */
const SLACK_METERS = 25_000;
/** Every home in the United States is nearer to a ZIP point. */
const REMOTE_METERS = 250_000;

/**
 * Checks answers of geocoders against the gazetteer. The point must be on the globe, in the state, and near the ZIP code, or near the
 * city without a ZIP code.
 * @example
 * createPlausibilityCheck(zips)(address, geocode); // 'the place is in KS, not in FL'
 */
export function createPlausibilityCheck(gazetteer: ZipGazetteer): PlausibilityCheck {
  return (address, geocode) => {
    const { latitude, longitude } = geocode;
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
      return `${latitude}, ${longitude} is not a point on the globe`;
    if (address.state !== undefined && geocode.state !== undefined && geocode.state !== address.state) {
      return `the place is in ${geocode.state.toUpperCase()}, not in ${address.state.toUpperCase()}`;
    }
    const zipPoint = address.zip === undefined ? undefined : gazetteer.find(address.zip);
    if (zipPoint !== undefined) return farFrom(`ZIP code ${zipPoint.zip}`, geocode, [zipPoint]);
    const { city, state } = address;
    const cityPoints =
      city === undefined || state === undefined
        ? []
        : [...gazetteer.findCity(state, city), ...gazetteer.findPlaces(state, city)];
    if (cityPoints.length > 0) return farFrom(`${city}, ${state?.toUpperCase()}`, geocode, cityPoints);
    return state === undefined ? undefined : outsideState(gazetteer, geocode, state);
  };
}

interface Circle extends Point {
  readonly errorRadiusMeters: number;
}

function farFrom(what: string, point: Point, places: readonly Circle[]): string | undefined {
  const near = places.some((place) => sphericalDistanceMeters(place, point) <= place.errorRadiusMeters + SLACK_METERS);
  if (near) return undefined;
  const nearest = Math.min(...places.map((place) => sphericalDistanceMeters(place, point)));
  return `the place is ${writeLength(nearest)} from ${what}`;
}

function outsideState(gazetteer: ZipGazetteer, point: Point, state: string): string | undefined {
  const near = gazetteer.nearest(point, 10, REMOTE_METERS);
  return near.some(({ zipPoint }) => zipPoint.state === state)
    ? undefined
    : `the place is not in ${state.toUpperCase()}`;
}
