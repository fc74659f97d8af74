import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './paths.generated.ts';

/** Every operation of the document, typed: `client.POST('/v1/underwrite/home', { body: { state: 'tx' } })`. */
export type LeewardClient = Client<paths>;

/** What requests and answers are made of, by their names in the document. */
export type Schemas = components['schemas'];

/** Where the service is, and the token or what gives one for each request. */
export interface ClientOptions {
  /** Where the service is found, with its prefix if it has one: `https://example.com/insurance`. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer …`; a function is asked before each request. Left out for operations open to all. */
  readonly token?: string | (() => string | Promise<string>);
  /** Default: the global one. `leeward.fetch` asks a service in this very process. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the service. Its types are written from the document, so what does not fit the contract does not compile.
 * Each call gives `{ data, error, response }`: `data` where all went well, else `error`, the problem that was answered.
 * Rejects only where no answer came.
 */
export function createClient({ baseUrl, token, fetch }: ClientOptions): LeewardClient {
  const client = createFetchClient<paths>({ baseUrl, ...(fetch === undefined ? {} : { fetch }) });
  if (token !== undefined) {
    client.use({
      async onRequest({ request }) {
        request.headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
        return request;
      },
    });
  }
  return client;
}
