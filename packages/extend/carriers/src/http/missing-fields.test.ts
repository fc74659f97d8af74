import { exampleCall as context, exampleFields, exampleRequest } from '@leeward/quotes/testing';
import { describe, expect, it } from 'vitest';
import { exampleCarrier } from '../testing/example-carrier.ts';
import { createTestServer, sendJson } from '../testing/test-server.ts';
import { checkHttpCarrier } from './check-http-carrier.ts';
import { createHttpCarrier } from './http-carrier.ts';
import { previewHttpCarrier } from './preview.ts';

const secrets = () => 'secret';
const checked = (file: object) => checkHttpCarrier(file, { secrets });
const body = {
  $comment: 'fields.nothing are what a form asks',
  home: [{ built: { $value: 'fields.year_built', required: true } }],
  roof: { $value: 'fields.roof_option', map: { metal: 'M' }, required: true },
  pool: { $value: 'fields.swimming_pool', otherwise: false, required: true },
  basement: { $value: 'fields.basement_type' },
};
const requestTo = (url: string) => ({ method: 'POST', url: `${url}/q/{{fields.zipcode}}`, body });

describe('values that a template reads', () => {
  it('are the fields that its answers depend on', () => {
    const file = {
      ...exampleCarrier('https://carrier.example'),
      request: { ...requestTo('https://carrier.example'), headers: { 'X-Who': '{{ fields.insured.name }}' } },
    };
    const { carrier, faults } = checked(file);
    expect(faults).toEqual([]);
    expect(createHttpCarrier(carrier!, { secrets }).fieldsUsed).toEqual(
      expect.arrayContaining(['basement_type', 'insured', 'roof_option', 'swimming_pool', 'year_built', 'zipcode']),
    );
    expect(createHttpCarrier(carrier!, { secrets }).fieldsUsed).not.toContain('dwelling_a');
  });

  it('are reported if required and missing or unmapped, without a call', async () => {
    await using server = await createTestServer((_, response) =>
      sendJson(response, 200, { decision: 'approved', quote: { premium: '10.00' } }),
    );
    const { carrier } = checked({ ...exampleCarrier(server.url), request: requestTo(server.url) });
    const adapter = createHttpCarrier(carrier!, { secrets });
    const asked = (fields: object) => ({ ...exampleRequest, fields: { ...exampleFields, ...fields } });
    const bare = asked({ year_built: null, roof_option: 'thatch' });
    expect(await adapter.quote(bare, context)).toMatchObject({
      outcome: 'needs_information',
      messages: [
        {
          level: 'error',
          code: 'missing_field',
          field: 'year_built',
          message: expect.stringContaining('/home/0/built'),
        },
        { level: 'error', code: 'missing_field', field: 'roof_option' },
      ],
    });
    expect(previewHttpCarrier(carrier!, { request: bare }).unsent).toMatchObject({ outcome: 'needs_information' });
    expect(server.requests).toEqual([]);
    expect(await adapter.quote(asked({ roof_option: 'metal' }), context)).toMatchObject({ outcome: 'quoted' });
    expect(JSON.parse(server.requests[0]!.body)).toEqual({
      home: [{ built: exampleFields.year_built }],
      roof: 'M',
      pool: false,
    });
  });

  it('are required or optional', () => {
    const request = { ...requestTo('https://carrier.example'), body: { $value: 'fields.zipcode', required: 'yes' } };
    expect(checked({ ...exampleCarrier('https://carrier.example'), request }).faults).toMatchObject([
      { path: '/request/body/required', code: 'invalid_type' },
    ]);
  });
});
