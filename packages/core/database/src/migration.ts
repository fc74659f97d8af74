import type { Kysely } from 'kysely';

/** The engine of a database. */
export type Engine = 'sqlite' | 'postgres';

/** Without row types. */
export type MigrationTables = Record<string, Record<string, unknown>>;

/** Never changes after its release. */
export interface Migration {
  readonly name: string;
  /** Runs in the transaction that records it. Use text, integer and bigint: they are equal on both engines. */
  up(db: Kysely<MigrationTables>, engine: Engine): Promise<void>;
}

/** Migrations of one package, in order. Lists are independent. */
export interface MigrationList {
  readonly name: string;
  readonly migrations: readonly Migration[];
}
