import type { CallContext, ExchangePurpose } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import type { Auth, AuthHeaders } from './auth/auth.ts';
import { parseXml } from './dialect/xml.ts';
import type { CarrierCredentials } from './record-exchange.ts';
import type { HttpCarrierFile, HttpRequestFile } from './schema.ts';
import { fillSecrets } from './secrets.ts';
import { type Fetch, type HttpAnswer, type Received, readBytes, readRetryAfter, sendHttp } from './send-http.ts';
import { fillAddress, fillTemplate, fillText } from './template.ts';

export interface FilledRequest {
  readonly method: HttpRequestFile['method'];
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

export interface Exchange {
  readonly auth: Auth;
  /** @param document Instead of the template's body. */
  fill(template: HttpRequestFile, values: JsonObject, document?: string): FilledRequest;
  /** A GET; nothing is filled in. */
  fillFor(url: string, values: JsonObject): FilledRequest;
  /** Received elsewhere. */
  read(answer: {
    readonly status: number;
    readonly text: string | Uint8Array;
    readonly headers?: Headers | undefined;
  }): HttpAnswer;
  /** @param prepared @default requested with {@link Auth.headers} */
  send(
    filled: FilledRequest,
    context: CallContext,
    how: { readonly purpose: ExchangePurpose; readonly prepared?: AuthHeaders | undefined },
  ): Promise<HttpAnswer>;
  /** Never recorded. */
  keepSecret(value: unknown): void;
}

export function createExchange(
  file: HttpCarrierFile,
  {
    auth,
    credentials,
    fetch,
  }: { readonly auth: Auth; readonly credentials: CarrierCredentials; readonly fetch: Fetch },
): Exchange {
  const { secrets } = credentials;
  const isXml = file.dialect?.format === 'xml';
  // XML carriers may answer some requests in JSON.
  const parse = (text: string) => (isXml && /^\s*</.test(text) ? parseXml(text) : JSON.parse(text));
  const fillAt = (
    url: string,
    template: Omit<HttpRequestFile, 'url'>,
    values: JsonObject,
    document?: string,
  ): FilledRequest => {
    const headers = new Headers({ accept: isXml ? 'application/xml' : 'application/json' });
    for (const [name, value] of Object.entries(template.headers ?? {})) {
      headers.set(name, fillText(fillSecrets(value, secrets), values, headerText));
    }
    headers.set(file.idempotency_header ?? 'Idempotency-Key', String(values['idempotency_key']));
    // A kept connection may close during a request: then its arrival is unknown.
    if (!file.idempotent) headers.set('connection', 'close');
    const filledBody =
      template.body === undefined ? undefined : JSON.stringify(fillTemplate(template.body, values) ?? null);
    const body = document ?? filledBody;
    const kind = isXml && document !== undefined ? 'application/xml' : 'application/json';
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', kind);
    return { method: template.method, url, headers, body };
  };
  return {
    auth,
    fill: (template, values, document) =>
      fillAt(fillAddress(fillSecrets(template.url, secrets), values), template, values, document),
    fillFor: (url, values) => fillAt(url, { method: 'GET' }, values),
    read: ({ status, text, headers = new Headers() }) =>
      readBytes({ status, headers, retryAfterMs: readRetryAfter(headers) }, Buffer.from(text as Uint8Array), parse),
    keepSecret: credentials.add,
    async send(filled, context, { purpose, prepared }) {
      const { method, url, body } = filled;
      const { signal, recordExchange } = context;
      const sendAs = async (authorization: AuthHeaders) => {
        const headers = new Headers(filled.headers);
        for (const [name, value] of Object.entries(authorization)) headers.set(name, value);
        await context.beforeRequest?.();
        const startedAt = performance.now();
        const observe = ({ response, bytes, fault }: Received) =>
          recordExchange?.({
            ...{ purpose, method, url, requestBody: body, status: response?.status, answerBody: bytes },
            requestHeaders: Object.fromEntries(headers),
            answerHeaders: response && Object.fromEntries(response.headers),
            failure: fault?.code,
            tookMs: performance.now() - startedAt,
            // Read when it is stored: by then the session that this answer starts is credentials.
            get secrets() {
              return credentials.list(authorization);
            },
          });
        return sendHttp(fetch, url, { method, headers, signal, ...(body !== undefined && { body }) }, parse, observe);
      };
      const authorization = prepared ?? (await auth.headers(signal));
      const answer = await sendAs(authorization);
      if (answer.status !== 401 || !auth.refused(authorization)) return answer;
      // Once, and only if a 401 means that the carrier did nothing.
      if ((file.statuses?.['401'] ?? 'refused') !== 'refused') return answer;
      return sendAs(await auth.headers(signal));
    },
  };
}

/** Replaces characters that a header cannot carry. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
