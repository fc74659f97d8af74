/** Names in lower case. */
export type AuthHeaders = Readonly<Record<string, string>>;

export interface Auth {
  headers(signal: AbortSignal): Promise<AuthHeaders>;
  /** @returns true if `headers` can return new ones. */
  refused(headers: AuthHeaders): boolean;
}
