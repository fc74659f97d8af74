import type { Caller } from '../access/directory.ts';

/** A request without personal data. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Path template, or `unmatched`. */
  readonly route: string;
  readonly operationId: string | undefined;
  /** undefined before verification. */
  readonly caller: Caller | undefined;
  /** 0 before the answer. */
  readonly status: number;
  readonly durationMs: number;
  /** Code of a problem. */
  readonly problem: string | undefined;
  /** Cause of a 5xx answer. */
  readonly error: unknown;
}

/** Called at arrival; the returned function after the answer. */
export type Observer = (exchange: Exchange) => (exchange: Exchange) => void;
