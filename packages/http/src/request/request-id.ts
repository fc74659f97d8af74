import { redacted } from '../redaction/redacted.ts';

const sane = /^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$/;

/**
 * The caller's own `X-Request-Id` when it is fit for a log line, else a new one. What holds a token, or anything else that
 * redaction would cut out of a line, is not.
 */
export function requestIdOf(given: string | null): string {
  return given !== null && sane.test(given) && isHarmless(given) ? given : crypto.randomUUID();
}

function isHarmless(id: string): boolean {
  return !id.includes('lw_') && redacted(id) === id;
}
