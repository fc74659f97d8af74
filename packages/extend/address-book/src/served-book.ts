import { statSync } from 'node:fs';
import type { Geocoder } from '@leeward/places';
import { GeocoderUnavailableError } from '@leeward/places';
import type { ZipGazetteer } from '@leeward/places/zips';
import { AddressBookError } from './address-book-error.ts';
import { type AddressBook, openAddressBook } from './file/address-book.ts';
import { createAddressBookGeocoder } from './match/address-book-geocoder.ts';

interface Opened {
  readonly book: AddressBook;
  readonly geocoder: Geocoder;
  readonly inode: number;
}

/**
 * A geocoder over the book at `path`, for a program that runs during imports. It is not ready until the file exists. A replaced file is
 * reopened; imports into an open book are visible at once. A file that is not a book makes it unavailable.
 *
 * @example
 * createGeocoderChain({ geocoders: [createServedBookGeocoder('addresses.sqlite', zips), createGazetteerGeocoder(zips)] });
 */
export function createServedBookGeocoder(path: string, zips: ZipGazetteer): Geocoder & Disposable {
  let opened: Opened | undefined;
  const close = () => {
    opened?.book.close();
    opened = undefined;
  };
  const current = (): Geocoder | undefined => {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (inode === opened?.inode) return opened?.geocoder;
    close();
    if (inode === undefined) return undefined;
    try {
      const book = openAddressBook(path);
      opened = { book, geocoder: createAddressBookGeocoder(book, zips), inode };
      return opened.geocoder;
    } catch (error) {
      if (!(error instanceof AddressBookError)) throw error;
      throw new GeocoderUnavailableError('address_book', 'malformed_answer', 'its file is not an address book.', {
        cause: error,
      });
    }
  };
  return {
    name: 'address_book',
    isReady: () => statSync(path, { throwIfNoEntry: false }) !== undefined,
    async geocode(address, options) {
      options?.signal?.throwIfAborted();
      const geocoder = current();
      if (geocoder !== undefined) return geocoder.geocode(address, options);
      return { status: 'not_found', code: 'no_match', message: 'The address book is empty.' };
    },
    [Symbol.dispose]: close,
  };
}
