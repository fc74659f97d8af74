import type { Address } from '../../address/address.ts';
import { sphericalDistanceMeters } from '../../point/point.ts';
import { cityReading } from '../../zips/city-reading.ts';
import { placeKey } from '../../zips/place-key.ts';
import type { ZipGazetteer } from '../../zips/zip-gazetteer.ts';
import type { BookHouse, BookStreet } from '../file/address-book.ts';

/** How surely a street of the book is in the place asked for: by what its source says, or by its position alone. */
export type Agreement = 'sure' | 'possible';

export interface PlaceAgreement {
  /** The address, with the ZIP code that its city alone implies. */
  readonly address: Address;
  /** ZIP codes under which streets of the place can stand in the book; undefined where all of the state is to be looked at. */
  readonly zips: readonly string[] | undefined;
  /** Undefined for a street of another place. */
  judge(street: BookStreet): Agreement | undefined;
  /** Whether a house that agrees by its position alone lies clearly in the ZIP code or city asked for. */
  isClear(house: BookHouse): boolean;
}

/** ZIP points around one asked for, under which a street without a ZIP code of its own may have been put. */
const zipsAround = 12;
/** A position tells its ZIP code where the next other ZIP point is so much farther. */
const clearly = 0.6;
/** A city's ZIP points lie nearer than this to those of the ZIP codes that are written with it. */
const sameCityMeters = 60_000;

export function agreementWith(given: Address, zips: ZipGazetteer): PlaceAgreement {
  const { city, state } = given;
  const reading = city === undefined || state === undefined ? undefined : cityReading(zips, state, city);
  const cityZips = new Set(reading?.zips.map(({ zip }) => zip));
  const [onlyZip] = cityZips;
  const address = given.zip === undefined && cityZips.size === 1 ? { ...given, zip: onlyZip } : given;
  const { zip } = address;
  const point = zip === undefined ? undefined : zips.find(zip);
  const around = point === undefined ? [] : zips.nearest(point, zipsAround).map((near) => near.zipPoint.zip);
  const cityKey = city === undefined ? undefined : placeKey(city);
  // A ZIP code and a city far from each other contradict each other, whatever a street says.
  const isCityFar =
    point !== undefined &&
    reading !== undefined &&
    reading.zips.length > 0 &&
    reading.zips.every((each) => sphericalDistanceMeters(each, point) > sameCityMeters);

  const byZip = (street: BookStreet): Agreement | undefined => {
    if (zip === undefined) return 'sure';
    if (street.zip === zip) return street.isZipFromPosition ? 'possible' : 'sure';
    if (!street.isZipFromPosition || street.city === undefined || cityKey === undefined) return undefined;
    return around.includes(street.zip ?? '') ? 'possible' : undefined;
  };
  const byCity = (street: BookStreet): Agreement | undefined => {
    if (cityKey === undefined) return 'sure';
    if (street.city !== undefined) return agrees(street) ? 'sure' : undefined;
    if (zip !== undefined) return isCityFar ? undefined : 'sure';
    if (street.zip === undefined || !cityZips.has(street.zip)) return undefined;
    return street.isZipFromPosition ? 'possible' : 'sure';
  };
  const agrees = (street: BookStreet) => {
    const key = placeKey(street.city!);
    return (
      key === cityKey ||
      reading?.keys.has(key) === true ||
      (reading?.isWider === true && cityZips.has(street.zip ?? ''))
    );
  };
  return {
    address,
    zips: zip === undefined ? undefined : [...new Set([zip, ...around])],
    judge(street) {
      const [inZip, inCity] = [byZip(street), byCity(street)];
      if (inZip === undefined || inCity === undefined) return undefined;
      return inZip === 'sure' && inCity === 'sure' ? 'sure' : 'possible';
    },
    isClear(house) {
      const wanted = (code: string) => (zip === undefined ? cityZips.has(code) : code === zip);
      const near = zips.nearest(house, 20);
      const [first] = near;
      const other = near.find(({ zipPoint }) => !wanted(zipPoint.zip));
      if (first === undefined || !wanted(first.zipPoint.zip)) return false;
      return other === undefined || first.distanceMeters <= clearly * other.distanceMeters;
    },
  };
}
