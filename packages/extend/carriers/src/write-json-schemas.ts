/** Run by `npm run schema` after a change of a format. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { httpCarrierJsonSchema } from './http/schema.ts';
import { ratingPlanJsonSchema } from './rate-table/schema.ts';

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
const schemas = { 'rating-plan-1.json': ratingPlanJsonSchema(), 'http-carrier-1.json': httpCarrierJsonSchema() };
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(new URL(name, folder), `${JSON.stringify(schema, null, 2)}\n`);
}
