import { expect, it } from 'vitest';
import { readInsuredQuery } from './insured-query.ts';

it('treats a blank field as missing', () => {
  const read = (body: object) => readInsuredQuery(body, '2026-11-24');
  expect(read({ insured_email: 'jane@example.com', insured_phone: ' \t\u00a0' })).toHaveProperty('isInsured');
  expect(read({ insured_email: '  ' })).toMatchObject({ faults: [{ path: '', code: 'required' }] });
});
