import type { CompiledQuery, DatabaseConnection, QueryResult, TransactionSettings } from 'kysely';
import type { Reader, Readers } from './readers.ts';
import type { Writer } from './writer.ts';

/** undefined in memory, which has one connection. */
export interface SqliteConnections {
  readonly writer: Writer;
  readonly readers: Readers | undefined;
}

type State = 'outside' | 'writing' | 'released' | { readonly reader: Reader };

/** Locks only for a transaction or a statement that needs it. */
export class SqliteConnection implements DatabaseConnection {
  readonly #connections: SqliteConnections;
  #state: State = 'outside';

  constructor(connections: SqliteConnections) {
    this.#connections = connections;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { writer, readers } = this.#connections;
    if (typeof this.#state === 'object') return this.#state.reader.statements.run<Row>(query.sql, query.parameters);
    if (this.#state === 'writing') return writer.run<Row>(query.sql, query.parameters);
    if (this.#state === 'released') throw new Error('The connection of this transaction was given back already.');
    switch (effectOf(query)) {
      case 'read':
        if (readers !== undefined) return readers.main.statements.run<Row>(query.sql, query.parameters);
        return writer.runAlone<Row>(query.sql, query.parameters);
      case 'write':
        return writer.write<Row>(query.sql, query.parameters);
      case 'other':
        return writer.runAlone<Row>(query.sql, query.parameters);
    }
  }

  // biome-ignore lint/correctness/useYield: the signature is Kysely's
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not offered on either engine: read in pages, by key.');
  }

  async begin(settings: TransactionSettings): Promise<void> {
    const { writer, readers } = this.#connections;
    if (settings.accessMode === 'read only' && readers !== undefined) {
      const reader = await readers.borrow();
      this.#state = { reader };
      reader.connection.exec('begin');
      return;
    }
    await writer.begin();
    this.#state = 'writing';
  }

  async commit(): Promise<void> {
    const state = this.#state;
    this.#state = 'outside';
    if (state === 'writing') await this.#connections.writer.commit();
    else if (typeof state === 'object') this.#endReading(state.reader);
  }

  async rollback(): Promise<void> {
    const state = this.#state;
    this.#state = 'outside';
    if (state === 'writing') await this.#connections.writer.rollback();
    else if (typeof state === 'object') this.#endReading(state.reader);
  }

  /** Later use of the handle fails. */
  async release(): Promise<void> {
    const rolledBack = this.rollback();
    this.#state = 'released';
    await rolledBack;
  }

  #endReading(reader: Reader): void {
    if (reader.connection.isTransaction) reader.connection.exec('rollback');
    this.#connections.readers?.giveBack(reader);
  }
}

/** From the node of a statement, or the first word of handwritten SQL. */
function effectOf(query: CompiledQuery): 'read' | 'write' | 'other' {
  switch (query.query.kind) {
    case 'SelectQueryNode':
      return 'read';
    case 'InsertQueryNode':
    case 'UpdateQueryNode':
    case 'DeleteQueryNode':
      return 'write';
    default: {
      const word = /^\s*([a-z]+)/i.exec(query.sql)?.[1]?.toLowerCase();
      if (word === 'select') return 'read';
      return word === 'insert' || word === 'update' || word === 'delete' || word === 'with' ? 'write' : 'other';
    }
  }
}
