import { subscribe } from 'node:diagnostics_channel';

/**
 * Errors of connections that were never made: refused, timed out, or broken off while TLS was agreed on. Their codes do
 * not say so: `ECONNRESET` is also the code of a connection that broke after the request was sent.
 */
const connectErrors = new WeakSet<object>();

// Node's own fetch (undici) publishes every failure to connect here, with the error that fetch then rejects with as cause.
subscribe('undici:client:connectError', (message) => noteConnectError((message as { error?: unknown }).error));

export function noteConnectError(error: unknown): void {
  if (typeof error === 'object' && error !== null) connectErrors.add(error);
}

/** Codes that other implementations of fetch have for it, and alerts by which a server refuses our certificate. */
const codes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  // A server that does not take our certificate reads nothing of what comes behind it.
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN',
]);

/** Why nothing of a request was sent, by the cause of the fetch that failed; undefined if it may have been sent. */
export function neverSentCode(cause: unknown): string | undefined {
  const isConnectError = typeof cause === 'object' && cause !== null && connectErrors.has(cause);
  // Several where a name has several addresses.
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const found = causes.map((each) => String((each as { code?: unknown } | undefined)?.code ?? ''));
  return isConnectError || (found.length > 0 && found.every((code) => codes.has(code)))
    ? found[0] || 'no code'
    : undefined;
}
