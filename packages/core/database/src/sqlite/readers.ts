import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Statements } from './statements.ts';

/** Lent to one snapshot at a time. */
export interface Reader {
  readonly connection: DatabaseSync;
  readonly statements: Statements;
}

/** They see the last commit and never wait. `main` serves single statements, the others one snapshot each. */
export class Readers {
  readonly #open: () => DatabaseSync;
  readonly #limit: number;
  readonly #idle: Reader[] = [];
  readonly #waiting: ((reader: Reader) => void)[] = [];
  #lent = 0;
  readonly main: Reader;
  #commits: StatementSync | undefined;

  constructor(open: () => DatabaseSync, limit: number) {
    this.#open = open;
    this.#limit = limit;
    this.main = this.#create();
  }

  async borrow(): Promise<Reader> {
    const idle = this.#idle.pop();
    if (idle === undefined && this.#lent >= this.#limit) return new Promise((grant) => this.#waiting.push(grant));
    this.#lent++;
    return idle ?? this.#create();
  }

  giveBack(reader: Reader): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next(reader);
      return;
    }
    this.#lent--;
    this.#idle.push(reader);
  }

  /** Changes with the state that `main` sees. */
  commits(): number {
    this.#commits ??= this.main.connection.prepare('pragma data_version');
    return this.#commits.get()?.['data_version'] as number;
  }

  close(): void {
    for (const { connection } of [this.main, ...this.#idle]) connection.close();
    this.#idle.length = 0;
  }

  #create(): Reader {
    const connection = this.#open();
    return { connection, statements: new Statements(connection) };
  }
}
