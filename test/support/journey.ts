import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CertificateKey, verifyCertificate } from '@leeward/certificate/verify';
import { createClient, type LeewardClient, type Schemas } from '@leeward/http/client';
import { exampleQuoteFields } from '@leeward/quotes';
import type { DemoKeys } from './demo.ts';
import { chooseAtProvider, finishBody, newSignIn } from './sign-in-client.ts';

/** Operator token of a demo, so that organizations can be created too. */
export const operatorToken = 'operator of the demo, for a journey through every route';

export const quoteFields: Schemas['QuoteFields'] = exampleQuoteFields;

const home = {
  state: 'fl',
  county: 'broward',
  policy_type: 'ho3',
  year_built: 2004,
  roof_type: 'tile',
  roof_age: 9,
  as_of: '2026-11-20T12:00:00Z',
} as const;

interface Result<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the data of a successful answer.
 * @throws Error with the problem otherwise.
 */
export async function good<Data>(asked: Promise<Result<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await asked;
  equal(response.status, 200, `${response.url}: ${JSON.stringify(error)}`);
  ok(data !== undefined && data !== null);
  return data;
}

/**
 * Calls every operation of the document of a demo with sign-in through the generated client: underwrites a home, looks up a distance,
 * creates, polls and reads a quote, administers an agency, signs a person in. Returns the operations it called, as `POST /v1/underwrite/home`.
 * Options leave out operations that are only announced, callbacks of carriers and streams of events: some proxies answer in place of
 * a service that returns 501, accept any body, or hold a whole stream to the schema of one event.
 */
export async function runJourney(
  baseUrl: string,
  keys: DemoKeys,
  { announced = true }: { readonly announced?: boolean } = {},
): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  const as = (token?: string): LeewardClient => {
    const client = createClient({ baseUrl, ...(token === undefined ? {} : { token }) });
    client.use({
      onRequest({ schemaPath, request }) {
        asked.add(`${request.method} ${schemaPath}`);
      },
    });
    return client;
  };
  await underwrite(as(keys.api_key), keys.organization_id);
  if (announced) await callTools(as(keys.api_key));
  await certify(as(keys.api_key), as(), keys.organization_id);
  await readRules(as(keys.admin_token), keys.organization_id);
  if (announced) await askAnnounced(as(keys.api_key), keys.organization_id);
  await lookUp(as(keys.api_key));
  const quotedBy = await quote(as(keys.team_token), keys.producer_email, announced);
  if (announced) await callBack(as());
  await administer(as(keys.admin_token), keys);
  await operate(as(operatorToken), quotedBy);
  await putInForce(as(operatorToken), as(keys.admin_token), keys.organization_id);
  await signInAndOut(as);
  await look(as());
  return asked;
}

async function signInAndOut(as: (token?: string) => LeewardClient): Promise<void> {
  const { code_verifier, ...body } = newSignIn('http://127.0.0.1:49152/callback');
  const started = await good(as().POST('/v1/sign-in/start', { body }));
  const own = { ...body, code_verifier, ...started };
  const returned = await chooseAtProvider(own, 'kim');
  equal(returned.state, body.state);
  const session = await good(as().POST('/v1/sign-in/finish', { body: finishBody(own, returned) }));
  equal(session.user.name, 'Kim Larsen');
  const client = as(session.tokens[0]?.token ?? '');
  equal((await good(client.GET('/v1/token'))).user?.user_id, session.user.user_id);
  ok((await good(client.POST('/v1/sign-in/renew', {}))).expires_at >= session.expires_at);
  await good(client.POST('/v1/sign-in/end', {}));
  equal((await client.POST('/v1/sign-in/end', {})).response.status, 401);
}

async function callTools(client: LeewardClient): Promise<void> {
  const params = { name: 'decide', arguments: { home } };
  const body = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params };
  ok((await good(client.POST('/mcp', { body, parseAs: 'text' }))).includes('sha256'));
}

async function underwrite(client: LeewardClient, organizationId: string): Promise<void> {
  const everyone = await good(client.POST('/v1/underwrite/home', { body: home }));
  ok(everyone.counts.ineligible > 0 && everyone.organization_id === null);
  const params = { path: { organization_id: organizationId } };
  const agency = await good(client.POST('/v1/underwrite/home/{organization_id}', { params, body: home }));
  equal(agency.organization_id, organizationId);
  const explained = await good(client.POST('/v1/underwrite/home', { body: { ...home, explain: true } }));
  for (const verdict of explained.declined) {
    ok(verdict.explanation?.decided_by.length, verdict.carrier_key);
    ok(verdict.would_change, verdict.carrier_key);
  }
}

async function certify(client: LeewardClient, anyone: LeewardClient, organizationId: string): Promise<void> {
  const { keys } = await good(anyone.GET('/v1/certificate-keys'));
  const everyone = await good(client.POST('/v1/certificate', { body: { home } }));
  ok(typeof everyone === 'object' && everyone.content.verdicts.some(({ status }) => status === 'ineligible'));
  const bytes = Buffer.from(JSON.stringify(everyone));
  deepEqual(verifyCertificate(bytes, keys as CertificateKey[]), everyone);
  const params = { path: { organization_id: organizationId } };
  const body = { home, include_letters: true, format: 'page' } as const;
  const page = await good(client.POST('/v1/certificate/{organization_id}', { params, body, parseAs: 'text' }));
  const { content } = verifyCertificate(Buffer.from(String(page)), keys as CertificateKey[]);
  equal(content['organization_id'], organizationId);
}

async function readRules(client: LeewardClient, organizationId: string): Promise<void> {
  const everyone = await good(client.POST('/v1/rule-sets/home', { body: {} }));
  ok(everyone.carriers.every(({ versions }) => versions.length > 0));
  const params = { path: { organization_id: organizationId } };
  const agency = await good(client.POST('/v1/rule-sets/home/{organization_id}', { params, body: {} }));
  ok(agency.carriers.some(({ source }) => source === 'organization'));
}

async function askAnnounced(client: LeewardClient, organizationId: string): Promise<void> {
  const params = { path: { organization_id: organizationId } };
  for (const asked of [
    client.POST('/v1/underwrite/condo', { body: {} }),
    client.POST('/v1/underwrite/condo/{organization_id}', { params, body: {} }),
    client.POST('/v1/underwrite/flood', { body: {} }),
    client.POST('/v1/underwrite/flood/{organization_id}', { params, body: {} }),
  ]) {
    const { error, response } = await asked;
    equal(response.status, 501, response.url);
    equal(error?.code, 'coming_soon');
  }
}

/** No carrier of the demo answers later, so that none is called back. */
async function callBack(client: LeewardClient): Promise<void> {
  const params = { path: { carrier_key: 'lantern_mutual' } };
  const { error, response } = await client.POST('/carrier/v1/callback/{carrier_key}', { params, body: '{}' });
  equal(response.status, 404, response.url);
  equal(error?.code, 'not_found');
}

async function lookUp(client: LeewardClient): Promise<void> {
  const point = await good(client.POST('/v1/distance-to-coast', { body: { lat: 25.7826, lng: -80.1341 } }));
  equal(point.compass_point, 'east');
  const address = '1600 Ocean Dr, Miami Beach FL 33139';
  const placed = await good(client.POST('/v1/distance-to-coast', { body: { address, coast: 'ocean' } }));
  equal(placed.coast_definition, 'ocean');
  const items = [{ address: { zipcode: '33139' } }, { address: 'Springfield' }];
  const { results } = await good(client.POST('/v1/distance-to-coast/batch', { body: { items } }));
  equal(results.length, 2);
  ok(results[1] && 'problem' in results[1]);
}

/** Reads a stream of events up to the end of the quote. */
async function followed(client: LeewardClient, quoteId: string): Promise<string> {
  const asked = client.GET('/api/v1/quote/{quote}/events', { params: { path: { quote: quoteId } }, parseAs: 'stream' });
  const stream = (await good(asked)) as ReadableStream<Uint8Array>;
  let text = '';
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes('quote.completed')) break;
  }
  return text;
}

/** Gives a carrier that quoted. */
async function quote(client: LeewardClient, producerEmail: string, follows: boolean): Promise<string> {
  const { products } = await good(client.POST('/api/v1/quote/products', {}));
  const [product] = products;
  const { carriers } = await good(client.POST('/api/v1/quote/carriers', {}));
  const reference = await good(client.POST('/api/v1/quote/fields', { body: {} }));
  ok(product && carriers.length > 0 && 'required' in reference);
  const home = { form_types: ['ho3' as const], fields: { state: 'fl', county: 'marion', dwelling_a: 350_000 } };
  const { indications } = await good(client.POST('/api/v1/quote/indications', { body: home }));
  ok(indications.every(({ min, premium, max }) => Number(min) <= Number(premium) && Number(premium) <= Number(max)));
  const body = {
    product_code: product.product_code,
    assigned_producer_email: producerEmail,
    form_types: product.form_types.slice(0, 1),
    fields: quoteFields,
  };
  const params = { header: { 'Idempotency-Key': 'journey' } };
  const created = await good(client.POST('/api/v1/quote/request', { params, body }));
  const again = await good(client.POST('/api/v1/quote/request', { params, body }));
  equal(again.quote_request_id, created.quote_request_id);
  const path = { quote: created.quote_request_id };
  const read = (includeRates: boolean) =>
    good(client.POST('/api/v1/quote/{quote}', { params: { path }, body: { include_rates: includeRates } }));
  let status = await read(false);
  for (let tries = 0; tries < 80 && status.status !== 'complete'; tries++) {
    await sleep(250);
    status = await read(false);
  }
  equal(status.status, 'complete');
  ok(status.counts.success > 0 && status.min_quote !== null);
  const full = await read(true);
  const rated = full.rates.find((rate) => rate.status === 'success');
  ok(rated && 'fees' in rated);
  const rate = await good(client.POST('/api/v1/rate/{rate}', { params: { path: { rate: rated.id } } }));
  equal(rate.outcome, 'quoted');
  const retried = await client.POST('/api/v1/rate/{rate}/retry', { params: { path: { rate: rated.id } }, body: {} });
  equal(retried.response.status, 422);
  equal(retried.error?.errors?.[0]?.code, 'not_retryable');
  const { quotes } = await good(client.POST('/api/v1/quote/list', { body: { limit: 1 } }));
  equal(quotes[0]?.quote_request_id, created.quote_request_id);
  const watched = { reference: 'customer 4711', home: { state: 'fl', policy_type: 'ho3' } };
  const { watched_home_id } = await good(client.POST('/api/v1/watched-homes/create', { body: watched }));
  const named = { body: { watched_home_id } };
  equal((await good(client.POST('/api/v1/watched-homes/get', named))).reference, watched.reference);
  equal((await good(client.POST('/api/v1/watched-homes/list', {}))).watched_homes[0]?.watched_home_id, watched_home_id);
  await good(client.POST('/api/v1/watched-homes/remove', named));
  equal((await client.POST('/api/v1/watched-homes/remove', named)).response.status, 404);
  const compared = await good(client.POST('/api/v1/quote/{quote}/compare', { params: { path } }));
  equal(compared.rates.length, status.counts.success);
  equal(compared.rates[0]?.premium, status.min_quote);
  const agency_name = 'Palmetto Coast';
  const proposal = { params: { path }, body: { agency_name }, parseAs: 'text' as const };
  ok((await good(client.POST('/api/v1/quote/{quote}/proposal', proposal))).includes(agency_name));
  const requoted = await good(client.POST('/api/v1/quote/{quote}/requote', { params: { path }, body: {} }));
  equal(requoted.requote_of, created.quote_request_id);
  ok(requoted.counts.success > 0);
  const cancelled = await good(client.POST('/api/v1/quote/{quote}/cancel', { params: { path } }));
  equal(cancelled.status, 'complete');
  if (follows) {
    // The sandbox has a document.
    const documented = full.rates.find((each) => 'documents' in each && each.documents);
    ok(documented && 'documents' in documented && documented.documents?.[0]);
    const inPath = { rate: documented.id, document: documented.documents[0].document_id };
    const asked = client.GET('/api/v1/rate/{rate}/document/{document}', { params: { path: inPath }, parseAs: 'text' });
    ok(String(await good(asked)).includes('This is not an offer'));
  }
  if (follows) ok((await followed(client, created.quote_request_id)).includes('event: quote.completed'));
  const erased = await good(client.POST('/api/v1/quote/{quote}/erase', { params: { path } }));
  equal(erased.newly_erased, true);
  const nobody = await good(client.POST('/api/v1/quote/erase', { body: { insured_email: 'nobody@example.com' } }));
  equal(nobody.erased.length, 0);
  return rate.carrier_key;
}

async function administer(client: LeewardClient, keys: DemoKeys): Promise<void> {
  const { organization_id } = keys;
  const of = { organization_id };
  const team = await good(client.POST('/v1/admin/teams/create', { body: { name: 'Second team' } }));
  const { team_id } = team;
  await good(client.POST('/v1/admin/teams/update', { body: { team_id, revision: team.revision, name: 'Night desk' } }));
  ok((await good(client.POST('/v1/admin/teams/list', { body: of }))).items.length > 1);

  const email = 'kim.okafor@palmetto-coast.example';
  const producer = await good(client.POST('/v1/admin/producers/create', { body: { team_id, email } }));
  const { producer_id } = producer;
  const licensed = { producer_id, revision: producer.revision, licensed_states: ['fl'] };
  await good(client.POST('/v1/admin/producers/update', { body: licensed }));
  equal((await good(client.POST('/v1/admin/producers/list', { body: { team_id } }))).items.length, 1);
  await good(client.POST('/v1/admin/producers/remove', { body: { producer_id } }));

  const appointed = { carrier_key: 'cedar_brake', states: ['tx'] };
  const appointment = await good(client.POST('/v1/admin/appointments/create', { body: appointed }));
  const { appointment_id } = appointment;
  const ending = { appointment_id, revision: appointment.revision, until: '2027-01-01' };
  await good(client.POST('/v1/admin/appointments/update', { body: ending }));
  ok((await good(client.POST('/v1/admin/appointments/list', { body: { limit: 5 } }))).next !== null);
  await good(client.POST('/v1/admin/appointments/remove', { body: { appointment_id } }));

  const ruleSet = {
    format: 1,
    carrier: { key: 'journey_mutual', name: 'Journey Mutual' },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules: [] }],
  };
  const own = await good(client.POST('/v1/admin/carriers/create', { body: { rule_set: ruleSet } }));
  const { carrier_id } = own;
  const newer = { carrier_id, revision: own.revision, rule_set: { ...ruleSet, version: '2' } };
  await good(client.POST('/v1/admin/carriers/update', { body: newer }));
  ok((await good(client.POST('/v1/admin/carriers/list', { body: {} }))).items.length > 1);
  await good(client.POST('/v1/admin/carriers/remove', { body: { carrier_id } }));

  const tighter = { carrier_key: 'bayou_mutual', exclude: { states: ['la'] } };
  const override = await good(client.POST('/v1/admin/overrides/create', { body: tighter }));
  const { override_id } = override;
  const looser = { override_id, revision: override.revision, exclude: { states: ['ms'] } };
  await good(client.POST('/v1/admin/overrides/update', { body: looser }));
  ok((await good(client.POST('/v1/admin/overrides/list', { body: {} }))).items.length > 1);
  await good(client.POST('/v1/admin/overrides/remove', { body: { override_id } }));

  const invited = { email: 'desk@suncoast.example', roles: [{ role: 'agent' as const, team_id }] };
  const user = await good(client.POST('/v1/admin/users/create', { body: invited }));
  const { user_id } = user;
  const disabled = { user_id, revision: user.revision, status: 'disabled' as const };
  equal((await good(client.POST('/v1/admin/users/update', { body: disabled }))).status, 'disabled');
  equal((await good(client.POST('/v1/admin/users/list', { body: { user_id } }))).items.length, 1);
  await good(client.POST('/v1/admin/users/remove', { body: { user_id } }));

  const made = await good(client.POST('/v1/admin/tokens/create', { body: { team_id, scopes: ['quote'] } }));
  const { token_id } = made;
  const named = { token_id, revision: made.revision, name: 'night desk' };
  await good(client.POST('/v1/admin/tokens/update', { body: named }));
  const rotated = await good(client.POST('/v1/admin/tokens/rotate', { body: { token_id, overlap_seconds: 60 } }));
  equal(rotated.rotated_from, token_id);
  ok((await good(client.POST('/v1/admin/tokens/list', { body: { team_id } }))).items.length > 1);
  await good(client.POST('/v1/admin/tokens/remove', { body: { token_id: rotated.token_id } }));
  await good(client.POST('/v1/admin/tokens/remove', { body: { token_id } }));
  await tellOfEvents(client, team_id);
  await good(client.POST('/v1/admin/teams/remove', { body: { team_id } }));
  const { items } = await good(client.POST('/v1/admin/audit/list', { body: { subject_id: team_id } }));
  equal(items[0]?.action, 'teams.remove');
  ok((await good(client.POST('/v1/admin/audit/heads', { body: {} }))).items.length > 0);
}

/** The endpoint does not exist: the delivery fails, and the failure is reported. */
async function tellOfEvents(client: LeewardClient, team_id: string): Promise<void> {
  const url = 'https://crm.invalid/leeward';
  const created = await good(client.POST('/v1/admin/webhooks/create', { body: { team_id, url } }));
  const body = { webhook_id: created.webhook_id };
  ok(created.secret.startsWith('whsec_'));
  const { webhooks } = await good(client.POST('/v1/admin/webhooks/list', { body: { team_id } }));
  deepEqual([webhooks.length, webhooks[0]?.state], [1, 'active']);
  ok((await good(client.POST('/v1/admin/webhooks/rotate', { body }))).secret !== created.secret);
  equal((await good(client.POST('/v1/admin/webhooks/enable', { body }))).url, url);
  equal((await good(client.POST('/v1/admin/webhooks/test', { body }))).delivered, false);
  const since = '2026-01-01T00:00:00Z';
  equal((await good(client.POST('/v1/admin/webhooks/replay', { body: { ...body, since } }))).quotes, 0);
  await good(client.POST('/v1/admin/webhooks/remove', { body }));
}

async function operate(client: LeewardClient, carrier_key: string): Promise<void> {
  const organization = await good(client.POST('/v1/admin/organizations/create', { body: { name: 'Inland Agency' } }));
  const { organization_id, revision } = organization;
  const renamed = { organization_id, revision, name: 'Inland Insurance' };
  await good(client.POST('/v1/admin/organizations/update', { body: renamed }));
  ok((await good(client.POST('/v1/admin/organizations/list', { body: {} }))).items.length > 1);
  await good(client.POST('/v1/admin/organizations/remove', { body: { organization_id } }));
  await good(client.POST('/v1/admin/quote-carriers/pause', { body: { carrier_key } }));
  const { carriers } = await good(client.POST('/v1/admin/quote-carriers/list', {}));
  ok(carriers.some((carrier) => carrier.carrier_key === carrier_key && carrier.paused));
  const body = { carrier_key: carrier_key.toUpperCase() };
  const resumed = await good(client.POST('/v1/admin/quote-carriers/resume', { body }));
  deepEqual(resumed, { carrier_key, changed: true });
  const troubled = await good(client.POST('/v1/admin/quote-rates/list', { body: { carrier_key } }));
  deepEqual(troubled, { rates: [], next: null });
  const none = await good(client.POST('/v1/admin/quote-rates/retry', { body: { rate_ids: ['none'] } }));
  equal(none.refused[0]?.code, 'not_found');
  const exchanged = await good(client.POST('/v1/admin/quote-exchanges/list', { body: { carrier_key } }));
  deepEqual(exchanged, { exchanges: [], next: null });
  ok((await good(client.GET('/metrics', { parseAs: 'text' }))).includes('leeward_http_request_duration_seconds'));
}

/** One proposes and another approves: a version of an organization's own carrier, and a moratorium nearly so. An event takes one person. */
async function putInForce(operator: LeewardClient, admin: LeewardClient, organization_id: string): Promise<void> {
  const rule_set = {
    format: 1,
    carrier: { key: 'journey_reciprocal', name: 'Journey Reciprocal' },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['fl'], rules: [] }],
  };
  equal((await good(admin.GET('/v1/token'))).organization?.organization_id, organization_id);
  const { rule_set_id } = await good(admin.POST('/v1/admin/rule-sets/push', { body: { rule_set } }));
  const proposed = await good(admin.POST('/v1/admin/rule-sets/propose', { body: { rule_set_id } }));
  const { revision } = await good(operator.POST('/v1/admin/rule-sets/get', { body: { rule_set_id } }));
  equal(revision, proposed.revision);
  const approved = await good(operator.POST('/v1/admin/rule-sets/approve', { body: { rule_set_id, revision } }));
  equal(approved.status, 'in_force');
  const { carriers } = await good(admin.POST('/v1/admin/rule-sets/status', { body: {} }));
  equal(carriers[0]?.versions?.[0]?.rule_set_id, rule_set_id);
  const replayed = await good(admin.POST('/v1/admin/rule-sets/replay', { body: { rule_set_id } }));
  equal(replayed.changed, 0);
  const { items } = await good(operator.POST('/v1/admin/saved-decisions/list', { body: {} }));
  const decision_id = items[0]?.decision_id ?? 'none';
  const kept = await operator.POST('/v1/admin/saved-decisions/get', { body: { decision_id } });
  equal(kept.response.status, items.length === 0 ? 404 : 200);
  const body = { organization_id, carrier_key: 'journey_reciprocal' };
  equal((await good(operator.POST('/v1/admin/rule-sets/rollback', { body }))).versions, null);
  await good(admin.POST('/v1/admin/rule-sets/withdraw', { body: { rule_set_id } }));
  equal((await good(admin.POST('/v1/admin/rule-sets/list', { body: {} }))).items[0]?.status, 'withdrawn');

  const moratorium = { id: 'storm', from: '2026-11-20T12:00:00Z', until: null, states: ['fl'], message: 'A storm.' };
  const { moratorium_id } = await good(operator.POST('/v1/admin/moratoria/propose', { body: { moratorium } }));
  const own = await operator.POST('/v1/admin/moratoria/approve', { body: { moratorium_id } });
  equal(own.error?.errors?.[0]?.code, 'own_approval');
  await good(operator.POST('/v1/admin/moratoria/withdraw', { body: { moratorium_id } }));
  equal((await good(operator.POST('/v1/admin/moratoria/list', { body: {} }))).items.length, 1);

  const event = { id: 'journey-storm', kind: 'hurricane', states: ['hi'], from: '2020-01-01T00:00:00Z' };
  const posted = await good(operator.POST('/v1/admin/hazard-events/post', { body: { event } }));
  const event_id = posted.event_id;
  await good(operator.POST('/v1/admin/hazard-events/get', { body: { event_id } }));
  const ended = await good(operator.POST('/v1/admin/hazard-events/end', { body: { event_id, revision: 1 } }));
  equal(ended.state, 'ended');
  ok((await good(operator.POST('/v1/admin/hazard-events/list', { body: {} }))).items.length > 0);
  await good(operator.POST('/v1/admin/hazard-events/remove', { body: { event_id } }));
}

async function look(client: LeewardClient): Promise<void> {
  equal((await good(client.GET('/healthz'))).status, 'ok');
  equal((await good(client.GET('/readyz'))).status, 'ready');
  equal((await good(client.GET('/openapi.json')))['openapi'], '3.1.0');
  ok((await good(client.GET('/docs', { parseAs: 'text' }))).startsWith('<!doctype html>'));
}
