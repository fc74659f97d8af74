import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { quoteFields as fields } from './support/journey.ts';
import { smallCoastline } from './support/small-coastline.ts';

describe('quoting', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo({ environment: smallCoastline });
  });
  afterAll(() => demo.stop());

  const post = async (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    token = demo.keys['team_token'],
  ) => {
    const response = await fetch(`${demo.keys.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Quote };
  };
  const request = () => ({
    product_code: 'homeowners',
    assigned_producer_email: demo.keys['producer_email'],
    fields,
  });

  it('calls many carriers at once, and each answers independently', async () => {
    const created = await post('/api/v1/quote/request', request(), { 'idempotency-key': 'one' });
    expect(created.status).toBe(200);
    expect(created.body.counts).toEqual({ processing: created.body.rate_index.length, success: 0, error: 0 });
    let quote = created.body;
    for (let tries = 0; tries < 60 && quote.status !== 'complete'; tries++) {
      await sleep(250);
      quote = (await post(`/api/v1/quote/${created.body.quote_request_id}`, { include_rates: false })).body;
    }
    expect(quote.status).toBe('complete');
    expect(quote.counts.success + quote.counts.error).toBe(created.body.rate_index.length);
    const rated = new Set(quote.rates.filter((rate) => rate.status === 'success').map((rate) => rate.carrier));
    expect(rated.size).toBeGreaterThanOrEqual(4);
    const premiums = quote.rates.flatMap((rate) => (rate.premium === null ? [] : [Number(rate.premium)]));
    expect(quote.min_quote).toBe(Math.min(...premiums).toFixed(2));
    expect(quote.max_quote).toBe(Math.max(...premiums).toFixed(2));
    for (const rate of quote.rates) {
      expect(rate.request_id).toBe(quote.quote_request_id);
      expect(rate.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      if (rate.premium !== null) expect(rate.premium).toMatch(/^\d+\.\d{2}$/);
    }
    const calls = readFileSync(join(demo.dataFolder, 'sandbox-calls.ndjson'), 'utf8').trimEnd().split('\n');
    expect(calls.length).toBe(quote.rate_index.filter((rate) => rate.carrier_key === 'sandbox').length);
    // The same key returns the same quote; with another body it is refused before any other check.
    expect((await post('/api/v1/quote/request', request(), { 'idempotency-key': 'one' })).body.quote_request_id).toBe(
      quote.quote_request_id,
    );
    expect((await post('/api/v1/quote/request', {}, { 'idempotency-key': 'one' })).status).toBe(409);
    const rate = await post(`/api/v1/rate/${quote.rate_index[0]!.id}`, {});
    expect(rate.body).toMatchObject({ product_code: 'homeowners', attempts: 1, effective_date: '2026-12-01' });
    expect((await post(`/api/v1/quote/${quote.service_quote_id}`, {})).body.quote_request_id).toBe(
      quote.quote_request_id,
    );
  });

  it('lists carriers, products and fields', async () => {
    expect(JSON.stringify((await post('/api/v1/quote/carriers', {})).body)).toContain('"sandbox"');
    expect(JSON.stringify((await post('/api/v1/quote/products', {})).body)).toContain('"dwelling_fire"');
    expect(JSON.stringify((await post('/api/v1/quote/fields', {})).body)).toContain('insured_date_of_birth');
  });

  it('takes carriers and form types by any usual name', async () => {
    const named = { ...request(), form_types: [' HO-3 ', 'ho5'], carrier_keys: ['Sunreach Property', 'BRACKISH_BAY'] };
    const { status, body } = await post('/api/v1/quote/request', named);
    expect(status).toBe(200);
    const asked = new Set(body.rate_index.map(({ carrier_key, form_type }) => `${carrier_key} ${form_type}`));
    expect([...asked].sort()).toEqual(['brackish_bay ho3', 'brackish_bay ho5', 'sunreach_property ho3']);
  });

  it('answers a poll with the fields of the contract, and no others', async () => {
    const { body: created } = await post('/api/v1/quote/request', {
      ...request(),
      carrier_keys: ['sunreach_property'],
    });
    let quote = created;
    for (let tries = 0; tries < 60 && quote.status !== 'complete'; tries++) {
      await sleep(100);
      quote = (await post(`/api/v1/quote/${created.quote_request_id}`, { include_rates: false })).body;
    }
    const text = expect.stringMatching(/./);
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const amount = expect.stringMatching(/^\d+\.\d{2}$/);
    const rates = quote.rate_index.length;
    expect(rates).toBeGreaterThan(0);
    expect(quote).toEqual({
      quote_request_id: created.quote_request_id,
      service_quote_id: created.service_quote_id,
      requote_of: null,
      status: 'complete',
      counts: { processing: 0, success: quote.counts.success, error: rates - quote.counts.success },
      outcomes: expect.objectContaining({ quoted: expect.any(Number), unknown_outcome: 0 }),
      min_quote: amount,
      max_quote: amount,
      rate_index: quote.rate_index.map(() => ({
        id: text,
        status: expect.stringMatching(/^(success|error)$/),
        carrier: 'Sunreach Property',
        carrier_key: 'sunreach_property',
        form_type: text,
      })),
      rates: quote.rates.map(({ status }) => ({
        id: text,
        status,
        premium: status === 'success' ? amount : null,
        carrier_quote_number: status === 'success' ? text : null,
        carrier_quote_url: status === 'success' ? expect.stringMatching(/^https:/) : null,
        carrier_response_messages: expect.toSatisfy((value) => value === null || Array.isArray(value)),
        carrier: 'Sunreach Property',
        form_type: text,
        request_id: created.quote_request_id,
        created_at: instant,
      })),
      created_at: instant,
      completed_at: instant,
    });
    const full = (await post(`/api/v1/rate/${quote.rates.find(({ status }) => status === 'success')!.id}`, {})).body;
    expect(full).toMatchObject({
      carrier_key: 'sunreach_property',
      product_code: 'homeowners',
      outcome: 'quoted',
      rate_type: expect.stringMatching(/^(indication|quoted|bindable)$/),
      attempts: 1,
      started_at: instant,
      finished_at: instant,
      expires_at: instant,
      effective_date: '2026-12-01',
      error: null,
      retry_of: null,
    });
  });

  it('keeps teams apart: hides quotes and producers of another team', async () => {
    const administer = async (path: string, body: object) => {
      const made = await post(`/v1/admin/${path}/create`, body, {}, demo.keys.admin_token);
      expect({ path, status: made.status }).toEqual({ path, status: 200 });
      return made.body as unknown as Record<string, string>;
    };
    const { organization_id } = demo.keys;
    const { team_id } = await administer('teams', { organization_id, name: 'Commercial lines' });
    await administer('producers', { organization_id, team_id, email: 'sam@palmetto-coast.example', name: 'Sam' });
    const texan = { email: 'tex@palmetto-coast.example', name: 'Tex', licensed_states: ['tx'] };
    await administer('producers', { organization_id, team_id: demo.keys.team_id, ...texan });
    const { token } = await administer('tokens', { organization_id, team_id, name: 'other team' });

    const faultsOf = async (email: string) => {
      const refused = await post('/api/v1/quote/request', { ...request(), assigned_producer_email: email });
      expect(refused.status).toBe(422);
      return JSON.stringify((refused.body as unknown as { errors: object }).errors).replaceAll(email, '');
    };
    expect(await faultsOf('sam@palmetto-coast.example')).toContain('producer_not_on_team');
    expect(await faultsOf('sam@palmetto-coast.example')).toBe(await faultsOf('nobody@palmetto-coast.example'));

    expect(await faultsOf(texan.email)).toContain('producer_not_licensed');

    const key = { 'idempotency-key': 'shared by chance' };
    const { body: ours } = await post('/api/v1/quote/request', request(), key);
    const theirs = { ...request(), assigned_producer_email: 'sam@palmetto-coast.example', form_types: ['ho3'] };
    const other = await post('/api/v1/quote/request', theirs, key, token);
    expect(other.status).toBe(200);
    expect(other.body.quote_request_id).not.toBe(ours.quote_request_id);
    const nothing = '0190b1f0-0000-7000-8000-000000000000';
    const rateId = ours.rate_index[0]!.id;
    for (const path of [
      `quote/${ours.quote_request_id}`,
      `quote/${ours.service_quote_id}`,
      `quote/${ours.quote_request_id}/cancel`,
      `rate/${rateId}`,
      `rate/${rateId}/retry`,
    ]) {
      const hidden = await post(`/api/v1/${path}`, {}, {}, token);
      const absent = await post(`/api/v1/${path.replace(/\/[\w-]{36}/, `/${nothing}`)}`, {}, {}, token);
      expect({ path, status: hidden.status }).toEqual({ path, status: 404 });
      expect({ ...hidden.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    }
    expect((await post(`/api/v1/quote/${ours.quote_request_id}`, {})).body.status).toMatch(/processing|complete/);
  });

  it.each([
    [{ fields: { effective_date: '2026-02-30' } }, '/fields/effective_date'],
    [{ fields: { roof_option: 'thatch' } }, '/fields/roof_option'],
    [{ fields: { year_built: 1.5 } }, '/fields/year_built'],
    [{ form_types: ['ho4'] }, '/form_types/0'],
    [{ form_types: ['dp1'] }, '/form_types/0'],
    [{ carrier_keys: ['Acme'] }, '/carrier_keys/0'],
    [{ product_code: null }, '/product_code'],
    [{ fields: 'all' }, '/fields'],
    [{ carriers: ['sandbox'] }, '/carriers'],
  ])('refuses %j where it is wrong', async (more, path) => {
    const own = request();
    const wrong =
      'fields' in more && typeof more.fields === 'object' ? { fields: { ...own.fields, ...more.fields } } : more;
    const refused = await post('/api/v1/quote/request', { ...own, ...wrong });
    expect(refused.status).toBe(422);
    const { errors } = refused.body as unknown as { errors: { path: string; message: string }[] };
    expect(errors.map((each) => each.path)).toEqual([path]);
  });

  it('names every fault at once, and reveals no data of another team', async () => {
    const wrong = await post('/api/v1/quote/request', {
      product_code: 'boats',
      assigned_producer_email: 'nobody@example.com',
      carrier_keys: ['no_such_carrier', 'heron_shore'],
      fields: { ...fields, usage: 'often', street: undefined },
    });
    expect(wrong.status).toBe(422);
    const codes = (wrong.body as unknown as { errors: { path: string }[] }).errors.map(({ path }) => path);
    for (const path of [
      '/product_code',
      '/assigned_producer_email',
      '/carrier_keys/0',
      '/fields/usage',
      '/fields/street',
    ]) {
      expect(codes).toContain(path);
    }
    expect((await post('/api/v1/quote/0190b1f0-0000-7000-8000-000000000000', {})).status).toBe(404);
    expect((await post('/api/v1/quote/request', request(), {}, demo.keys.api_key)).status).toBe(403);
  });
});

interface Quote {
  quote_request_id: string;
  service_quote_id: string;
  status: string;
  counts: { processing: number; success: number; error: number };
  min_quote: string;
  max_quote: string;
  rate_index: { id: string; carrier_key: string; form_type: string }[];
  rates: {
    id: string;
    status: string;
    carrier: string;
    premium: string | null;
    request_id: string;
    created_at: string;
  }[];
}
