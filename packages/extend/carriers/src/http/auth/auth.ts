/** The headers by which a carrier knows us; names in lower case. */
export type AuthHeaders = Readonly<Record<string, string>>;

/** How a carrier knows us. */
export interface Auth {
  headers(signal: AbortSignal): Promise<AuthHeaders>;
  /** The carrier did not accept these. @returns whether there can be others: what `headers` gives next. */
  refused(headers: AuthHeaders): boolean;
}
