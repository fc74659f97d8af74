import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ruleSetJsonSchema } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { createKeyHolder } from '../access/key-holder.ts';
import { createLeeward } from '../leeward.ts';
import { problemKinds } from '../problem/problem.ts';

describe.each(['', '/insurance'])('mounted at "%s"', (basePath) => {
  const leeward = createLeeward({
    directory: createKeyHolder([]),
    basePath,
    schemas: { 'shed-1.json': () => ({ $id: 'https://example.com/shed-1.json', type: 'object' }) },
  });
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

  it('serves the JSON Schema of rule files that the engine publishes', async () => {
    const answer = await get(`${basePath}/schemas/rule-set-1.json`);
    expect(answer.headers.get('content-type')).toBe('application/schema+json');
    const schema = (await answer.json()) as { $id: string };
    expect(schema).toEqual(JSON.parse(JSON.stringify(ruleSetJsonSchema())));
    const published = schema.$id.replace('https://unpkg.com/', '');
    expect(JSON.parse(readFileSync(fileURLToPath(import.meta.resolve(published)), 'utf8'))).toEqual(schema);
  });

  it('serves the JSON Schemas of the host, and no other', async () => {
    const answer = await get(`${basePath}/schemas/shed-1.json`);
    expect(answer.headers.get('content-type')).toBe('application/schema+json');
    expect(await answer.json()).toEqual({ $id: 'https://example.com/shed-1.json', type: 'object' });
    expect((await get(`${basePath}/schemas/constructor`)).status).toBe(404);
  });
});
