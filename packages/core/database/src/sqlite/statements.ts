import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import { readInteger } from '../integers.ts';
import { checkParameters } from '../parameters.ts';

/** Preparing costs five times as much as running. */
const MAX_KEPT_STATEMENTS = 400;

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

/** Keeps statements prepared. */
export class Statements {
  readonly #connection: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    checkParameters(parameters);
    const { statement, givesRows } = this.#prepare(sql);
    if (!givesRows) return { numAffectedRows: BigInt(statement.run(...parameters).changes), rows: [] };
    const rows = statement.all(...parameters);
    for (const row of rows) {
      for (const column in row) {
        const value = row[column];
        if (typeof value === 'bigint') row[column] = readInteger(value) as bigint;
      }
    }
    return { numAffectedRows: BigInt(rows.length), rows: rows as Row[] };
  }

  #prepare(sql: string): Prepared {
    const cached = this.#prepared.get(sql);
    if (cached !== undefined) {
      // Moves it to the end: the first is the one unused longest.
      this.#prepared.delete(sql);
      this.#prepared.set(sql, cached);
      return cached;
    }
    const statement = this.#connection.prepare(sql);
    // Numbers would throw above 2^53, after the statement has run.
    statement.setReadBigInts(true);
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    if (this.#prepared.size > MAX_KEPT_STATEMENTS) {
      const oldest = this.#prepared.keys().next();
      if (!oldest.done) this.#prepared.delete(oldest.value);
    }
    return prepared;
  }
}
