import type { Line, SpelledRequestOf } from '@leeward/engine';
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './paths.generated.ts';

/**
 * A typed method for every operation of the document: `client.POST('/v1/underwrite/home', { body: { state: 'tx' } })`. `More` adds the
 * paths of other lines of business: `LinePaths<typeof renters>`.
 */
export type LeewardClient<More extends object = object> = Client<Omit<paths, keyof More> & More>;

/** The schemas of requests and answers, by their names in the document. */
export type Schemas = components['schemas'];

type HomePath = paths['/v1/underwrite/home'];
type HomeOfOrganizationPath = paths['/v1/underwrite/home/{organization_id}'];

/** An operation for homes, with the request of another line. */
type ForLine<Path extends { readonly post: object }, Body> = Omit<Path, 'post'> & {
  readonly post: Omit<Path['post'], 'requestBody'> & {
    readonly requestBody: { readonly content: { readonly 'application/json': Body } };
  };
};

/** The paths of a line, with its fields. For several lines: `LinePaths<typeof renters> & LinePaths<typeof boats>`. */
export type LinePaths<Any extends Line> = RequestPaths<SpelledRequestOf<Any>, Any['vocabulary']['line']>;

/**
 * The paths of a line whose requests have the type `Body`. For a service with a file of fields:
 * `createClient<RequestPaths<Schemas['HomeUnderwritingRequest'] & { dock_feet?: number }>>(…)`.
 */
export type RequestPaths<Body extends object, Name extends string = 'home'> = {
  readonly [Path in `/v1/underwrite/${Name}`]: ForLine<HomePath, Body>;
} & {
  readonly [Path in `/v1/underwrite/${Name}/{organization_id}`]: ForLine<HomeOfOrganizationPath, Body>;
};

/** The address of the service, and the token. */
export interface ClientOptions {
  /** Address of the service, with its prefix if it has one: `https://example.com/insurance`. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer …`; a function is called before each request. If omitted, requests have no token. */
  readonly token?: string | (() => string | Promise<string>);
  /** `leeward.fetch` calls a service in the same process. @default globalThis.fetch */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Makes a client whose types are generated from the document, so a call that breaks the contract does not compile. Each call resolves
 * to `{ data, error, response }`: `data` after a success, else `error`, the problem document. It rejects only if no answer arrives.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://example.com', token });
 * const { data, error } = await client.POST('/v1/underwrite/home', { body: { state: 'tx' } });
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
