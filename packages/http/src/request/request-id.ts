const sane = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/** The caller's own `X-Request-Id` when it is fit for a log line, else a new one. What looks like a token is not. */
export function requestIdOf(given: string | null): string {
  return given !== null && sane.test(given) && !given.startsWith('lw_') ? given : crypto.randomUUID();
}
