import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { type Demo, startDemo } from './support/demo.ts';

type Json = Record<string, unknown>;

const insured = {
  first_name: 'Dana',
  last_name: 'Whitfield',
  insured_email: 'dana@example.com',
  insured_date_of_birth: '1979-04-02',
  insured_phone: '352-555-0142',
  phone_type: 'mobile',
  effective_date: '2026-12-01',
  house_number: '12',
  street: 'Bay St',
  city: 'Tampa',
  county: 'Hillsborough',
  state: 'FL',
  zipcode: '33602',
};

describe('a demo with condo and flood turned on', () => {
  let demo: Demo;
  let keys: Record<string, string>;
  beforeAll(async () => {
    demo = await startDemo({ environment: { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_LINES: 'home,condo,flood' } });
    keys = demo.keys as unknown as Record<string, string>;
  });
  afterAll(() => demo.stop());

  const ask = async (path: string, body: object, token = keys['api_key']) => {
    const response = await fetch(`${demo.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };

  it('answers for condos with reasons, for all carriers and for the agency', async () => {
    const unit = { state: 'fl', county: 'pinellas', policy_type: 'HO-6', association_kind: 'hoa', explain: true };
    for (const path of ['/v1/underwrite/condo', `/v1/underwrite/condo/${keys['organization_id']}`]) {
      const { status, body } = await ask(path, unit);
      expect(status).toBe(200);
      expect(body['declined']).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            carrier_key: 'seagrape_units',
            reasons: [expect.objectContaining({ code: 'association', fields: ['association_kind'] })],
            explanation: expect.any(Object),
          }),
        ]),
      );
    }
  });

  it('answers for floods by a number with a sign, and looks up how far the water is', async () => {
    const building = { state: 'fl', county: 'hillsborough', policy_type: 'flood', lat: 27.94, lng: -82.46 };
    const { body } = await ask('/v1/underwrite/flood', { ...building, first_floor_above_base_flood_feet: -3.5 });
    expect(body['declined']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          carrier_key: 'tidegate_private',
          reasons: [
            expect.objectContaining({
              code: 'elevation',
              message: 'The first floor is -3.5 feet from base flood; three below is the limit.',
            }),
          ],
        }),
      ]),
    );
    expect(body['distances']).toMatchObject({ facts: expect.any(Array) });
    expect((await ask('/v1/underwrite/flood', { state: 'fl', roof_age: 4 })).body['errors']).toMatchObject([
      { path: '/roof_age', code: 'unknown_field' },
    ]);
  });

  it('prints lines to paste for each, and a carrier declines what is pasted', async () => {
    const environment = { LEEWARD_DATA_DIR: demo.dataFolder, LEEWARD_LINES: 'home,condo,flood' };
    const { output } = await runWords(['demo'], { environment });
    const pasted = [...output.matchAll(/underwrite\/(condo|flood) .* -d '(.*)'/g)];
    expect(pasted.map(([, line]) => line)).toEqual(['condo', 'flood']);
    for (const [, line, body] of pasted) {
      const { status, body: answer } = await ask(`/v1/underwrite/${line}`, JSON.parse(body!));
      expect([status, answer['declined']]).toEqual([200, expect.arrayContaining([expect.any(Object)])]);
    }
  });

  it('quotes them by rate tables, with their fields', async () => {
    const team = keys['team_token'];
    const { body: fields } = await ask('/api/v1/quote/fields', { product_code: 'flood-private' }, team);
    expect(fields['required']).toEqual(expect.arrayContaining(['building_coverage', 'zipcode']));
    expect(fields['properties']).toMatchObject({ flood_zone: { description: expect.any(String) } });
    expect((await ask('/api/v1/quote/fields', { product_code: 'boats' }, team)).body['errors']).toMatchObject([
      { path: '/product_code', code: 'unknown_product' },
    ]);
    const request = {
      product_code: 'flood_private',
      assigned_producer_email: keys['producer_email'],
      fields: {
        ...insured,
        building_coverage: 350_000,
        contents_coverage: '80000',
        year_built: 2008,
        occupancy: 'Single Family',
        foundation: 'slab',
        primary_residence: true,
        flood_zone: 'X unshaded',
        flood_losses: 3,
      },
    };
    const wrong = { ...request, fields: { ...request.fields, foundation: 'sand', flood_losses: -1, year_built: null } };
    const refused = await ask('/api/v1/quote/request', wrong, team);
    expect((refused.body['errors'] as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      '/fields/flood_losses',
      '/fields/foundation',
      '/fields/year_built',
    ]);
    const made = await ask(
      '/api/v1/quote/request',
      { ...request, fields: { ...request.fields, flood_losses: 0 } },
      team,
    );
    expect(made.status).toBe(200);
    const status = () => ask(`/api/v1/quote/${made.body['quote_request_id']}`, { include_rates: true }, team);
    await expect.poll(async () => (await status()).body['status'], { timeout: 60_000, interval: 250 }).toBe('complete');
    const rates = (await status()).body['rates'] as { carrier_key: string; outcome: string; premium: string | null }[];
    expect(rates.map(({ carrier_key, outcome }) => `${carrier_key} ${outcome}`).sort()).toEqual([
      'barrier_isle ineligible',
      'highwater_mutual quoted',
      'piedmont_rivers quoted',
      'tidegate_private quoted',
    ]);
    expect(Number(rates.find(({ carrier_key }) => carrier_key === 'highwater_mutual')?.premium)).toBeGreaterThan(200);
  });

  it('takes an agency’s own condo carrier, and a tightening of another, in the words of condos', async () => {
    const admin = keys['admin_token'];
    const own = {
      format: 1,
      carrier: { key: 'our_units', name: 'Our Units' },
      line: 'condo',
      version: '1',
      effective: { from: '2026-01-01', until: null },
      rules: [
        {
          id: 'tall',
          outcome: 'decline',
          code: 'building_size',
          when: { all: [{ fact: 'stories', operator: 'greaterThan', value: 3 }] },
          message: '{stories} storeys.',
        },
      ],
      programs: [{ id: 'fl', policy_types: ['ho6'], states: ['fl'] }],
    };
    expect((await ask('/v1/admin/carriers/create', { rule_set: own }, admin)).status).toBe(200);
    const override = { carrier_key: 'seagrape_units', exclude: { policy_types: ['hw6'] } };
    expect((await ask('/v1/admin/overrides/create', override, admin)).status).toBe(200);
    const unit = { state: 'fl', policy_type: 'ho6', stories: 4 };
    const { body } = await ask(`/v1/underwrite/condo/${keys['organization_id']}`, unit);
    expect(body['declined']).toEqual(
      expect.arrayContaining([expect.objectContaining({ carrier_key: 'our_units', source: 'organization' })]),
    );
    const wind = await ask(`/v1/underwrite/condo/${keys['organization_id']}`, { state: 'fl', policy_type: 'hw6' });
    expect(wind.body['declined']).toEqual([
      expect.objectContaining({ carrier_key: 'seagrape_units', source: 'override' }),
    ]);
    // Homes are served as before.
    const home = await ask(`/v1/underwrite/home/${keys['organization_id']}`, { state: 'fl', policy_type: 'ho3' });
    expect(home.status).toBe(200);
    expect(JSON.stringify(home.body)).not.toContain('our_units');
  });
});
