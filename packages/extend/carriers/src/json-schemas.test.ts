import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { httpCarrierJsonSchema } from './http/schema.ts';
import { ratingPlanJsonSchema } from './rate-table/schema.ts';

it.each([
  ['rating-plan-1.json', ratingPlanJsonSchema()],
  ['http-carrier-1.json', httpCarrierJsonSchema()],
])('%s is published as generated: npm run schema', (name, schema) => {
  const published = readFileSync(new URL(`../schema/${name}`, import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(schema)));
  expect(schema).toMatchObject({ type: 'object', $id: `https://unpkg.com/@leeward/carriers/schema/${name}` });
});
