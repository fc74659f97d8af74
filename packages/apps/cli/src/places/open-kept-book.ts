import { type AddressBook, openAddressBook } from '@leeward/address-book';
import { distanceSettings } from '../coast/distance-settings.ts';
import { addressBookPath } from '../serve/open-distances.ts';
import type { Terminal } from '../terminal.ts';

/** The address book of the data folder. Throws an `AddressBookError` where there is none. */
export function openKeptBook(terminal: Terminal): AddressBook {
  return openAddressBook(addressBookPath(distanceSettings(terminal).dataFolder));
}
