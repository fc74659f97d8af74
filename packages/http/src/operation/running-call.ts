import type { Caller } from '../access/directory.ts';
import { joinFields, type RateLimitFields } from '../rate-limit/rate-limit-fields.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Arrival } from './arrival.ts';
import type { BodyCall } from './operation.ts';

/** A request on its way through the guards: each adds what it finds. One object, since copies cost. */
export class RunningCall implements BodyCall<unknown> {
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly arrival: Arrival;
  /** Header fields that belong to the answer, even where a later guard ends the request. */
  headers: Readonly<Record<string, string>> | undefined;
  /** Undefined before authentication; what is behind it may rely on it. */
  caller!: Caller;
  found: unknown;
  limiter: RateLimiter | undefined;
  json: unknown;
  #givenUp: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #reason: Error | undefined;

  constructor(arrival: Arrival, requestId: string, params: Readonly<Record<string, string>>) {
    this.arrival = arrival;
    this.requestId = requestId;
    this.params = params;
  }

  get request(): Request {
    return this.arrival.request;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#givenUp = new AbortController();
      if (this.#reason) this.#givenUp.abort(this.#reason);
      this.#signal = AbortSignal.any([this.#givenUp.signal, this.arrival.gone]);
    }
    return this.#signal;
  }

  header(name: string): string | null {
    return this.arrival.header(name);
  }

  countItems(items: number): void | Promise<void> {
    const fields = this.limiter?.countItems(this.caller, items);
    if (fields === undefined) return;
    const note = (counted: RateLimitFields) => {
      this.headers = joinFields(this.headers, counted);
    };
    return fields instanceof Promise ? fields.then(note) : note(fields);
  }

  /** Nobody waits for the answer any longer. */
  giveUp(reason: Error): void {
    this.#reason = reason;
    this.#givenUp?.abort(reason);
  }
}
