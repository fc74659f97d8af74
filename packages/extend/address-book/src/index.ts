export { AddressBookError } from './address-book-error.ts';
export {
  type RadiusMeasurement,
  type RadiusSample,
  sampleRadii,
  summarizeRadii,
} from './estimate/measure-radii.ts';
export {
  type AddressBook,
  type AddressSource,
  type BookHouse,
  type BookRange,
  type BookStreet,
  openAddressBook,
  type StreetQuery,
} from './file/address-book.ts';
export type { EstimateMethod, MeasuredRadius, Setting, Size } from './file/radius-table.ts';
export { importAddresses } from './import-addresses.ts';
export type { ImportFinding, ImportOptions, ImportProgress, ImportReport } from './import-options.ts';
export type { InputFormat, RejectionCode } from './input/address-input.ts';
export { type ColumnMap, type ColumnRole, columnRoles } from './input/columns.ts';
export { createAddressBookGeocoder } from './match/address-book-geocoder.ts';
export { type RecordKind, recordKinds } from './record.ts';
export { removeSource } from './remove-source.ts';
export { createServedBookGeocoder } from './served-book.ts';
