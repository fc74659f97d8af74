export { type Address, type AddressFields, formatAddress } from './address/address.ts';
export type { AddressNote, AddressProblem, AddressProblemCode } from './address/address-problem.ts';
export type { CityLookup } from './address/city-lookup.ts';
export {
  type ReadAddressOptions,
  readAddressFields,
  type SplitAddress,
  splitAddress,
} from './address/split-address.ts';
export type {
  AddressPart,
  Geocode,
  GeocodeAttempt,
  GeocodeOptions,
  Geocoder,
  GeocoderAnswer,
  NotFoundCode,
} from './geocoder/geocoder.ts';
export {
  type AttemptOutcome,
  GeocoderUnavailableError,
  type UnavailableKind,
} from './geocoder/geocoder-unavailable-error.ts';
export { type Method, methods } from './geocoder/method.ts';
export { isAsFineAs, type Precision, precisions } from './geocoder/precision.ts';
export { checkPoint, type PointFinding } from './point/check-point.ts';
export { middleOf } from './point/middle-of.ts';
export { type Point, sphericalDistanceMeters } from './point/point.ts';
