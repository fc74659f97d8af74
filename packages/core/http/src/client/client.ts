import type { Line, SpelledRequestOf } from '@leeward/engine';
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './paths.generated.ts';

/**
 * Every operation of the document, typed: `client.POST('/v1/underwrite/home', { body: { state: 'tx' } })`. `More` are paths of
 * lines of business that are on: `LinePaths<typeof renters>`.
 */
export type LeewardClient<More extends object = object> = Client<Omit<paths, keyof More> & More>;

/** What requests and answers are made of, by their names in the document. */
export type Schemas = components['schemas'];

type HomePath = paths['/v1/underwrite/home'];
type HomeOfOrganizationPath = paths['/v1/underwrite/home/{organization_id}'];

/** An operation of homes, asked about another line. */
type AboutLine<Path extends { readonly post: object }, Body> = Omit<Path, 'post'> & {
  readonly post: Omit<Path['post'], 'requestBody'> & {
    readonly requestBody: { readonly content: { readonly 'application/json': Body } };
  };
};

/** The paths of a line, with requests of its own fields. Several lines: `LinePaths<typeof renters> & LinePaths<typeof boats>`. */
export type LinePaths<Any extends Line> = {
  readonly [Name in `/v1/underwrite/${Any['vocabulary']['line']}`]: AboutLine<HomePath, SpelledRequestOf<Any>>;
} & {
  readonly [Name in `/v1/underwrite/${Any['vocabulary']['line']}/{organization_id}`]: AboutLine<
    HomeOfOrganizationPath,
    SpelledRequestOf<Any>
  >;
};

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
export function createClient<More extends object = object>({
  baseUrl,
  token,
  fetch,
}: ClientOptions): LeewardClient<More> {
  const client = createFetchClient<Omit<paths, keyof More> & More>({
    baseUrl,
    ...(fetch === undefined ? {} : { fetch }),
  });
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
