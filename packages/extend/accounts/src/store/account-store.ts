import type { NewAuditRecord } from '../audit/audit-entry.ts';
import type { TokenUse } from '../token/last-use.ts';
import type { Reminder } from '../token/rotation.ts';
import type { Kind, Records, SavedDecisionRecord, WrittenKind } from './records.ts';

/** Times in epoch milliseconds. */
export interface ReminderQuery {
  readonly environment: string;
  readonly nowMs: number;
  /** Maximum lifetime of a token by policy. undefined: none. */
  readonly maxDays: number | undefined;
}

/** Conditions of a query: fields and their values. */
export type Equals<R> = { readonly [F in keyof R]?: R[F] & (string | number | null) };

export interface ListQuery<R> {
  readonly where?: Equals<R>;
  /** Exclusive, in the order of the list. */
  readonly after?: string | undefined;
  readonly limit?: number;
  /** By id, and so by age. @default false */
  readonly newestFirst?: boolean;
}

/** Reads records by kind. */
export interface StoreReader {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  list<K extends Kind>(kind: K, query: ListQuery<Records[K]>): Promise<Records[K][]>;
  count<K extends Kind>(kind: K, where: Equals<Records[K]>): Promise<number>;
}

/** One transaction. */
export interface StoreWriter extends StoreReader {
  /** Locks a record against other writers until the transaction ends. Every change begins with it. */
  lock<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  /** @throws {DuplicateRecordError} And undoes the transaction. */
  insert<K extends WrittenKind>(kind: K, record: Records[K]): Promise<void>;
  /** @throws {DuplicateRecordError} Like `insert`. */
  replace<K extends WrittenKind>(kind: K, record: Records[K]): Promise<void>;
  /** With all records that belong to it. */
  remove(kind: WrittenKind, id: string): Promise<void>;
  /** Adds an entry to the end of its chain, which other writers cannot extend until the transaction ends. */
  append(entry: NewAuditRecord): Promise<void>;
}

/** Storage of accounts. Writes are atomic and durable before they resolve. */
export interface AccountStore {
  /** The last committed state. */
  readonly reader: StoreReader;
  /** Consistent reads. */
  read<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>;
  /** One transaction. `work` may run more than once. */
  write<T>(work: (writer: StoreWriter) => Promise<T>): Promise<T>;
  /** Counts valid tokens that are due for rotation. Leaves out tokens of sign-ins, and tokens that already have a successor. */
  countReminders(query: ReminderQuery): Promise<Readonly<Record<Reminder, number>>>;
  /** Never moves a time back. Keeps the revision. */
  recordUses(uses: readonly TokenUse[]): Promise<void>;
  /** Keeps the latest `maxOfEach` per organization (and of none). Skips removed organizations. */
  saveDecisions(decisions: readonly SavedDecisionRecord[], maxOfEach: number): Promise<void>;
  forgetDecisions(beforeMs: number): Promise<void>;
}

/** A unique field is taken. */
export class DuplicateRecordError extends Error {
  override readonly name = 'DuplicateRecordError';
}
