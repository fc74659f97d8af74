import type { Database } from '@leeward/database';
import { createEraser } from '../orchestrator/eraser.ts';
import { createInFlight } from '../orchestrator/in-flight.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { createSqlStore } from '../store/sql-store.ts';

/**
 * Erases the personal data of the quotes of teams that are no more, for a program that removes teams and does not quote: a
 * service that quotes does it by itself within a minute. @returns how many quotes.
 */
export async function eraseRemovedTeams(options: {
  /** With {@link quoteMigrations} applied. */
  readonly database: Database;
  readonly teams: TeamDirectory;
}): Promise<number> {
  const { database, teams } = options;
  const store = createSqlStore({ database });
  return createEraser({ store, teams, inFlight: createInFlight(), listener: () => {} }).eraseRemovedTeams();
}
