import { createTurn, type Turn } from '@leeward/engine/compiled';
import type { Caller } from '../access/directory.ts';
import type { AdmittedRequest } from '../admission/admission.ts';
import type { ScheduledWork } from '../admission/fair-scheduler.ts';
import type { Shares } from '../admission/shares.ts';
import type { Exchange } from '../observe/observer.ts';
import { Problem } from '../problem/problem.ts';
import { joinFields, type RateLimiter, type RateLimitFields } from '../rate-limit/rate-limiter.ts';
import { auditedNetworkOf } from '../request/client-address.ts';
import type { Incoming } from '../request/incoming.ts';

/** The route that a request matched. */
export interface MatchedRoute {
  readonly requestId: string;
  readonly route: string;
  readonly operationId: string | undefined;
  /** Empty at the root. */
  readonly basePath: string;
  /** undefined if unknown. */
  readonly address?: string | undefined;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** An `Exchange` that is still being filled in. */
type OpenExchange = { -readonly [Name in keyof Exchange]: Exchange[Name] };

/**
 * One request from arrival to answer. Guards add to it, the operation reads it. Observers receive only `exchange`, which has no personal
 * data.
 */
export class RequestContext implements AdmittedRequest {
  readonly exchange: OpenExchange;
  readonly requestId: string;
  readonly incoming: Incoming;
  readonly basePath: string;
  /** undefined if unknown. */
  readonly address: string | undefined;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** undefined before verification. */
  caller: Caller | undefined;
  /** Result of `locate`. */
  resource: unknown;
  /** undefined without a body. */
  json: unknown;
  /** Header fields that guards set, also for problems. */
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

  /** Without a body, unless the host is a web server. Made on first use. */
  get request(): Request {
    return this.incoming.request;
  }

  /** Aborted at the timeout, or when the caller has gone. Pass it to slow calls. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#abort = new AbortController();
      if (this.#end) this.#abort.abort(this.#end);
      this.#signal = AbortSignal.any([this.#abort.signal, this.incoming.gone]);
    }
    return this.#signal;
  }

  /** In ms; infinite without a deadline. */
  get remainingMs(): number {
    return Math.max(0, this.#deadlineMs - performance.now());
  }

  /** @param deadlineMs on the clock of `performance.now()` */
  setDeadline(deadlineMs: number): void {
    this.#deadlineMs = deadlineMs;
  }

  /** Network of the client, for the audit log; undefined if unknown. */
  get network(): string | undefined {
    return auditedNetworkOf(this.address);
  }

  /** undefined while the answer is awaited. */
  get end(): Error | undefined {
    if (this.#end === undefined && this.incoming.isGone) this.#end = callerGone;
    return this.#end;
  }

  /** Call it between the steps of long work. */
  get turn(): Turn {
    this.#turn ??= createTurn();
    return this.#turn;
  }

  /** The used slices are counted. */
  takeTimeSlices(piece: ScheduledWork): void {
    this.endTimeSlices();
    this.#piece = piece;
    this.#turn = piece;
  }

  /** Waits for a time slice if the last one is over, for example after the work waited for a store. */
  resume(): Promise<void> | undefined {
    return this.#piece?.resume();
  }

  endTimeSlices(): void {
    this.#piece?.end();
  }

  /** @param name in lower case @returns null if missing */
  header(name: string): string | null {
    return this.incoming.header(name);
  }

  /** @throws {Problem} `rate_limited`, or rejects with it */
  countRequest(limiter: RateLimiter): void | Promise<void> {
    this.#limiter = limiter;
    return this.#addHeaders(limiter.countRequest(this.caller!));
  }

  /**
   * Counts the items of a batch before the first is processed.
   *
   * @throws {Problem} `rate_limited`, or rejects with it
   */
  countItems(items: number): void | Promise<void> {
    if (this.#limiter !== undefined) return this.#addHeaders(this.#limiter.countItems(this.caller!, items));
  }

  /**
   * From now on the request does not time out, so that its answer is true.
   *
   * @throws The reason, if the request has ended early.
   */
  beginCommit(): void {
    const { end } = this;
    if (end) throw end;
    this.#isCommitting = true;
  }

  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  /** False if there is no place. */
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

/** The caller is known, limits are checked, and the body is read. */
export type GuardedContext<Resource = unknown> = Omit<RequestContext, 'caller' | 'resource'> & {
  readonly caller: Caller;
  readonly resource: Resource;
};
