/** A file is no address book, or holds nothing that could be imported into one. */
export class AddressBookError extends Error {
  override readonly name = 'AddressBookError';
}
