import { CarrierFault } from '../../ports/carrier-fault.ts';
import type { HttpAuthFile } from './schema.ts';
import { fillSecrets, type Secrets } from './secrets.ts';
import { type Fetch, sendHttp } from './send-http.ts';

/** The headers by which a carrier knows us. */
export interface Auth {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The carrier did not accept them: get new ones next time, where that is possible. */
  refused(): void;
}

/** A token is renewed so long before it runs out. */
const renewBeforeMs = 30_000;
/** How long a token may take; a carrier's deadline has not begun meanwhile. */
const maxTokenMs = 10_000;

export function createAuth(file: HttpAuthFile | undefined, secrets: Secrets, fetch: Fetch): Auth {
  const constant = (headers: Readonly<Record<string, string>>): Auth => ({
    headers: async () => headers,
    refused() {},
  });
  switch (file?.type) {
    case undefined:
      return constant({});
    case 'bearer':
      return constant({ authorization: `Bearer ${fillSecrets(file.token, secrets)}` });
    case 'header':
      return constant({ [file.name.toLowerCase()]: fillSecrets(file.value, secrets) });
    case 'basic': {
      const pair = `${fillSecrets(file.username, secrets)}:${fillSecrets(file.password, secrets)}`;
      return constant({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
    }
    case 'oauth2_client_credentials':
      return createClientCredentials(file, secrets, fetch);
  }
}

/** OAuth 2.0 client credentials (RFC 6749, section 4.4): one token for all calls until it runs out. */
function createClientCredentials(
  file: Extract<HttpAuthFile, { type: 'oauth2_client_credentials' }>,
  secrets: Secrets,
  fetch: Fetch,
): Auth {
  let token: Promise<{ readonly text: string; readonly until: number }> | undefined;

  const ask = async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (file.scope !== undefined) form.set('scope', file.scope);
    const pair = [file.client_id, file.client_secret]
      .map((text) => encodeURIComponent(fillSecrets(text, secrets)))
      .join(':');
    const { status, body } = await sendHttp(fetch, file.token_url, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
      // Not the caller's signal: others wait for the same token.
      signal: AbortSignal.timeout(maxTokenMs),
    });
    const { access_token: text, expires_in: seconds } = (body ?? {}) as {
      access_token?: unknown;
      expires_in?: unknown;
    };
    if (status !== 200 || typeof text !== 'string') throw noToken(`answered ${status}`);
    const lifetimeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 300_000;
    return { text, until: performance.now() + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 2) };
  };
  return {
    async headers(signal) {
      const known = await token?.catch(() => undefined);
      if (known === undefined || performance.now() >= known.until) {
        token = ask().catch((error: unknown) => {
          token = undefined;
          throw error instanceof CarrierFault && error.code === 'no_token'
            ? error
            : noToken('could not be asked', error);
        });
      }
      const { text } = await unlessAborted(token!, signal);
      return { authorization: `Bearer ${text}` };
    },
    refused() {
      token = undefined;
    },
  };
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(noToken('was not waited for', signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/** The carrier itself has not been asked yet: trying again is safe. */
function noToken(what: string, cause?: unknown): CarrierFault {
  return new CarrierFault(`The carrier's token service ${what}.`, { kind: 'refused', code: 'no_token', cause });
}
