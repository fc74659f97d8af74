import type { Contract, ContractOperation } from '../contract-check.ts';
import { hostileRuleSets } from '../engine/hostile-rule-sets.ts';
import { hintsOf, ruleSetOf, type Tenant } from './fuzzed-tenants.ts';
import { createRandom } from './random.ts';
import { alternatives, type Components, type Schema } from './schema.ts';
import { type Making, validValue } from './valid-value.ts';

/** Kinds of callers; `anyone` has no token. */
export type Caller = 'anyone' | 'key' | 'team' | 'admin' | 'operator';

export interface CostlyRequest {
  readonly operationId: string;
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** undefined for a GET. */
  readonly body: string | undefined;
}

export interface CostlyOptions {
  readonly contract: Contract;
  readonly tenant: Tenant;
  readonly operatorToken: string;
  /** @default 262_144 */
  readonly maxBodyBytes?: number;
}

/** Pages and files outside the document, an unknown path, and an unknown token. */
const pages = [
  '/',
  '/lines.json',
  '/problems',
  '/problems/not_found',
  '/schemas/rule-set-1.json',
  '/schemas/fields-1.json',
];
const otherPaths = ['/workbench/none.js', '/nothing', '/v1/underwrite/home'];

/**
 * Expensive requests of each operation of the document, under its operation id, and of the pages under `pages`. Each operation
 * gets bodies that fill its schema, the examples of the document, the values of `expensive`, and bodies that are refused late. A caller
 * without a token, and one with a token of each kind, send them.
 */
export function costlyRequests(options: CostlyOptions): ReadonlyMap<string, readonly CostlyRequest[]> {
  const { contract } = options;
  const requests = new Map<string, readonly CostlyRequest[]>();
  for (const [path, methods] of Object.entries(contract.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      requests.set(operation.operationId, requestsOf({ method: method.toUpperCase(), path, operation }, options));
    }
  }
  // Others need what these remove.
  const removals = [...requests].filter(([operationId]) =>
    /^erase|^cancel|remove|withdraw|ProducersUpdate/i.test(operationId),
  );
  for (const [operationId, all] of removals) {
    requests.delete(operationId);
    requests.set(operationId, all);
  }
  const page = (path: string, caller: Caller = 'anyone') =>
    requestAs(caller, { operationId: 'pages', method: 'GET', path, body: undefined }, options);
  requests.set('pages', [...[...pages, ...otherPaths].map((path) => page(path)), unknownToken(page('/v1/token'))]);
  return requests;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
}

type Unsent = Pick<CostlyRequest, 'operationId' | 'method' | 'path' | 'body'>;

function requestsOf({ method, path: template, operation }: Route, options: CostlyOptions): CostlyRequest[] {
  const { tenant, maxBodyBytes = 256 * 1024 } = options;
  const { operationId } = operation;
  const path = template
    .replace('{organization_id}', tenant.organization_id)
    .replace('{quote}', tenant.quote)
    .replace('{rate}', tenant.rate)
    .replace('{document}', 'quote_letter')
    .replace('{carrier_key}', 'lantern_mutual');
  const as = (caller: Caller, body: string | undefined) =>
    requestAs(caller, { operationId, method, path, body }, options);
  const callers = callersOf(operation);
  const json = operation.requestBody?.content['application/json'];
  if (!json) {
    const bodies = operation.requestBody ? ['{"event": "e-1", "rate": "r-1"}', deep, '.'.repeat(65_536)] : [undefined];
    return bodies.flatMap((body) =>
      (['anyone', 'key', 'team', 'admin', 'operator'] as const).map((who) => as(who, body)),
    );
  }
  const good = acceptableBodies(operation, options)
    .map((body) => JSON.stringify(body))
    .filter((body) => Buffer.byteLength(body) <= maxBodyBytes);
  const [largest = '{}'] = good;
  const strangers = (['anyone', 'key', 'team', 'admin', 'operator'] as const).filter((who) => !callers.includes(who));
  return [
    ...good.flatMap((body) => callers.map((caller) => as(caller, body))),
    ...strangers.map((caller) => as(caller, largest)),
    ...[wide, deep].map((body) => as(callers[0]!, body)),
  ];
}

/** Callers that have a scope of the operation; the first is the one of most requests. */
function callersOf({ operationId, security = [] }: ContractOperation): readonly Caller[] {
  const scopes = new Set(security.flatMap((way) => Object.values(way).flat()));
  if (scopes.has('quote')) return ['team'];
  if (scopes.has('admin'))
    return /HazardEvents|Moratoria|Organizations(Create|Remove)/.test(operationId) ? ['operator'] : ['admin'];
  return scopes.has('operator') ? ['operator'] : ['key'];
}

function requestAs(caller: Caller, unsent: Unsent, { tenant, operatorToken }: CostlyOptions): CostlyRequest {
  const { key, team, admin } = tenant.tokens;
  const token = { anyone: undefined, key, team, admin, operator: operatorToken }[caller];
  const headers = {
    'accept-encoding': 'gzip',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(unsent.body !== undefined && { 'content-type': 'application/json' }),
  };
  return { ...unsent, caller, headers };
}

function unknownToken(request: CostlyRequest): CostlyRequest {
  return {
    ...request,
    headers: { ...request.headers, authorization: `Bearer lw_test_${'n'.repeat(26)}_${'k'.repeat(43)}` },
  };
}

/** Thousands of fields that no operation has, each with a suggestion. */
const wide = JSON.stringify(
  Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`field_${index.toString(36)}`, index])),
);
const deep = `{"a": [${'[],'.repeat(20_000)}[]]}`;

/** Bodies that may be accepted, the largest first. */
function acceptableBodies({ operationId, requestBody }: ContractOperation, options: CostlyOptions): readonly unknown[] {
  const { contract, tenant, maxBodyBytes = 256 * 1024 } = options;
  const { schema, examples = {} } = requestBody!.content['application/json']!;
  const components = contract.components['schemas'] as Components;
  const making = (seed: number): Making => ({
    random: createRandom(seed),
    components,
    hints: { ...hintsOf(tenant, operationId), ...requiredOf(tenant, operationId) },
  });
  const filled = [1, 2].map((seed) => largestValue(schema as Schema, making(seed), { bytes: maxBodyBytes * 0.9 }));
  const usual = Object.values(examples as Record<string, { value: unknown }>).map(({ value }) =>
    withOwnIds(value, making(3)),
  );
  return [
    ...filled,
    ...(expensive[operationId]?.(tenant) ?? []).map((value) => ({ ...idOf(operationId, tenant), ...value })),
    ...usual,
  ];
}

/** Values that a request needs to be accepted; hints of the fuzzer are wrong at times, on purpose. Removals name spare things. */
function requiredOf({ organization_id, team_id, producerEmail, things }: Tenant, operationId: string): Making['hints'] {
  const first = Object.fromEntries(Object.entries(things).map(([name, [id]]) => [name, () => id]));
  return {
    ...first,
    ...(!operationId.endsWith('Remove') && { organization_id: () => organization_id, team_id: () => team_id }),
    assigned_producer_email: () => producerEmail,
    product_code: () => 'homeowners',
    form_types: () => ['ho3'],
    policy_types: () => ['ho3'],
    carrier_keys: () => null,
    state: () => 'fl',
    states: () => ['fl'],
    cursor: () => null,
    limit: () => 100,
    revision: () => 1,
  };
}

/** An example with the identifiers of the tenant. */
function withOwnIds(value: unknown, { random, hints }: Making): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      /_(id|email)$|^carrier_key$/.test(name) && hints[name] ? hints[name](random) : each,
    ]),
  );
}

/**
 * Fills a schema: arrays to `maxItems`, texts to `maxLength`, objects with every property, of each union the widest part; within the bytes
 * that are left.
 */
export function largestValue(schema: Schema, making: Making, left: { bytes: number }, name = ''): unknown {
  const hint = Object.hasOwn(making.hints, name) ? making.hints[name] : undefined;
  const value = hint
    ? hint(making.random)
    : largestOf(widest(alternatives(schema, making.components)), making, left, name);
  if (typeof value !== 'object' || value === null) left.bytes -= JSON.stringify(value ?? null).length + 2;
  return value;
}

const widths = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function widest(options: readonly Schema[]): Schema {
  const words = options.find((each) => each.enum);
  const width = (each: Schema) => widths.indexOf(String(each.type)) + (each.properties ? 1 : 0);
  return words ?? options.reduce((best, each) => (width(each) > width(best) ? each : best));
}

function largestOf(schema: Schema, making: Making, left: { bytes: number }, name: string): unknown {
  if (schema.type === 'array') {
    const items: unknown[] = [];
    const { minItems = 0, maxItems = 10_000 } = schema;
    // The rest of an object needs bytes too.
    const share = { bytes: left.bytes / 2 };
    while (items.length < maxItems && (share.bytes > 0 || items.length < minItems)) {
      items.push(largestValue(schema.items ?? {}, making, share));
      share.bytes -= 1;
    }
    left.bytes = left.bytes / 2 + share.bytes;
    return items;
  }
  if (schema.type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([property, each]) => {
        left.bytes -= property.length + 4;
        return [property, largestValue(each, making, left, property)];
      }),
    );
  }
  const isFreeText = schema.type === 'string' && !schema.enum && !schema.pattern && !schema.format && !schema.examples;
  if (isFreeText) return 'w'.repeat(Math.min(schema.maxLength ?? 2_000, Math.max(schema.minLength ?? 1, left.bytes)));
  if (schema.type === 'boolean') return true;
  return validValue(schema, { ...making, hints: {} }, name);
}

const hostile = (count: number) => hostileRuleSets.naive({ carrierKey: `costly_${count}`, seed: count });
const allHostile = () =>
  Object.values(hostileRuleSets).map((make, index) => make({ carrierKey: `costly_${index}`, seed: index + 1 }));
const withRuleSets = () => [...allHostile(), ruleSetOf('own_0', 1)].map((rule_set) => ({ rule_set }));
const home = { state: 'fl', county: 'miami-dade' };
const points = Array.from({ length: 1_000 }, (_, index) => ({
  lat: 25 + ((index * 7) % 2_000) / 100,
  lng: -120 + ((index * 13) % 5_000) / 100,
  probability_within: [{ feet: 1_000 }, { miles: 1 }, { meters: 500 }],
}));
const explainedHomes = () => [
  { ...home, explain: true },
  { ...home, as_of: '2031-08-01T00:00:00Z' },
];

const certificates = () =>
  [25.78, 30.5].map((lat) => ({
    home: { ...home, lat, lng: -80.13 - (lat - 25.78) },
    include_letters: true,
    format: 'page',
  }));

/** Messages that run the tools. */
const messages = () => {
  const call = (name: string, args: object) => {
    return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  };
  return [
    ...['decide', 'ask_next', 'what_would_change'].map((name) => call(name, { home, all_carriers: true })),
    call('check_answer', { home, answer: 'said. \n'.repeat(20_000).slice(0, 100_000) }),
    ...allHostile().flatMap((rule_set) => [
      call('check_rules', { rule_set }),
      call('diff_rules', { newer: rule_set, older: rule_set }),
      call('propose_rules', { rule_set, cases: [{}], note: 'costly' }),
    ]),
  ];
};

const idOf = (operationId: string, { things }: Tenant) =>
  operationId === 'adminCarriersUpdate' ? { carrier_id: things['carrier_id']![0], revision: 1 } : {};

/** Expensive values that no schema knows. */
const expensive: Readonly<Record<string, (tenant: Tenant) => readonly object[]>> = {
  underwriteHome: explainedHomes,
  underwriteHomeForOrganization: explainedHomes,
  issueCertificate: certificates,
  issueCertificateForOrganization: certificates,
  callMcp: messages,
  distanceToCoast: () => [{ lat: 38.5, lng: -98, radius_meters: 10_000 }],
  distanceToCoastBatch: () => [{ items: points }],
  adminCarriersCreate: withRuleSets,
  // The key of a carrier stays.
  adminCarriersUpdate: () =>
    [hostileRuleSets.limits({ carrierKey: 'costly_0' }), ruleSetOf('costly_0', 1)].map((rule_set) => ({ rule_set })),
  adminRuleSetsPush: withRuleSets,
  adminRuleSetsPropose: () => [
    ...withRuleSets(),
    {
      rule_set: hostileRuleSets.products({ carrierKey: 'costly_book' }),
      book: Array.from({ length: 4_000 }, () => home),
    },
  ],
  adminRuleSetsReplay: () => [...withRuleSets(), { rule_set: hostile(9), max_changes: 10_000 }],
  adminOverridesCreate: () => [
    { carrier_key: 'sunreach_property', add_rules: (hostile(1) as { rules: unknown[] }).rules },
  ],
  adminUsersCreate: ({ team_id }) => [
    { email: 'kim@costly.example', name: 'Kim', roles: [{ role: 'agent', team_id }] },
  ],
  adminMoratoriaPropose: () => [
    {
      moratorium: {
        id: 'm-1',
        message: 'Closed.',
        from: '2026-01-01',
        when: {
          all: Array.from({ length: 500 }, (_, value) => ({ fact: 'total_claims', operator: 'notEqual', value })),
        },
      },
    },
  ],
  adminHazardEventsPost: () => [
    {
      event: {
        ...{ id: 'e-1', kind: 'wildfire', name: 'Costly', from: '2026-11-01T00:00:00Z', until: null, states: ['fl'] },
        area: {
          type: 'Polygon',
          coordinates: [
            Array.from({ length: 4_001 }, (_, index) => [
              -82 + Math.cos((index % 4_000) / 636.6),
              28 + Math.sin((index % 4_000) / 636.6),
            ]),
          ],
        },
      },
    },
  ],
};
