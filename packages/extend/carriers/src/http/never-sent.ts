import { subscribe } from 'node:diagnostics_channel';

/**
 * Connections that were never made: refused, timed out, or failed in the TLS handshake. `ECONNRESET` alone can also follow a sent
 * request.
 */
const connectErrors = new WeakSet<object>();

// Node's fetch (undici) publishes connect failures here and rejects with them as cause.
subscribe('undici:client:connectError', (message) => noteConnectError((message as { error?: unknown }).error));

export function noteConnectError(error: unknown): void {
  if (typeof error === 'object' && error !== null) connectErrors.add(error);
}

/** Codes of other fetch implementations, and TLS alerts that reject our certificate. */
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
  // Then the server does not read the request.
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

/** Undefined if the request may have been sent. */
export function neverSentCode(cause: unknown): string | undefined {
  const isConnectError = typeof cause === 'object' && cause !== null && connectErrors.has(cause);
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const causeCodes = causes.map((each) => String((each as { code?: unknown } | undefined)?.code ?? ''));
  return isConnectError || (causeCodes.length > 0 && causeCodes.every((code) => codes.has(code)))
    ? causeCodes[0] || 'no code'
    : undefined;
}
