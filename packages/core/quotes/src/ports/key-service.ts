/** A key-encryption key of a key management service. Errors of both methods count as "unavailable for now". */
export interface KeyService {
  /** Stored with each data key, for example an ARN: up to 256 characters. */
  readonly id: string;
  /** @param context Authenticated: `unwrap` needs the same. @returns text that the service decrypts, up to 8 KiB. */
  wrap(dataKey: Uint8Array, context: KeyContext): Promise<string>;
  unwrap(wrapped: string, context: KeyContext): Promise<Uint8Array>;
}

/** Owner of a data key. */
export interface KeyContext {
  readonly tenant: string;
}
