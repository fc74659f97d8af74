import { DatabaseSync } from 'node:sqlite';
import { AddressBookError } from '../address-book-error.ts';

/**
 * Keeps other imports from a book until it is given back, however this process ends: SQLite holds its lock on a file beside
 * the book only as long as the process lives.
 *
 * Errors: `AddressBookError` where another import is at work.
 */
export function lockBook(path: string): Disposable {
  const database = new DatabaseSync(`${path}.lock`);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    const message = `Another import or removal is at work on ${path}: wait for it, or stop it.`;
    throw new AddressBookError(message, { cause: error });
  }
  return { [Symbol.dispose]: () => database.close() };
}
