import { AddressBookError } from './address-book-error.ts';
import { lockBook } from './file/book-lock.ts';
import { clearRemoved } from './file/clear-removed.ts';
import { openDatabase } from './file/open-database.ts';

/**
 * Removes a source's addresses from a book in one step.
 *
 * @throws {AddressBookError} for an unknown source. It lists the sources.
 * @example
 * removeSource('addresses.sqlite', 'us/fl/miami_dade');
 */
export function removeSource(path: string, source: string): void {
  const database = openDatabase(path, false);
  try {
    using _lock = lockBook(path);
    const { changes } = database
      .prepare("UPDATE source SET status = 'removed' WHERE name = ? AND status <> 'removed'")
      .run(source);
    if (changes === 0) {
      const names = database.prepare("SELECT name FROM source WHERE status = 'live' ORDER BY name").all();
      const sources = names.map(({ name }) => JSON.stringify(name)).join(', ') || 'none';
      throw new AddressBookError(`There is no source ${JSON.stringify(source)}; the book has ${sources}.`);
    }
    clearRemoved(database);
  } finally {
    database.close();
  }
}
