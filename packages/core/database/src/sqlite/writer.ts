import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import { DatabaseBusyError } from '../violations.ts';
import { Statements } from './statements.ts';
import { WriterLock } from './writer-lock.ts';

/** Transactions committed together: one write to disk, one outcome for all of them. */
interface Group {
  size: number;
  readonly outcome: Promise<void>;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

export interface WriterOptions {
  /** Maximum wait for the lock of another process, or for a transaction of this one. */
  readonly busyTimeoutMs: number;
  /** Maximum number of transactions per commit; 1 commits each separately. */
  readonly groupSize: number;
}

/**
 * The only writing connection. Transactions run one after another, and those that end within the same event loop
 * iteration are committed together (group commit). Each has a savepoint, so that it can roll back alone. A later one
 * sees the writes of earlier ones, so every outcome is reported only after the commit is on disk.
 */
export class Writer {
  readonly #connection: DatabaseSync;
  readonly #statements: Statements;
  readonly #options: WriterOptions;
  readonly #lock: WriterLock;
  #group: Group | undefined;
  /** True if the current transaction is in a savepoint, because the group has earlier ones. */
  #nested = false;
  #commitScheduled = false;
  #commitDue = false;

  constructor(connection: DatabaseSync, options: WriterOptions) {
    this.#connection = connection;
    this.#statements = new Statements(connection);
    this.#options = options;
    this.#lock = new WriterLock(options.busyTimeoutMs);
  }

  /** Waits for the turn and begins a transaction that may write from its first statement on. */
  async begin(): Promise<void> {
    await this.#lock.take();
    try {
      const group = await this.#openGroup();
      this.#nested = group.size > 0;
      if (this.#nested) this.#connection.exec('savepoint leeward_member');
    } catch (error) {
      this.#endTurn();
      throw error;
    }
  }

  /** Resolves when the transaction is on disk. */
  commit(): Promise<void> {
    const group = this.#group;
    if (group === undefined) {
      this.#endTurn();
      return Promise.reject(new Error('The transaction was rolled back by an earlier fault.'));
    }
    try {
      if (this.#nested) this.#connection.exec('release leeward_member');
    } catch (error) {
      this.#abandon();
      this.#endTurn();
      return Promise.reject(error);
    }
    group.size++;
    this.#endTurn();
    return group.outcome;
  }

  /**
   * Rolls back the transaction. The reason may depend on writes of others in the group, so it resolves only when those
   * are on disk, and rejects if their commit fails.
   */
  async rollback(): Promise<void> {
    const group = this.#nested ? this.#group : undefined;
    this.#abandon();
    this.#endTurn();
    await group?.outcome;
  }

  /** Runs a statement of the current transaction. */
  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (this.#group === undefined) throw new Error('The transaction was rolled back by an earlier fault.');
    try {
      return this.#statements.run<Row>(sql, parameters);
    } catch (error) {
      this.#checkStillOpen(error);
      throw error;
    }
  }

  /** Runs a single writing statement as a transaction. Resolves when it is on disk. */
  async write<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#lock.take();
    let group: Group;
    let result: QueryResult<Row>;
    try {
      group = await this.#openGroup();
      // SQLite undoes a failed statement, so a savepoint is unnecessary.
      this.#nested = false;
      result = this.run<Row>(sql, parameters);
    } catch (error) {
      const others = this.#group?.size === 0 ? undefined : this.#group;
      if (others === undefined) this.#abandon();
      this.#endTurn();
      // It may have failed for a row of theirs, which is there only when they are committed.
      await others?.outcome;
      throw error;
    }
    group.size++;
    this.#endTurn();
    await group.outcome;
    return result;
  }

  /** A statement outside any transaction: one that reads, or one that SQLite runs only there. */
  async runAlone<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#lock.take();
    try {
      this.#commitGroup();
      return await this.#whenFree(() => this.#statements.run<Row>(sql, parameters));
    } finally {
      this.#endTurn();
    }
  }

  /** Waits for what is under way, as long as anyone would wait, and closes the connection. */
  async close(): Promise<void> {
    try {
      await this.#lock.take();
      this.#commitGroup();
    } finally {
      this.#connection.close();
      this.#lock.pass();
    }
  }

  async #openGroup(): Promise<Group> {
    if (this.#group !== undefined) return this.#group;
    await this.#whenFree(() => this.#connection.exec('begin immediate'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#group = { size: 0, outcome: promise, succeed: resolve, fail: reject };
    return this.#group;
  }

  /** Tries until no other process is in the way, without holding up this one meanwhile. */
  async #whenFree<T>(attempt: () => T): Promise<T> {
    const start = performance.now();
    for (let tries = 1; ; tries++) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() - start >= this.#options.busyTimeoutMs) {
          throw new DatabaseBusyError(
            `Another process held the write lock of the database for ${this.#options.busyTimeoutMs} ms.`,
            { cause: error },
          );
        }
        await sleep(Math.min(25, 2 * tries) * Math.random());
      }
    }
  }

  /**
   * Ends the transaction. The group is committed when it is full, overdue, or no other transaction joins within this
   * event loop iteration.
   */
  #endTurn(): void {
    this.#nested = false;
    const group = this.#group;
    if (group !== undefined && (this.#commitDue || group.size >= this.#options.groupSize)) {
      this.#commitGroup();
      if (this.#options.groupSize > 1) {
        // A long queue of writers must not keep the process from its sockets.
        setImmediate(() => this.#lock.pass());
        return;
      }
    }
    if (this.#lock.pass() || this.#group === undefined || this.#commitScheduled) return;
    this.#commitScheduled = true;
    setImmediate(() => {
      this.#commitScheduled = false;
      if (this.#lock.held) this.#commitDue = this.#group !== undefined;
      else this.#commitGroup();
    });
  }

  #commitGroup(): void {
    const group = this.#group;
    this.#commitDue = false;
    if (group === undefined) return;
    this.#group = undefined;
    try {
      this.#connection.exec('commit');
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('rollback');
      group.fail(error);
      return;
    }
    group.succeed();
  }

  /** Undoes only the current transaction. */
  #abandon(): void {
    if (this.#group === undefined) return;
    try {
      if (this.#nested) this.#connection.exec('rollback to leeward_member; release leeward_member');
      else {
        this.#connection.exec('rollback');
        this.#group = undefined;
      }
    } catch (error) {
      this.#checkStillOpen(error);
    }
  }

  /** A full disk or a failed read rolls back everything, the others of the group too: they must hear of it. */
  #checkStillOpen(error: unknown): void {
    const group = this.#group;
    if (group === undefined || this.#connection.isTransaction) return;
    this.#group = undefined;
    if (group.size > 0) group.fail(error);
  }
}

function isBusy(error: unknown): boolean {
  const errcode = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;
  return typeof errcode === 'number' && (errcode & 0xff) === 5;
}
