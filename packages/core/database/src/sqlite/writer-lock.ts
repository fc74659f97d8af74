import { DatabaseBusyError } from '../violations.ts';

interface Waiting {
  readonly since: number;
  readonly grant: () => void;
  readonly refuse: (error: Error) => void;
}

/** First in, first out. A wait over `timeoutMs` is refused: probably an open transaction waits for a query outside it. */
export class WriterLock {
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  #held = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get held(): boolean {
    return this.#held;
  }

  /** undefined if the lock was free. */
  take(): Promise<void> | undefined {
    if (!this.#held) {
      this.#held = true;
      return undefined;
    }
    return new Promise((grant, refuse) => {
      this.#waiting.push({ since: performance.now(), grant, refuse });
      this.#timer ??= setTimeout(() => this.#refuseOverdue(), this.#timeoutMs);
    });
  }

  /** False without a waiter. */
  pass(): boolean {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#held = false;
      return false;
    }
    if (this.#waiting.length === 0) this.#stopTimer();
    next.grant();
    return true;
  }

  #refuseOverdue(): void {
    this.#stopTimer();
    const now = performance.now();
    while (this.#waiting[0] !== undefined && now - this.#waiting[0].since >= this.#timeoutMs - 1) {
      this.#waiting
        .shift()
        ?.refuse(
          new DatabaseBusyError(
            `Waited ${this.#timeoutMs} ms for another transaction of this process to end. ` +
              'Inside a transaction, send every query through its handle. A query sent through the database would wait for the transaction.',
          ),
        );
    }
    const next = this.#waiting[0];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#refuseOverdue(), Math.max(1, next.since + this.#timeoutMs - now));
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
