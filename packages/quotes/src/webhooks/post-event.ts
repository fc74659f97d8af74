import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** What came of one request. */
export type Posted =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Undefined where no answer came. */
      readonly status: number | undefined;
      /** For whoever looks after the endpoint: nothing of what it answered. */
      readonly reason: string;
      readonly retryAfterMs: number | undefined;
    };

/** Sends JSON to an endpoint. Never rejects. */
export type EventPost = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal: AbortSignal,
) => Promise<Posted>;

export interface EventPostOptions {
  /** Whether private addresses, and http, may be called. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  /** Whether connections are kept for the next event. Default true. */
  readonly keepAlive?: boolean | undefined;
  /** All addresses of a name. Default: as the system resolves it. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/** Of an answer nothing but its status is used; so much of it is let by, to keep the connection. */
const maxAnswerBytes = 64 * 1024;
const maxRetryAfterMs = 3_600_000;

const resolveHost = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * Calls nothing but the public internet: a name is resolved once, every address that it has is looked at, and the
 * connection goes to one of these and to no other. A redirect is not followed. @returns with `close` for what is kept open.
 */
export function createEventPost(options: EventPostOptions): EventPost & { close(): void } {
  const { allowPrivate, timeoutMs, keepAlive = true, resolve = resolveHost } = options;
  const agents = {
    'http:': new HttpAgent({ keepAlive, maxSockets: 64, timeout: 30_000 }),
    'https:': new HttpsAgent({ keepAlive, maxSockets: 64, timeout: 30_000 }),
  };

  const post: EventPost = async (address, { headers, body }, signal) => {
    const url = new URL(address);
    const limit = AbortSignal.timeout(timeoutMs);
    const failed = (reason: string): Posted => ({ ok: false, status: undefined, reason, retryAfterMs: undefined });
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return failed('not_https');
    // An address in brackets is one of IPv6; URL has written every other spelling of an address as four numbers.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    let addresses: readonly string[];
    try {
      addresses = isIP(host) === 0 ? await within(limit, resolve(host)) : [host];
    } catch (error) {
      return failed(limit.aborted ? 'timeout' : `name_not_resolved (${codeOf(error)})`);
    }
    if (addresses.length === 0) return failed('name_not_resolved');
    if (!allowPrivate && !addresses.every(isPublicAddress)) return failed('forbidden_address');
    try {
      const answer = await send(url, {
        headers,
        body,
        lookup: pinned(addresses),
        signal: AbortSignal.any([signal, limit]),
      });
      return await judge(answer);
    } catch (error) {
      return failed(limit.aborted ? 'timeout' : `no_answer (${codeOf(error)})`);
    }
  };

  function send(
    url: URL,
    {
      headers,
      body,
      lookup: pinnedLookup,
      signal,
    }: { headers: Readonly<Record<string, string>>; body: string; lookup: LookupFunction; signal: AbortSignal },
  ): Promise<IncomingMessage> {
    return new Promise((resolveAnswer, reject) => {
      const isHttps = url.protocol === 'https:';
      const request = (isHttps ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: agents[isHttps ? 'https:' : 'http:'],
        lookup: pinnedLookup,
        maxHeaderSize: 16 * 1024,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      });
      request.on('response', resolveAnswer);
      request.on('error', reject);
      request.end(body);
    });
  }

  return Object.assign(post, {
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  });
}

/** Answers every name with the addresses that were looked at. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all: wantsAll }, answer) => {
    if (wantsAll) answer(null, all);
    else answer(null, all[0]!.address, all[0]!.family);
  };
}

async function judge(answer: IncomingMessage): Promise<Posted> {
  const status = answer.statusCode ?? 0;
  const retryAfter = Number(answer.headers['retry-after']);
  await letBy(answer);
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  return {
    ok: false,
    status,
    reason: isRedirect ? `redirect (${status})` : `answered ${status}`,
    retryAfterMs: retryAfter > 0 ? Math.min(maxRetryAfterMs, retryAfter * 1000) : undefined,
  };
}

/** What was answered is read to its end, or the connection given up where that is too much. The status counts either way. */
async function letBy(answer: IncomingMessage): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of answer) {
      length += (chunk as Buffer).length;
      if (length > maxAnswerBytes) break;
    }
  } catch {
    // It said its status, and broke off.
  }
  if (length > maxAnswerBytes) answer.destroy();
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
