import { DatabaseSync } from 'node:sqlite';
import { AddressBookError } from '../address-book-error.ts';

/**
 * Locks a book against other imports. SQLite holds the lock on a file next to the book, so it ends with the process.
 *
 * @throws {AddressBookError} if another import holds the lock.
 */
export function lockBook(path: string): Disposable {
  const database = new DatabaseSync(`${path}.lock`);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const message = `Another import or removal of ${path} is running: wait for it, or stop it.`;
    throw new AddressBookError(message, { cause: error });
  }
  return { [Symbol.dispose]: () => database.close() };
}
