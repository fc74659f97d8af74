/**
 * Why a document cannot be opened. `gone`: its quote was erased. `failed`: not provided, or of another type. `timed_out`: too slow.
 * `busy`: the carrier may not be called now. `unreadable`: its address needs a key that is not configured.
 */
export type DocumentErrorKind = 'gone' | 'failed' | 'timed_out' | 'busy' | 'unreadable';

/** A document that cannot be opened, or broke off. The message is for the caller and contains no address. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly kind: DocumentErrorKind;
  /** For logs, for example `http_404`. */
  readonly reason: string;
  /** For `busy`, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { kind, reason, retryAfterMs }: { kind: DocumentErrorKind; reason: string; retryAfterMs?: number },
  ) {
    super(message);
    this.kind = kind;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

export function failed(reason: string, message: string): DocumentError {
  return new DocumentError(message, { kind: 'failed', reason });
}
