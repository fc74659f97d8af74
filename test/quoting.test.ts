import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/leeward-process.ts';

const fields = {
  first_name: 'Dana',
  last_name: 'Whitfield',
  insured_email: 'dana.whitfield@example.com',
  insured_date_of_birth: '1979-04-02',
  insured_phone: '352-555-0142',
  phone_type: 'mobile',
  effective_date: '2026-12-01',
  dwelling_a: 350_000,
  square_feet: 1850,
  year_built: 2004,
  roof_year: 2019,
  house_number: '1420',
  street: 'Larkspur Ave',
  city: 'Ocala',
  county: 'Marion',
  state: 'FL',
  zipcode: '34471',
  ownership: 'personal',
  occupancy: 'owner occupied',
  usage: 'primary',
  roof_option: 'architectural shingle',
  roof_shape: 'hip',
  protection_class: '3',
  construction_type_options: 'masonry',
  dwelling_type: 'single family',
};

describe('quoting', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await startDemo();
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

  it('asks many carriers at once, and each answers in its own time', async () => {
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
    // The same key again is the same quote; with another body it is refused, before anything else is looked at.
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

  it('names every fault at once, and tells nothing of another’s', async () => {
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
  rate_index: { id: string; carrier_key: string }[];
  rates: { status: string; carrier: string; premium: string | null; request_id: string; created_at: string }[];
}
