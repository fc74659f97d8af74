import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Incoming, pathOf } from '../request/incoming.ts';
import { readMessage } from './read-message.ts';

/** A message of `node:http` or Express. Web objects are costly, and made on first use. */
export class IncomingOfMessage implements Incoming {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  #request: Request | undefined;
  #gone: AbortController | undefined;

  constructor(message: IncomingMessage, response: ServerResponse) {
    this.#message = message;
    this.#response = response;
  }

  get method(): string {
    return this.#message.method ?? 'GET';
  }

  get path(): string {
    return pathOf(this.#message.url ?? '/');
  }

  header(name: string): string | null {
    if (name === 'host') return hostOf(this.#message);
    const value = this.#message.headers[name];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : value.join(', ');
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    return readMessage(this.#message, maxBytes);
  }

  get address(): string | undefined {
    return this.#message.socket.remoteAddress;
  }

  get request(): Request {
    this.#request ??= requestOf(this.#message);
    return this.#request;
  }

  get gone(): AbortSignal {
    if (this.#gone === undefined) {
      const gone = new AbortController();
      this.#gone = gone;
      const response = this.#response;
      if (this.isGone) gone.abort();
      else response.once('close', () => response.writableFinished || gone.abort());
    }
    return this.#gone.signal;
  }

  get isGone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }
}

/** `headers.host` has only the first of repeated fields, which must be rejected. */
function hostOf({ headers, rawHeaders }: IncomingMessage): string | null {
  const fields: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host')
      fields.push(rawHeaders[index + 1]!);
  }
  return fields.length > 1 ? fields.join(', ') : (headers.host ?? null);
}

function requestOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage): Request {
  const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http';
  const fullUrl = URL.canParse(url) ? url : `${scheme}://${headers.host ?? 'localhost'}${url}`;
  const fields = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) fields.set(name, String(value));
  }
  return new Request(URL.canParse(fullUrl) ? fullUrl : 'http://localhost/', { method, headers: fields });
}
