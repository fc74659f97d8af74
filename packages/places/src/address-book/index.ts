export {
  type AddressBook,
  type AddressSource,
  type BookAddress,
  type BookQuery,
  openAddressBook,
} from './address-book.ts';
export { AddressBookError } from './address-book-error.ts';
export { createAddressBookGeocoder } from './address-book-geocoder.ts';
export { importAddresses } from './import-addresses.ts';
export type { ImportOptions, ImportReport } from './import-options.ts';
export type { RejectionCode } from './read-record.ts';
