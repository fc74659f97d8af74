import { Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import { noteConnectError } from '../never-sent.ts';
import type { HttpCarrierFile } from '../schema.ts';
import { fillSecrets, type Secrets } from '../secrets.ts';
import type { Fetch } from '../send-http.ts';
import { readPem } from './keys.ts';

/** Mutual TLS, which Node's `fetch` lacks: https, text bodies, no redirects. */
export function createFetchWithCertificate(file: NonNullable<HttpCarrierFile['tls']>, secrets: Secrets): Fetch {
  const agent = new Agent({
    keepAlive: true,
    timeout: 30_000,
    cert: readPem(file.certificate, secrets),
    key: readPem(file.key, secrets),
    ...(file.passphrase !== undefined && { passphrase: fillSecrets(file.passphrase, secrets) }),
    ...(file.ca !== undefined && { ca: readPem(file.ca, secrets) }),
  });
  return (input, init = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const body = typeof init.body === 'string' ? init.body : undefined;
    const headers = Object.fromEntries(new Headers(init.headers));
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
    const { method = 'GET', signal } = init;
    const sent = request(String(input), { agent, method, headers, ...(signal != null && { signal }) });
    let isSecure = false;
    sent.on('socket', (socket) => {
      isSecure = sent.reusedSocket;
      socket.once('secureConnect', () => {
        isSecure = true;
      });
    });
    sent.on('error', (cause) => {
      if (!isSecure) noteConnectError(cause);
      reject(new TypeError('fetch failed', { cause }));
    });
    sent.on('response', (answer) => {
      const { statusCode: status = 0 } = answer;
      const received = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value));
      const isEmpty = status === 204 || status === 205 || status === 304;
      if (isEmpty) answer.resume();
      const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream);
      resolve(new Response(stream, { status, headers: received }));
    });
    sent.end(body);
    return promise;
  };
}
