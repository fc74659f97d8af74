import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export interface PublicCallerOptions {
  /** Allows private addresses and http. */
  readonly allowPrivate: boolean;
  /** Every port if private addresses are allowed. @default all ports */
  readonly ports?: readonly number[] | undefined;
  /** @default true */
  readonly keepAlive?: boolean | undefined;
  /** Returns all addresses of a name. @default the system resolver */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

export interface PublicCall {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/** Not sent. `reason` contains no address. */
export class CallNotMadeError extends Error {
  override readonly name = 'CallNotMadeError';
  readonly reason: string;

  constructor(reason: string) {
    super(`Nothing was called: ${reason}.`);
    this.reason = reason;
  }
}

export interface PublicCaller {
  /**
   * Redirects are returned, not followed. @throws {CallNotMadeError} `not_https`, `forbidden_port`, `forbidden_address` or
   * `name_not_resolved`.
   */
  call(url: URL, call: PublicCall): Promise<IncomingMessage>;
  close(): void;
}

const resolveHost = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Calls the public internet only: a name is resolved once, all its addresses are checked, and the connection uses one of them. */
export function createPublicCaller(options: PublicCallerOptions): PublicCaller {
  const { allowPrivate, ports, keepAlive = true, resolve = resolveHost } = options;
  const agents = {
    'http:': new HttpAgent({ keepAlive, maxSockets: 64, timeout: 30_000 }),
    'https:': new HttpsAgent({ keepAlive, maxSockets: 64, timeout: 30_000 }),
  };

  const look = async (url: URL, signal: AbortSignal): Promise<readonly string[]> => {
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
      throw new CallNotMadeError('not_https');
    }
    if (!allowPrivate && ports !== undefined && !ports.includes(portOf(url))) {
      throw new CallNotMadeError('forbidden_port');
    }
    // In brackets: IPv6. URL writes every other spelling as four numbers.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    let addresses: readonly string[];
    try {
      addresses = isIP(host) === 0 ? await within(signal, resolve(host)) : [host];
    } catch (error) {
      signal.throwIfAborted();
      throw new CallNotMadeError(`name_not_resolved (${codeOf(error)})`);
    }
    if (addresses.length === 0) throw new CallNotMadeError('name_not_resolved');
    if (!allowPrivate && !addresses.every(isPublicAddress)) throw new CallNotMadeError('forbidden_address');
    return addresses;
  };

  return {
    async call(url, { method, headers, body, signal }) {
      const addresses = await look(url, signal);
      const answer = new Promise<IncomingMessage>((resolveAnswer, reject) => {
        const isHttps = url.protocol === 'https:';
        const request = (isHttps ? httpsRequest : httpRequest)(url, {
          method,
          agent: agents[isHttps ? 'https:' : 'http:'],
          lookup: pinned(addresses),
          maxHeaderSize: 16 * 1024,
          headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
          signal,
        });
        request.on('response', resolveAnswer);
        request.on('error', reject);
        request.end(body);
      });
      // Node reports an abort only once the request has a socket: a queued request would wait for earlier calls.
      return within(signal, answer);
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all: wantsAll }, answer) => {
    if (wantsAll) answer(null, all);
    else answer(null, all[0]!.address, all[0]!.family);
  };
}

function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
