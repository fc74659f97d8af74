import type { Kysely } from 'kysely';

/** Which database it is, where a statement must know. */
export type Engine = 'sqlite' | 'postgres';

/** Tables as a migration sees them: it writes no rows of a known shape. */
export type MigrationTables = Record<string, Record<string, unknown>>;

/** One step of a list. Once it has been released it never changes: write another. */
export interface Migration {
  readonly name: string;
  /** Runs in the transaction that records it. Columns of the types text, integer and bigint mean the same on both engines. */
  up(db: Kysely<MigrationTables>, engine: Engine): Promise<void>;
}

/** The steps of one package, in order. Lists know nothing of each other. */
export interface MigrationList {
  readonly name: string;
  readonly migrations: readonly Migration[];
}
