import { type AddressBook, openAddressBook } from '@leeward/address-book';
import { distanceSettings } from '../coast/distance-settings.ts';
import { addressBookPath } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

/** Throws an `AddressBookError` without an address book. */
export function openKeptBook(terminal: Terminal): AddressBook {
  return openAddressBook(addressBookPath(distanceSettings(terminal).dataFolder));
}
