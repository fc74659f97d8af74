import { createTurn, type Turn } from '@leeward/engine/compiled';
import type { Caller } from '../access/directory.ts';
import type { AdmittedRequest } from '../admission/admission.ts';
import type { ScheduledWork } from '../admission/fair-scheduler.ts';
import type { Shares } from '../admission/shares.ts';
import type { Exchange } from '../observe/observer.ts';
import { Problem } from '../problem/problem.ts';
import { joinFields, type RateLimiter, type RateLimitFields } from '../rate-limit/rate-limiter.ts';
import type { Incoming } from '../request/incoming.ts';

/** The route that a request matched. */
export interface MatchedRoute {
  readonly requestId: string;
  readonly route: string;
  readonly operationId: string | undefined;
  /** Prefix of the service; empty at the root. */
  readonly basePath: string;
  /** Address of the client; undefined if the host does not know it. */
  readonly address?: string | undefined;
  /** Parameters of the path template, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** An `Exchange` that is still being filled in. */
type OpenExchange = { -readonly [Name in keyof Exchange]: Exchange[Name] };

/**
 * One request from arrival to answer. Each guard adds what it finds, and the operation reads it. Observers receive `exchange`,
 * which holds nothing personal, and nothing else.
 */
export class RequestContext implements AdmittedRequest {
  readonly exchange: OpenExchange;
  readonly requestId: string;
  readonly incoming: Incoming;
  readonly basePath: string;
  /** Address of the client; undefined if the host does not know it. */
  readonly address: string | undefined;
  /** Parameters of the path template, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Undefined until the token is verified. */
  caller: Caller | undefined;
  /** Result of `locate`. */
  resource: unknown;
  /** The body as JSON; undefined without a body. */
  json: unknown;
  /** Header fields of the answer that guards have set. They are sent with a problem too. */
  headers: Readonly<Record<string, string>> | undefined;
  /** True while the body arrives. */
  isReceiving = false;

  #limiter: RateLimiter | undefined;
  #place: { readonly shares: Shares; readonly key: string; readonly weight: number } | undefined;
  #abort: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #end: Error | undefined;
  #deadlineMs = Number.POSITIVE_INFINITY;
  #turn: Turn | undefined;
  #piece: ScheduledWork | undefined;
  #isCommitting = false;

  constructor(incoming: Incoming, { requestId, route, operationId, basePath, address, params }: MatchedRoute) {
    this.requestId = requestId;
    this.incoming = incoming;
    this.basePath = basePath;
    this.address = address;
    this.params = params;
    this.exchange = {
      ...{ requestId, method: incoming.method, route, operationId, caller: undefined },
      ...{ status: 0, durationMs: 0, problem: undefined, error: undefined },
    };
  }

  /** The request as a web `Request`, without a body unless the host is a web server. Made on first use. */
  get request(): Request {
    return this.incoming.request;
  }

  /** Aborted when the request ends early: its time is over, or the caller has gone. Pass it to slow calls. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#abort = new AbortController();
      if (this.#end) this.#abort.abort(this.#end);
      this.#signal = AbortSignal.any([this.#abort.signal, this.incoming.gone]);
    }
    return this.#signal;
  }

  /** Time until the deadline, in ms; infinite without one. */
  get remainingMs(): number {
    return Math.max(0, this.#deadlineMs - performance.now());
  }

  /** @param deadlineMs on the clock of `performance.now()` */
  setDeadline(deadlineMs: number): void {
    this.#deadlineMs = deadlineMs;
  }

  /** Why the request ended early; undefined while its answer is awaited. */
  get end(): Error | undefined {
    if (this.#end === undefined && this.incoming.isGone) this.#end = callerGone;
    return this.#end;
  }

  /** Call it between the steps of long work, so that other requests are served in between. */
  get turn(): Turn {
    this.#turn ??= createTurn();
    return this.#turn;
  }

  /** Replaces the time slices of the request; the used ones are counted. */
  takeTimeSlices(piece: ScheduledWork): void {
    this.endTimeSlices();
    this.#piece = piece;
    this.#turn = piece;
  }

  endTimeSlices(): void {
    this.#piece?.end();
  }

  /** A header field by its name in lower case; null if it was not sent. */
  header(name: string): string | null {
    return this.incoming.header(name);
  }

  /** Counts the request. @throws {Problem} `rate_limited`, or rejects with it */
  countRequest(limiter: RateLimiter): void | Promise<void> {
    this.#limiter = limiter;
    return this.#addHeaders(limiter.countRequest(this.caller!));
  }

  /**
   * Counts the items of an operation on many things, before the first is processed.
   *
   * @throws {Problem} `rate_limited`, or rejects with it
   */
  countItems(items: number): void | Promise<void> {
    if (this.#limiter !== undefined) return this.#addHeaders(this.#limiter.countItems(this.caller!, items));
  }

  /**
   * Marks that the change is being committed: from now on the request does not time out, so that its answer is true.
   *
   * @throws the reason if the request has ended early
   */
  beginCommit(): void {
    const { end } = this;
    if (end) throw end;
    this.#isCommitting = true;
  }

  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  /** Exchanges the place that the request holds for another; false if there is none. */
  hold(shares: Shares, key: string, weight: number): boolean {
    this.release();
    if (this.#end) throw this.#end;
    if (!shares.enter(key, weight)) return false;
    this.#place = { shares, key, weight };
    return true;
  }

  release(): void {
    if (this.#place === undefined) return;
    const { shares, key, weight } = this.#place;
    this.#place = undefined;
    shares.leave(key, weight);
  }

  /** Ends the request early. */
  giveUp(reason: Error): void {
    this.#end = reason;
    this.#abort?.abort(reason);
  }

  #addHeaders(fields: RateLimitFields | Promise<RateLimitFields>): void | Promise<void> {
    const add = (counted: RateLimitFields) => {
      this.headers = joinFields(this.headers, counted);
    };
    return fields instanceof Promise ? fields.then(add) : add(fields);
  }
}

/** Appears in the log only. */
const callerGone = new Problem('request_timeout', 'The caller closed the connection before the answer was ready.');

/** The context of a guarded operation: the caller is known, limits are checked and the body is read. */
export type GuardedContext<Resource = unknown> = Omit<RequestContext, 'caller' | 'resource'> & {
  readonly caller: Caller;
  readonly resource: Resource;
};
