/**
 * Why a document cannot be opened. `gone`: its quote was erased. `failed`: its carrier does not give it, or gives something
 * else. `timed_out`: its carrier took too long. `busy`: its carrier may not be asked just now. `unreadable`: the key is not
 * at hand under which its address is kept.
 */
export type DocumentErrorKind = 'gone' | 'failed' | 'timed_out' | 'busy' | 'unreadable';

/** A document that could not be opened, or that broke off. The message is for whoever asked, and names no address. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly kind: DocumentErrorKind;
  /** A word for logs: `http_404`, `forbidden_address`. */
  readonly reason: string;
  /** Of `busy`: ask again after so long. */
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
