/** A file is not an address book, or has nothing to import. */
export class AddressBookError extends Error {
  override readonly name = 'AddressBookError';
}
