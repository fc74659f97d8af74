import type { CallContext } from '@leeward/quotes';
import type { JsonObject } from '@leeward/terms';
import type { Auth, AuthHeaders } from './auth/auth.ts';
import { parseXml } from './dialect/xml.ts';
import type { HttpCarrierFile, HttpRequestFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';
import { type Fetch, type HttpAnswer, readBytes, sendHttp } from './send-http.ts';
import { fillAddress, fillTemplate, fillText } from './template.ts';

/** All that can be made before anything is sent. */
export interface FilledRequest {
  readonly method: HttpRequestFile['method'];
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** Requests of one carrier: filled in, sent with what it knows us by, within its limits. */
export interface Exchange {
  readonly auth: Auth;
  /** @param document what is sent in place of the template's body. */
  fill(template: HttpRequestFile, values: JsonObject, document?: string): FilledRequest;
  /** A GET of an address that the carrier gave: nothing in it is filled in. */
  fillFor(url: string, values: JsonObject): FilledRequest;
  /** An answer that came some other way. */
  read(answer: {
    readonly status: number;
    readonly text: string | Uint8Array;
    readonly headers?: Headers | undefined;
  }): HttpAnswer;
  /** @param known what was prepared of {@link Auth.headers}; left out, it is asked for. */
  send(filled: FilledRequest, context: CallContext, known?: AuthHeaders): Promise<HttpAnswer>;
}

export function createExchange(
  file: HttpCarrierFile,
  { auth, secrets, fetch }: { readonly auth: Auth; readonly secrets: Secrets; readonly fetch: Fetch },
): Exchange {
  const isXml = file.dialect?.format === 'xml';
  // What carriers of XML say of themselves in JSON, a session say, is read as well.
  const parse = (text: string) => (isXml && /^\s*</.test(text) ? parseXml(text) : JSON.parse(text));
  const fillRest = (
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
    // A kept connection may be closed just when a request goes out on it, and nobody knows whether it arrived.
    if (!file.idempotent) headers.set('connection', 'close');
    const made = template.body === undefined ? undefined : JSON.stringify(fillTemplate(template.body, values) ?? null);
    const body = document ?? made;
    const kind = isXml && document !== undefined ? 'application/xml' : 'application/json';
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', kind);
    return { method: template.method, url, headers, body };
  };
  return {
    auth,
    fill: (template, values, document) =>
      fillRest(fillAddress(fillSecrets(template.url, secrets), values), template, values, document),
    fillFor: (url, values) => fillRest(url, { method: 'GET' }, values),
    read: ({ status, text, headers = new Headers() }) =>
      readBytes({ status, headers, retryAfterMs: undefined }, Buffer.from(text as Uint8Array), parse),
    async send(filled, context, known) {
      const { method, url, body } = filled;
      const { signal } = context;
      const sendAs = async (authorization: AuthHeaders) => {
        const headers = new Headers(filled.headers);
        for (const [name, value] of Object.entries(authorization)) headers.set(name, value);
        await context.beforeRequest?.();
        return sendHttp(fetch, url, { method, headers, signal, ...(body !== undefined && { body }) }, parse);
      };
      const authorization = known ?? (await auth.headers(signal));
      const answer = await sendAs(authorization);
      if (answer.status !== 401 || !auth.refused(authorization)) return answer;
      // Once, and only where a 401 says that nothing was done.
      if ((file.statuses?.['401'] ?? 'refused') !== 'refused') return answer;
      return sendAs(await auth.headers(signal));
    },
  };
}

/** What a header can carry: visible Latin characters and blanks. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
