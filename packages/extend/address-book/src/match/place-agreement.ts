import type { Address } from '@leeward/places';
import { sphericalDistanceMeters } from '@leeward/places';
import { type CityReading, cityReading, placeKey } from '@leeward/places/address';
import type { ZipGazetteer } from '@leeward/places/zips';
import { LRUCache } from 'lru-cache';
import type { BookHouse, BookStreet } from '../file/address-book.ts';

/** Certainty that a street is in the requested place: by its source, or only by its position. */
export type Agreement = 'sure' | 'possible';

export interface PlaceAgreement {
  /** The address, with the ZIP code that its city implies. */
  readonly address: Address;
  /** Nearby ZIP codes that a street without one may have got by its position. */
  readonly around: readonly string[];
  /** Undefined for a street of another place. */
  agreementOf(street: BookStreet): Agreement | undefined;
  /** True if a house that matches by position is clearly in the requested ZIP code or city. */
  isClear(house: BookHouse): boolean;
}

const MAX_ZIPS_AROUND = 12;
/** Maximum ratio of the distances to the nearest and the next ZIP point that makes a position clear. */
const CLEARLY = 0.6;
/** Maximum distance between ZIP points of one city. */
const SAME_CITY_METERS = 60_000;

const MAX_REMEMBERED_PLACES = 5_000;

export function createAgreement(zips: ZipGazetteer): (query: Address) => PlaceAgreement {
  const memory: PlaceMemory = {
    zips,
    keyOf: remember(placeKey),
    readingOf: remember((text) => {
      const [state = '', ...city] = text.split('|');
      return cityReading(zips, state, city.join('|'));
    }),
    zipsAround: remember((zip) => {
      const point = zips.find(zip);
      return point === undefined ? [] : zips.nearest(point, MAX_ZIPS_AROUND).map((near) => near.zipPoint.zip);
    }),
  };
  return (query) => agreementWith(query, memory);
}

function remember<Value extends {}>(make: (text: string) => Value): (text: string) => Value {
  const values = new LRUCache<string, Value>({ max: MAX_REMEMBERED_PLACES, memoMethod: make });
  return (text) => values.memo(text);
}

interface PlaceMemory {
  readonly zips: ZipGazetteer;
  readonly keyOf: (city: string) => string;
  /** Key: state and city, separated by `|`. */
  readonly readingOf: (text: string) => CityReading;
  readonly zipsAround: (zip: string) => readonly string[];
}

function agreementWith(query: Address, { zips, keyOf, readingOf, zipsAround }: PlaceMemory): PlaceAgreement {
  const { city, state } = query;
  const reading = city === undefined || state === undefined ? undefined : readingOf(`${state}|${city}`);
  const cityZips = new Set(reading?.zips.map(({ zip }) => zip));
  const [onlyZip] = cityZips;
  const address = query.zip === undefined && cityZips.size === 1 ? { ...query, zip: onlyZip } : query;
  const { zip } = address;
  const point = zip === undefined ? undefined : zips.find(zip);
  const around = zip === undefined ? [] : zipsAround(zip);
  const cityKey = city === undefined ? undefined : keyOf(city);
  const isCityFar = () =>
    point !== undefined &&
    reading !== undefined &&
    reading.zips.length > 0 &&
    reading.zips.every((each) => sphericalDistanceMeters(each, point) > SAME_CITY_METERS);

  // A town's mail can be addressed to a neighboring city. The ZIP code identifies the town.
  const isTownOfZip = () =>
    point !== undefined &&
    reading?.places.some(
      (place) => sphericalDistanceMeters(place, point) <= place.errorRadiusMeters + point.errorRadiusMeters,
    ) === true;

  const byZip = (street: BookStreet): Agreement | undefined => {
    if (zip === undefined) return 'sure';
    if (street.zip === zip) return street.isZipFromPosition ? 'possible' : 'sure';
    if (!street.isZipFromPosition || street.city === undefined || cityKey === undefined) return undefined;
    return around.includes(street.zip ?? '') ? 'possible' : undefined;
  };
  const byCity = (street: BookStreet): Agreement | undefined => {
    if (cityKey === undefined) return 'sure';
    if (street.city !== undefined) return agrees(street) ? 'sure' : undefined;
    if (zip !== undefined) return isCityFar() ? undefined : 'sure';
    if (street.zip === undefined || !cityZips.has(street.zip)) return undefined;
    return street.isZipFromPosition ? 'possible' : 'sure';
  };
  const agrees = (street: BookStreet) => {
    const key = keyOf(street.city!);
    return (
      key === cityKey ||
      reading?.keys.has(key) === true ||
      (street.zip === zip && isTownOfZip()) ||
      (reading?.isWider === true && cityZips.has(street.zip ?? ''))
    );
  };
  return {
    address,
    around,
    agreementOf(street) {
      const [inZip, inCity] = [byZip(street), byCity(street)];
      if (inZip === undefined || inCity === undefined) return undefined;
      return inZip === 'sure' && inCity === 'sure' ? 'sure' : 'possible';
    },
    isClear(house) {
      const isRequested = (code: string) => (zip === undefined ? cityZips.has(code) : code === zip);
      const near = zips.nearest(house, 20);
      const [first] = near;
      const other = near.find(({ zipPoint }) => !isRequested(zipPoint.zip));
      if (first === undefined || !isRequested(first.zipPoint.zip)) return false;
      return other === undefined || first.distanceMeters <= CLEARLY * other.distanceMeters;
    },
  };
}
