import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ruleSetJsonSchema } from '@leeward/engine';
import { httpCarrierJsonSchema, ratingPlanJsonSchema } from '@leeward/quotes';
import { describe, expect, it } from 'vitest';
import { createKeyHolder } from '../access/key-holder.ts';
import { createLeeward } from '../leeward.ts';
import { problemKinds } from '../problem/problem.ts';

describe.each(['', '/insurance'])('mounted at "%s"', (basePath) => {
  const leeward = createLeeward({ directory: createKeyHolder([]), basePath });
  const get = (path: string) => leeward.fetch(new Request(new URL(path, 'http://localhost/')));

  it('the type of a problem leads to what it means', async () => {
    const refused = await get(`${basePath}/nowhere`);
    const { type, code } = (await refused.json()) as { type: string; code: keyof typeof problemKinds };
    expect(code).toBe('not_found');
    const page = await get(type);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await page.text();
    expect(text).toContain(problemKinds[code].title);
    expect(text).toContain(`href="${basePath}/docs"`);
  });

  it('every code has its page, and no other', async () => {
    for (const code of Object.keys(problemKinds)) expect((await get(`${basePath}/problems/${code}`)).status).toBe(200);
    for (const code of ['constructor', '__proto__', 'nothing']) {
      expect((await get(`${basePath}/problems/${code}`)).status).toBe(404);
    }
    const all = await (await get(`${basePath}/problems`)).text();
    for (const code of Object.keys(problemKinds)) expect(all).toContain(`id="${code}"`);
  });

  it.each([
    ['rule-set', ruleSetJsonSchema],
    ['rating-plan', ratingPlanJsonSchema],
    ['http-carrier', httpCarrierJsonSchema],
  ])('the JSON Schema of a %s is the one that its package publishes', async (name, write) => {
    const answer = await get(`${basePath}/schemas/${name}-1.json`);
    expect(answer.headers.get('content-type')).toBe('application/schema+json');
    const schema = (await answer.json()) as { $id: string };
    expect(schema).toEqual(JSON.parse(JSON.stringify(write())));
    const published = schema.$id.replace('https://unpkg.com/', '');
    expect(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(published)), 'utf8'))).toEqual(schema);
  });
});
