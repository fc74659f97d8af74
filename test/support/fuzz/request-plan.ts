import type { Contract, ContractOperation } from '../contract-check.ts';
import type { Tenant } from './fuzzed-tenants.ts';
import { type Mutation, mutate } from './mutations.ts';
import { createRandom, type Random } from './random.ts';
import type { Components, Schema } from './schema.ts';
import { type Hints, validValue } from './valid-value.ts';

/** The expected answer to a request. */
export type Expected = 'no fault of ours' | 'a refusal' | number;

export interface PlannedRequest {
  readonly index: number;
  readonly kind: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly expected: Expected;
}

export interface PlanOptions {
  readonly seed: number;
  readonly contract: Contract;
  readonly ours: Tenant;
  readonly theirs: Tenant;
  readonly operatorToken: string;
  readonly hints: (operationId: string) => Hints;
  /** Returns true if a body is valid for an operation. */
  readonly fits: (operationId: string, body: unknown) => boolean;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
  readonly schema: Schema | undefined;
}

/** Returns the request of an index: the same for the same seed, independent of earlier requests. */
export function createPlan(options: PlanOptions): (index: number) => PlannedRequest {
  const { contract, seed } = options;
  const routes: Route[] = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      schema: operation.requestBody?.content['application/json']?.schema as Schema | undefined,
    })),
  );
  const guarded = routes.filter(({ schema }) => schema !== undefined);
  const often = guarded.filter(({ path }) => /underwrite\/home|distance|quote/.test(path));
  const order = shuffled([...guarded, ...often], createRandom(seed));
  return (index) => {
    // Far apart, so that neighbours have nothing in common.
    const random = createRandom(Math.imul(index + 1, 0x9e3779b1) ^ seed);
    // Each pass over the routes shifts the kinds, so that few requests reach all combinations.
    const place = index % order.length;
    const route = order[place]!;
    const kind = turns[(place + Math.floor(index / order.length)) % turns.length]!;
    if (kind === 'valid') return validRequest(index, route, random, options);
    if (kind === 'mutation') return mutatedRequest(index, route, random, options);
    if (kind === 'access') return strangersRequest(index, route, random, options);
    return unruly(index, random.chance(0.3) ? random.pick(routes) : route, random, options);
  };
}

const turns = ['valid', 'mutation', 'access', 'valid', 'mutation', 'protocol'] as const;

function shuffled<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function validBody({ schema, operation }: Route, random: Random, { contract, hints }: PlanOptions): unknown {
  const components = contract.components['schemas'] as Components;
  const body = validValue(schema!, { random, hints: hints(operation.operationId), components });
  return random.chance(0.8) ? somewhere(body, operation.operationId) : body;
}

/** Removes the point of a home that has an address. Gives a distance request without an address a point. */
function somewhere(body: unknown, operationId: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { lat, lng, ...rest } = body as Record<string, unknown>;
  const isPlace = operationId === 'distanceToCoast' && (rest['address'] ?? undefined) === undefined;
  if (isPlace) return { ...rest, lat: lat ?? 25.7826, lng: lng ?? -80.1341 };
  return 'address' in rest ? rest : body;
}

function validRequest(index: number, route: Route, random: Random, options: PlanOptions): PlannedRequest {
  const body = JSON.stringify(validBody(route, random, options));
  return {
    ...planned(index, 'valid', route, random, options),
    body,
    expected: isAnnounced(route) ? 501 : 'no fault of ours',
  };
}

function mutatedRequest(index: number, route: Route, random: Random, options: PlanOptions): PlannedRequest {
  const { schema, operation } = route;
  const components = options.contract.components['schemas'] as Components;
  const mutation = mutate(validBody(route, random, options), schema!, components, random);
  const base = planned(index, `mutation: ${mutation.kind} at ${mutation.at}`, route, random, options);
  const refused = isAnnounced(route)
    ? 501
    : mustRefuse(mutation, operation, options)
      ? 'a refusal'
      : 'no fault of ours';
  return { ...base, body: mutation.body, expected: refused };
}

function mustRefuse(
  { kind, at, body, mustFail }: Mutation,
  operation: ContractOperation,
  { fits }: PlanOptions,
): boolean {
  // An item of a batch is refused in its place; the batch is answered.
  if (
    operation.operationId === 'distanceToCoastBatch' &&
    /^\/items\/\d/.test(at) &&
    kind !== 'deep' &&
    kind !== 'endless'
  )
    return false;
  // Filters of a list accept any text and then match nothing.
  if (kind === 'surrogate' && operation.operationId.endsWith('List')) return false;
  if (kind === 'nothing') return operation.requestBody!.required;
  if (mustFail) return true;
  return typeof body === 'string' && !fits(operation.operationId, JSON.parse(body));
}

/** Somebody without a token, with a bad one, with one of another scope, or in another tenant's place. */
function strangersRequest(index: number, route: Route, random: Random, options: PlanOptions): PlannedRequest {
  const { ours, theirs } = options;
  const body = random.chance(0.5)
    ? JSON.stringify(validBody(route, random, options))
    : random.pick(['{', '[]', 'x'.repeat(300_000)]);
  const base = { ...planned(index, 'access', route, random, options), body };
  const isOpen = route.operation.security?.length === 0;
  const as = (authorization: string | undefined, refused: Expected) => {
    const expected = isOpen ? 'no fault of ours' : refused;
    const { authorization: _, ...headers } = base.headers;
    return { ...base, headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) }, expected };
  };
  const foreign = /\{(organization_id|quote|rate)\}/.exec(route.path)?.[1] as
    | 'organization_id'
    | 'quote'
    | 'rate'
    | undefined;
  if (foreign !== undefined && random.chance(0.4)) {
    const id = random.pick([
      theirs[foreign],
      theirs[foreign].toUpperCase(),
      'null',
      '%00',
      '__proto__',
      '%F0%9F%92%A7',
      'x'.repeat(500),
    ]);
    return { ...base, kind: 'access: another’s', path: route.path.replace(/\{\w+\}/, id), expected: 404 };
  }
  const bad = [
    `${ours.tokens.key.slice(0, -1)}_`,
    'lw_live_x',
    theirs.tokens.key.toLowerCase(),
    'null',
    'y'.repeat(2_000),
  ];
  const scope = route.operation.security?.flatMap((way) => Object.values(way).flat())[0];
  const malformed = ['Bearer', 'Basic b3VyczpvdXJz', `Token ${ours.tokens.key}`];
  return random.pick([
    () => as(random.pick([undefined, ...malformed]), 401),
    () => as(`Bearer ${random.pick(bad)}`, 401),
    () =>
      as(
        `Bearer ${scope === 'quote' ? ours.tokens.key : ours.tokens.team}`,
        scope === 'distance' ? 'no fault of ours' : 403,
      ),
  ])();
}

/** Makes a request that is valid HTTP but that no operation accepts. */
function unruly(index: number, route: Route, random: Random, options: PlanOptions): PlannedRequest {
  const body = route.schema && JSON.stringify(validBody(route, random, options));
  const base = { ...planned(index, 'protocol', route, random, options), body };
  const withHeaders = (headers: Record<string, string>, expected: Expected) => ({
    ...base,
    headers: { ...base.headers, ...headers },
    expected,
  });
  const refusal: Expected = isAnnounced(route) ? 501 : 'a refusal';
  const harmless: Expected = isAnnounced(route) ? 501 : 'no fault of ours';
  const methods = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'].filter(
    (method) => method !== route.method && !(route.method === 'GET' && method === 'HEAD'),
  );
  const other = random.pick(methods);
  const choices: (() => PlannedRequest)[] = [
    () => ({ ...base, method: other, body: /GET|HEAD/.test(other) ? undefined : body, expected: 405 }),
    () => ({
      ...base,
      path: `${base.path}/${random.pick(['more', '%2e%2e', '', '__proto__'])}`,
      expected: 'no fault of ours',
    }),
    () => ({
      ...base,
      path: `${base.path}?${random.pick(['a=1', '__proto__[x]=1', '%00'])}`,
      expected: harmless,
    }),
    () =>
      withHeaders(
        { 'x-request-id': random.pick(['trip-1', 'a b', '<script>', 'é', 'x'.repeat(3_000), 'lw_live_1']) },
        harmless,
      ),
  ];
  if (route.schema) {
    choices.push(
      () =>
        withHeaders(
          {
            'content-type': random.pick([
              'text/plain',
              'application/xml',
              'application/json; charset=latin1',
              'json',
              ';',
            ]),
          },
          refusal,
        ),
      () => withHeaders({ 'content-encoding': random.pick(['gzip', 'br', 'x']) }, refusal),
      () => withHeaders({ 'idempotency-key': random.pick(['a', 'x'.repeat(300), 'é', ' ', 'k-1']) }, harmless),
      () => ({
        ...base,
        body: `${body!.slice(0, -1)}${body === '{}' ? '' : ','}"x_pad": "${'p'.repeat(270_000)}"}`,
        expected: refusal,
      }),
    );
  }
  return random.pick(choices)();
}

function planned(
  index: number,
  kind: string,
  { method, path, operation }: Route,
  random: Random,
  options: PlanOptions,
) {
  const { ours, operatorToken } = options;
  const scope = operation.security?.flatMap((way) => Object.values(way).flat())[0];
  const isOrganizations = path.includes('/organizations/');
  const token =
    scope === 'quote'
      ? ours.tokens.team
      : scope === 'admin'
        ? isOrganizations && random.chance(0.8)
          ? operatorToken
          : ours.tokens.admin
        : ours.tokens.key;
  return {
    index,
    kind,
    operationId: operation.operationId,
    method,
    path: path
      .replace('{organization_id}', ours.organization_id)
      .replace('{quote}', ours.quote)
      .replace('{rate}', ours.rate),
    headers: { authorization: `Bearer ${token}`, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
  };
}

function isAnnounced({ operation }: Route): boolean {
  return Object.hasOwn(operation.responses, '501');
}
