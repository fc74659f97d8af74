import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import { DatabaseBusyError } from '../violations.ts';
import { Statements } from './statements.ts';
import { WriterLock } from './writer-lock.ts';

/** Committed together, with one outcome. */
interface Group {
  size: number;
  readonly outcome: Promise<void>;
  readonly succeed: () => void;
  readonly fail: (error: unknown) => void;
}

export interface WriterOptions {
  /** Wait for another process or transaction. */
  readonly busyTimeoutMs: number;
  /** 1 commits each transaction separately. */
  readonly groupSize: number;
}

/**
 * The only writing connection. Transactions run in sequence, and those that end in the same event loop iteration are committed together
 * (group commit). Each has a savepoint, so that it rolls back alone. Later ones see earlier writes, so every outcome is reported after
 * the commit is on disk.
 */
export class Writer {
  readonly #connection: DatabaseSync;
  readonly #statements: Statements;
  readonly #options: WriterOptions;
  readonly #lock: WriterLock;
  #group: Group | undefined;
  /** The group has earlier transactions. */
  #nested = false;
  #commitScheduled = false;
  #commitDue = false;

  constructor(connection: DatabaseSync, options: WriterOptions) {
    this.#connection = connection;
    this.#statements = new Statements(connection);
    this.#options = options;
    this.#lock = new WriterLock(options.busyTimeoutMs);
  }

  /** Begins a transaction that may write at once. */
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

  /** On disk when it resolves. */
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

  /** The reason may depend on others in the group: resolves when their writes are on disk, rejects if their commit fails. */
  async rollback(): Promise<void> {
    const group = this.#nested ? this.#group : undefined;
    this.#abandon();
    this.#endTurn();
    await group?.outcome;
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (this.#group === undefined) throw new Error('The transaction was rolled back by an earlier fault.');
    try {
      return this.#statements.run<Row>(sql, parameters);
    } catch (error) {
      this.#checkStillOpen(error);
      throw error;
    }
  }

  /** A transaction of one statement, on disk when it resolves. */
  async write<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#lock.take();
    let group: Group;
    let result: QueryResult<Row>;
    try {
      group = await this.#openGroup();
      // SQLite undoes a failed statement.
      this.#nested = false;
      result = this.run<Row>(sql, parameters);
    } catch (error) {
      const others = this.#group?.size === 0 ? undefined : this.#group;
      if (others === undefined) this.#abandon();
      this.#endTurn();
      // The cause may be a row of others, which must be committed first.
      await others?.outcome;
      throw error;
    }
    group.size++;
    this.#endTurn();
    await group.outcome;
    return result;
  }

  /** Reads, or runs only outside transactions. */
  async runAlone<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    await this.#lock.take();
    try {
      this.#commitGroup();
      return await this.#whenFree(() => this.#statements.run<Row>(sql, parameters));
    } finally {
      this.#endTurn();
    }
  }

  /** Waits for work in progress, up to the timeout. */
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

  /** Retries without blocking while another process writes. */
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

  /** The group is committed when full, overdue, or without followers in this iteration. */
  #endTurn(): void {
    this.#nested = false;
    const group = this.#group;
    if (group !== undefined && (this.#commitDue || group.size >= this.#options.groupSize)) {
      this.#commitGroup();
      if (this.#options.groupSize > 1) {
        // Long queues must not block sockets.
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

  /** A full disk rolls back the whole group. */
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
