import { createTurn, type Turn } from '@leeward/engine';
import type { Caller } from '../access/directory.ts';
import type { AdmittedRequest } from '../admission/admission.ts';
import type { Piece } from '../admission/fair-turns.ts';
import type { Shares } from '../admission/shares.ts';
import type { Exchange } from '../observe/observer.ts';
import { Problem } from '../problem/problem.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { joinFields, type RateLimitFields } from '../rate-limit/rate-limiter.ts';
import type { Incoming } from '../request/incoming.ts';

/** What a request matched. */
export interface Matched {
  readonly requestId: string;
  readonly route: string;
  readonly operationId: string | undefined;
  /** Where the service is mounted; empty at the root. */
  readonly basePath: string;
  /** Address of the client; undefined if the host does not know it. */
  readonly address?: string | undefined;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * One request from its first byte to its answer: each guard adds what it finds, the operation works with it, observers see
 * it. Whatever might be personal is behind a getter, so that a copy or a log line of the whole holds none of it.
 */
export class RequestContext implements Exchange, AdmittedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly operationId: string | undefined;
  readonly basePath: string;
  caller: Caller | undefined;
  status = 0;
  durationMs = 0;
  problem: string | undefined;
  error: unknown;

  readonly #incoming: Incoming;
  readonly #address: string | undefined;
  readonly #params: Readonly<Record<string, string>>;
  #found: unknown;
  #json: unknown;
  #headers: Readonly<Record<string, string>> | undefined;
  #limiter: RateLimiter | undefined;
  #held: { readonly shares: Shares; readonly key: string; readonly weight: number } | undefined;
  #givenUp: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #end: Error | undefined;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #turn: Turn | undefined;
  #piece: Piece | undefined;
  #isReceiving = false;
  #isCommitting = false;

  constructor(incoming: Incoming, { requestId, route, operationId, basePath, address, params }: Matched) {
    this.requestId = requestId;
    this.method = incoming.method;
    this.route = route;
    this.operationId = operationId;
    this.basePath = basePath;
    this.#incoming = incoming;
    this.#address = address;
    this.#params = params;
  }

  get incoming(): Incoming {
    return this.#incoming;
  }

  /** Address of the client; undefined if the host does not know it. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Without its body where the host is no web server; made when it is asked for. */
  get request(): Request {
    return this.#incoming.request;
  }

  /** Of the path template, decoded. */
  get params(): Readonly<Record<string, string>> {
    return this.#params;
  }

  /** What `locate` found. */
  get found(): unknown {
    return this.#found;
  }

  set found(found: unknown) {
    this.#found = found;
  }

  /** The body as JSON; `undefined` where the operation asks for none, or may do without. */
  get json(): unknown {
    return this.#json;
  }

  set json(json: unknown) {
    this.#json = json;
  }

  /** Header fields that belong to the answer, even where a later guard ends the request. */
  get headers(): Readonly<Record<string, string>> | undefined {
    return this.#headers;
  }

  /** Aborted when the request is given up, by time or by its caller: for whatever takes time. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#givenUp = new AbortController();
      if (this.#end) this.#givenUp.abort(this.#end);
      this.#signal = AbortSignal.any([this.#givenUp.signal, this.#incoming.gone]);
    }
    return this.#signal;
  }

  /** Time until the request is given up, in ms; infinite without a deadline. */
  get remainingMs(): number {
    return Math.max(0, this.#deadlineMs - performance.now());
  }

  /** @param deadlineMs When the request is given up, on the clock of `performance.now()`. */
  setDeadline(deadlineMs: number): void {
    this.#deadlineMs = deadlineMs;
  }

  /** Why nobody waits for the answer any longer; undefined while somebody does. */
  get end(): Error | undefined {
    if (this.#end === undefined && this.#incoming.isGone) this.#end = callerGone;
    return this.#end;
  }

  /** Asked between the steps of whatever takes time: others have their turn in between. It ends with the request. */
  get turn(): Turn {
    this.#turn ??= createTurn();
    return this.#turn;
  }

  /** Gives it turns of the one scheduler: what it did in those that it had is counted. */
  takeTurns(piece: Piece): void {
    this.endTurns();
    this.#piece = piece;
    this.#turn = piece;
  }

  endTurns(): void {
    this.#piece?.end();
  }

  /** A header field by its name in lower case; null where it was not sent. */
  header(name: string): string | null {
    return this.#incoming.header(name);
  }

  /** Counts the request itself. Throws (or rejects with) 429 where it is too much. */
  countRequest(limiter: RateLimiter): void | Promise<void> {
    this.#limiter = limiter;
    return this.#note(limiter.countRequest(this.caller!));
  }

  /**
   * Counts what an operation on many things is asked for, before any of it is done, beside the request itself. Throws (or
   * rejects with) 429 where it is too much.
   */
  countItems(items: number): void | Promise<void> {
    if (this.#limiter !== undefined) return this.#note(this.#limiter.countItems(this.caller!, items));
  }

  /** Whether it waits for its body. */
  get isReceiving(): boolean {
    return this.#isReceiving;
  }

  set isReceiving(isReceiving: boolean) {
    this.#isReceiving = isReceiving;
  }

  /**
   * From here on the change is committed: the request is no longer given up, so that its answer is true.
   *
   * @throws why it was given up before.
   */
  beginCommit(): void {
    const { end } = this;
    if (end) throw end;
    this.#isCommitting = true;
  }

  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  /** Takes a place in exchange for the one it has; false where there is none. */
  hold(shares: Shares, key: string, weight: number): boolean {
    this.release();
    // Who waits no longer takes no place.
    if (this.#end) throw this.#end;
    if (!shares.enter(key, weight)) return false;
    this.#held = { shares, key, weight };
    return true;
  }

  release(): void {
    if (this.#held === undefined) return;
    const { shares, key, weight } = this.#held;
    this.#held = undefined;
    shares.leave(key, weight);
  }

  /** Nobody waits for the answer any longer. */
  giveUp(reason: Error): void {
    this.#end = reason;
    this.#givenUp?.abort(reason);
  }

  #note(fields: RateLimitFields | Promise<RateLimitFields>): void | Promise<void> {
    const note = (counted: RateLimitFields) => {
      this.#headers = joinFields(this.#headers, counted);
    };
    return fields instanceof Promise ? fields.then(note) : note(fields);
  }
}

/** Told to a log alone. */
const callerGone = new Problem('request_timeout', 'The caller has gone before the answer was there.');

/** The context of a request of somebody known, whose limits, media type and size were checked, and whose body was read. */
export type GuardedContext<Found = unknown> = Omit<RequestContext, 'caller' | 'found'> & {
  readonly caller: Caller;
  readonly found: Found;
};
