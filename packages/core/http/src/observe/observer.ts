import type { Caller } from '../access/directory.ts';

/** A request from its first byte to its answer, as observers see it. Nothing in it is personal. */
export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  /** Path template; `unmatched` where there is no such route. */
  readonly route: string;
  readonly operationId: string | undefined;
  /** Set once authenticated. */
  readonly caller: Caller | undefined;
  /** 0 until it is answered. */
  readonly status: number;
  readonly durationMs: number;
  /** The problem's code, where the answer is one. */
  readonly problem: string | undefined;
  /** What went wrong where it was our fault: logged, never answered. */
  readonly error: unknown;
}

/** Told of every exchange: once it has begun, and when it has ended by calling what that returned. */
export type Observer = (exchange: Exchange) => (exchange: Exchange) => void;
