import type { AuditItem } from '../audit/audit-entry.ts';

/** An entry and its line of NDJSON, without the line feed. */
export interface AuditLine {
  readonly entry: AuditItem;
  readonly line: string;
}

/** Receiver of the entries of the audit log. */
export interface AuditDestination {
  /** Names its progress in the database: the same in every process, and after a restart. */
  readonly id: string;
  readonly kind: 'file' | 'syslog' | 'webhook';
  /** For logs and metrics, without secrets. */
  readonly name: string;
  /** Maximum size of the lines of one call, unless a single line is longer. @default 1_048_576 */
  readonly maxBatchBytes?: number | undefined;
  /** Resolves when the destination has the entries. After a failure or a crash it receives some of them again. */
  send(lines: readonly AuditLine[], signal: AbortSignal): Promise<void>;
  close?(): Promise<void>;
}

/** The destination did not accept the entries. */
export class AuditDeliveryError extends Error {
  override readonly name = 'AuditDeliveryError';
  /** Short, without secrets, addresses and responses: `answered 500`. */
  readonly reason: string;
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, options: { readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {}) {
    super(`The entries were not accepted: ${reason}.`, { cause: options.cause });
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Short, without paths and addresses. */
export function deliveryReason(error: unknown): string {
  if (error instanceof AuditDeliveryError) return error.reason;
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
