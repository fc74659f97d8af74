import type { OpenApiDocument } from '@leeward/http';

/** An answer of the service. */
export interface ServiceAnswer {
  readonly status: number;
  /** JSON; undefined for other bodies. */
  readonly body: unknown;
}

/** A Leeward service, called with the asker's token. */
export interface Service {
  /**
   * Posts JSON, or without a body sends GET.
   *
   * @param headers In addition to the token's: `idempotency-key`.
   */
  call(path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<ServiceAnswer>;
  /** The document that the service serves. */
  document(): Promise<OpenApiDocument>;
}

/** The address of a service and the asker's token. */
export interface ServiceOptions {
  /** `https://example.com/insurance`, without a trailing slash. */
  readonly url: string;
  /** A function is called before each request. */
  readonly token: string | (() => Promise<string>);
  /** Sends a request. @default globalThis.fetch */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Aborts all calls. @default never */
  readonly signal?: AbortSignal;
}

/** The service gave no answer. Its message is for the model. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const CALL_MS = 30_000;

/**
 * A service at an address, or in this process with `fetch: leeward.fetch`.
 *
 * @example
 * const service = createService({ url: 'https://example.com', token });
 */
export function createService({ url, token, fetch = globalThis.fetch, signal }: ServiceOptions): Service {
  let read: Promise<OpenApiDocument> | undefined;
  const send = async (
    path: string,
    init: RequestInit & { headers: Record<string, string> },
  ): Promise<ServiceAnswer> => {
    const timeout = AbortSignal.timeout(CALL_MS);
    const request = new Request(`${url}${path}`, {
      ...init,
      // Never send a token to a redirect.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    try {
      const response = await fetch(request);
      return { status: response.status, body: parsed(await response.text()) };
    } catch (cause) {
      const why = timeout.aborted ? `no answer within ${CALL_MS / 1000} s` : 'the connection failed';
      throw new UnreachableError(`The service at ${url} cannot be reached (${why}). Is it running?`, { cause });
    }
  };
  const service: Service = {
    async call(path, body, headers = {}) {
      const authorization = `Bearer ${typeof token === 'string' ? token : await token()}`;
      if (body === undefined) return send(path, { headers: { ...headers, authorization } });
      return send(path, {
        method: 'POST',
        headers: { ...headers, authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    },
    async document() {
      read ??= send('/openapi.json', { headers: {} }).then(({ status, body }) => {
        if (status === 200) return body as OpenApiDocument;
        throw new UnreachableError(`${url} is not a Leeward service: its /openapi.json answers ${status}.`);
      });
      try {
        return await read;
      } catch (error) {
        read = undefined;
        throw error;
      }
    },
  };
  return service;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
