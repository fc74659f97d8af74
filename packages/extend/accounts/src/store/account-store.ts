import type { TokenUse } from '../token/last-use.ts';
import type { Kind, Records, SavedDecisionRecord } from './records.ts';

/** Fields that must equal these values. */
export type Equals<R> = { readonly [F in keyof R]?: R[F] & (string | number | null) };

export interface ListQuery<R> {
  readonly where?: Equals<R>;
  /** Only what comes after this id in the order of the list. */
  readonly after?: string | undefined;
  readonly limit?: number;
  /** By id, which is by age; default oldest first. */
  readonly newestFirst?: boolean;
}

/** Reads records by kind. */
export interface StoreReader {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  list<K extends Kind>(kind: K, query: ListQuery<Records[K]>): Promise<Records[K][]>;
  count<K extends Kind>(kind: K, where: Equals<Records[K]>): Promise<number>;
}

/** Reads and writes within one transaction. */
export interface StoreWriter extends StoreReader {
  /** Reads an organization or a registry and keeps other writers from it until this one is done. Every change begins with one. */
  lock<K extends 'organizations' | 'registries'>(kind: K, id: string): Promise<Records[K] | undefined>;
  /** @throws {DuplicateRecordError} when a unique field is taken; the whole write is then undone. */
  insert<K extends Kind>(kind: K, record: Records[K]): Promise<void>;
  /** Puts a record in the place of the one with its id. @throws {DuplicateRecordError} likewise. */
  replace<K extends Kind>(kind: K, record: Records[K]): Promise<void>;
  /** Removes a record and what belongs to it. */
  remove(kind: Kind, id: string): Promise<void>;
}

/** Storage of accounts. Writes are atomic, and on disk (if there is one) before they resolve. */
export interface AccountStore {
  /** Single reads, each of the last committed state. */
  readonly reader: StoreReader;
  /** Several reads of one moment. */
  read<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>;
  /** One transaction. `work` may run more than once, so it only reads and writes through its argument. */
  write<T>(work: (writer: StoreWriter) => Promise<T>): Promise<T>;
  /** Records when tokens were last used, never earlier than on record. Touches no revision. */
  recordUses(uses: readonly TokenUse[]): Promise<void>;
  /**
   * Saves decisions and keeps the latest `maxOfEach` of each organization (and of none). Drops those of removed
   * organizations.
   */
  saveDecisions(decisions: readonly SavedDecisionRecord[], maxOfEach: number): Promise<void>;
  /** Forgets decisions that were made before an instant. */
  forgetDecisions(beforeMs: number): Promise<void>;
}

/** A record with the same unique fields is there already. */
export class DuplicateRecordError extends Error {
  override readonly name = 'DuplicateRecordError';
}
