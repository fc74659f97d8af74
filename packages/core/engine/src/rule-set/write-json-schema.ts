/** Writes the published JSON Schemas; run by `npm run schema` after a change of the format or the vocabulary. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fieldFileJsonSchema } from '../vocabulary/field-file.ts';
import { ruleSetJsonSchema } from './json-schema.ts';

const folder = new URL('../../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('rule-set-1.json', folder), `${JSON.stringify(ruleSetJsonSchema(), null, 2)}\n`);
writeFileSync(new URL('fields-1.json', folder), `${JSON.stringify(fieldFileJsonSchema(), null, 2)}\n`);
