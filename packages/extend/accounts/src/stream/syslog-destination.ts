import { createHash } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { AuditDeliveryError, type AuditDestination, type AuditLine } from './audit-destination.ts';

/** A receiver of syslog messages. */
export interface SyslogReceiver {
  readonly host: string;
  readonly port: number;
  /** RFC 5425. The certificate is verified. @default false */
  readonly isTls?: boolean | undefined;
  /** Trusted certificate authorities in PEM. If omitted, those of Node.js, with `NODE_EXTRA_CA_CERTS`. */
  readonly ca?: string | undefined;
}

/** Facility 13 (log audit), severity 5 (notice). */
const PRIORITY = 13 * 8 + 5;

/**
 * Sends RFC 5424 messages over TCP with octet counting (RFC 6587), or over TLS (RFC 5425). Each message is the line of an entry. Syslog has
 * no receipts, so each batch has a connection: the receiver has read everything when it closes its side after this one did. A receiver that
 * closes earlier has not.
 *
 * @example
 * createSyslogDestination({ host: 'siem.example', port: 6514, isTls: true });
 */
export function createSyslogDestination({ host, port, isTls = false, ca }: SyslogReceiver): AuditDestination {
  const name = `syslog${isTls ? '+tls' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    id: createHash('sha256').update(name).digest('hex').slice(0, 32),
    kind: 'syslog',
    name,
    send(lines, signal) {
      const options = { host, port, allowHalfOpen: true };
      return deliver(isTls ? connectTls({ ...options, ca }) : connectTcp(options), lines, signal);
    },
  };
}

const MIN_LINGER_MS = 20;

function deliver(socket: Socket, lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let isWritten = false;
    const startedAt = performance.now();
    let roundTripMs = 0;
    socket.on('connect', () => {
      roundTripMs = performance.now() - startedAt;
    });
    const fail = (error: unknown) => {
      socket.destroy();
      reject(error);
    };
    const abort = () => fail(new AuditDeliveryError(isWritten ? 'connection_not_closed_by_receiver' : 'timeout'));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', fail);
    // Ignores what a receiver writes, but reads to its end.
    socket.resume();
    socket.on('finish', () => {
      isWritten = true;
    });
    socket.on('end', () => {
      if (isWritten) socket.destroy();
      else fail(new AuditDeliveryError('connection_closed_early'));
    });
    socket.on('close', () => {
      signal.removeEventListener('abort', abort);
      if (isWritten && socket.readableEnded) resolve();
      else reject(new AuditDeliveryError('connection_closed_early'));
    });
    if (signal.aborted) abort();
    else {
      socket.write(Buffer.concat(lines.map(frameOf)), () => {
        // Time for the reset of a receiver that closed without reading: its end would look like a receipt.
        const lingerMs = Math.max(MIN_LINGER_MS, 2 * roundTripMs);
        // A busy process reads what has arrived between its timers and its immediates.
        setTimeout(() => setImmediate(() => setImmediate(() => socket.end())), lingerMs);
      });
    }
  });
}

function frameOf({ entry, line }: AuditLine): Buffer {
  const message = Buffer.from(`<${PRIORITY}>1 ${entry.at} ${hostname() || '-'} leeward - audit - ${line}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}
