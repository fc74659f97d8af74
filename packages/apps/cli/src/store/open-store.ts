import { type Database, MigrationError, type MigrationList, openDatabase } from '@leeward/database';
import { CommandError } from '../command-error.ts';
import { isMissingPackage } from '../user-mistake.ts';

/** Opens the database of an instance. Throws a `CommandError` for what its operator can mend. */
export async function openStore(url: string, migrations: readonly MigrationList[]): Promise<Database> {
  try {
    return await openDatabase(url, { migrations });
  } catch (error) {
    if (error instanceof TypeError || error instanceof MigrationError) throw new CommandError(error.message);
    throw isMissingPackage(error) ? error : unreachableStore(error);
  }
}

/** PostgreSQL error code `invalid_catalog_name`. */
const noSuchDatabase = '3D000';

/** Omits the original message, which may contain the address and its password. */
export function unreachableStore(error: unknown): CommandError {
  const { code } = error as { code?: unknown };
  if (code === noSuchDatabase)
    return new CommandError(
      'The server is there, but not the database that LEEWARD_DATABASE_URL names: make it with createdb.',
    );
  const why = typeof code === 'string' ? ` (${code})` : '';
  return new CommandError(
    `The database cannot be used${why}; see LEEWARD_DATABASE_URL and LEEWARD_DATA_DIR, and whether it is running.`,
  );
}
