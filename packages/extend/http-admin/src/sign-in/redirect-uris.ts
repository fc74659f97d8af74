/** The command line listens on a free port of the person's own machine (RFC 8252, section 7.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):(\d{1,5})\/callback$/;

/**
 * Returns true for a redirect URI that the host configured, and for `http://127.0.0.1:PORT/callback` and `http://[::1]:PORT/callback`.
 * A code that is sent elsewhere could be stolen.
 */
export function isRedirectUri(text: string, configured: readonly string[]): boolean {
  const port = LOOPBACK.exec(text)?.[1];
  return configured.includes(text) || (port !== undefined && Number(port) > 0 && Number(port) <= 65_535);
}

/** For a message. */
export function describeRedirectUris(configured: readonly string[]): string {
  return [...configured, 'http://127.0.0.1:PORT/callback', 'http://[::1]:PORT/callback'].join(', ');
}
