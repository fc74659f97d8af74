/** Writes the published JSON Schema; run by `npm run schema` after a change of the format. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { ratingPlanJsonSchema } from './schema.ts';

const folder = new URL('../../../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('rating-plan-1.json', folder), `${JSON.stringify(ratingPlanJsonSchema(), null, 2)}\n`);
