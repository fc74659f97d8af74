import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fieldFileJsonSchema } from '../vocabulary/field-file.ts';
import { ruleSetJsonSchema } from './json-schema.ts';

it('is published as it is made: npm run schema writes it anew', () => {
  const published = readFileSync(new URL('../../schema/rule-set-1.json', import.meta.url), 'utf8');
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(ruleSetJsonSchema())));
  const fields = readFileSync(new URL('../../schema/fields-1.json', import.meta.url), 'utf8');
  expect(JSON.parse(fields)).toEqual(JSON.parse(JSON.stringify(fieldFileJsonSchema())));
});

it('points only at what it holds', () => {
  const schema = ruleSetJsonSchema();
  const text = JSON.stringify(schema);
  const defs = Object.keys(schema['$defs'] as object);
  for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) expect(defs).toContain(name);
  expect(text).not.toContain('undefined');
});
