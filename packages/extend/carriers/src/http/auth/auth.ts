/** Headers of credentials; names in lower case. */
export type AuthHeaders = Readonly<Record<string, string>>;

/** Credentials of a carrier. */
export interface Auth {
  headers(signal: AbortSignal): Promise<AuthHeaders>;
  /** Reports headers that the carrier rejected. @returns true if `headers` can return new ones. */
  refused(headers: AuthHeaders): boolean;
}
