import type { Caller } from '../access/directory.ts';

/** A request for observers. It holds nothing personal. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Path template; `unmatched` if there is no such route. */
  readonly route: string;
  readonly operationId: string | undefined;
  /** Undefined until the token is verified. */
  readonly caller: Caller | undefined;
  /** 0 until the request is answered. */
  readonly status: number;
  readonly durationMs: number;
  /** The code if the answer is a problem. */
  readonly problem: string | undefined;
  /** The error behind a 5xx answer; undefined if the problem is the caller's. */
  readonly error: unknown;
}

/** Called when a request arrives. The returned function is called after the answer. */
export type Observer = (exchange: Exchange) => (exchange: Exchange) => void;
