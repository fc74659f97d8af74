import type { Kysely } from 'kysely';

/** The engine of a database. */
export type Engine = 'sqlite' | 'postgres';

/** Tables of a migration, without row types. */
export type MigrationTables = Record<string, Record<string, unknown>>;

/** A migration. A released migration never changes; add a new one. */
export interface Migration {
  readonly name: string;
  /**
   * Runs in the transaction that records it. The column types text, integer and bigint behave the same on both engines.
   */
  up(db: Kysely<MigrationTables>, engine: Engine): Promise<void>;
}

/** The migrations of one package, in order. Lists are independent of each other. */
export interface MigrationList {
  readonly name: string;
  readonly migrations: readonly Migration[];
}
