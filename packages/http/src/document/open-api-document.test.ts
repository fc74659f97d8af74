import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, sampleService } from '../testing/sample-service.ts';

type Json = Record<string, unknown>;
const leeward = sampleService();
const document = JSON.parse(JSON.stringify(leeward.document())) as {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Json>; security: unknown[]; requestBody?: Json }>
  >;
  components: { schemas: Record<string, Json> };
};

/** A component as a zod schema, its references resolved within the document. */
function component(name: string): z.ZodType {
  const $defs = JSON.parse(JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'));
  return z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs });
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [String(each)] : references(each)));
}

describe('/openapi.json', () => {
  it('is the document, the same at every read', async () => {
    const first = await ask(leeward, '/openapi.json', { method: 'GET', token: null });
    expect(first.headers.get('content-type')).toBe('application/json');
    expect(await first.json()).toEqual(document);
    expect(document.openapi).toBe('3.1.0');
  });

  it('names every operation once, and refers to nothing that is not there', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('underwriteHomeForOrganization');
    for (const reference of references(document)) {
      expect(reference).toMatch(/^#\/components\/schemas\//);
      expect(Object.keys(document.components.schemas)).toContain(reference.split('/').at(-1));
    }
  });

  it('tells every problem that a guard can end in', () => {
    const { responses, security } = document.paths['/v1/underwrite/home/{organization_id}']!['post']!;
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(security).toEqual([{ bearer: [] }]);
    expect(Object.keys(document.paths['/v1/underwrite/condo']!['post']!.responses)).toContain('501');
  });

  it('writes down what zod checks outside of its schema', () => {
    const request = document.components.schemas['HomeUnderwritingRequest']!;
    expect(request).toMatchObject({
      required: ['state'],
      additionalProperties: false,
      dependentRequired: { roof_age: ['roof_type'], roof_type: ['roof_age'], lat: ['lng'], lng: ['lat'] },
    });
    expect(Object.keys(request['properties'] as Json)).toEqual(
      expect.arrayContaining(['county', 'roof_age', 'as_of', 'explain']),
    );
  });

  it('gives examples that the service takes', async () => {
    const body = document.paths['/v1/underwrite/home']!['post']!.requestBody as {
      content: Record<string, { examples: Record<string, { value: unknown }> }>;
    };
    const examples = Object.values(body.content['application/json']!.examples);
    expect(examples.length).toBeGreaterThan(1);
    for (const { value } of examples) {
      const response = await ask(leeward, '/v1/underwrite/home', { body: value });
      expect(response.status).toBe(200);
      component('UnderwritingDecision').parse(await response.json());
    }
  });

  it('describes the problems that are answered', async () => {
    const problem = component('Problem');
    for (const sent of [
      { body: {} },
      { body: '{' },
      { token: null, body: {} },
      { headers: { 'content-type': 'text/plain' }, body: 'x' },
    ]) {
      problem.parse(await (await ask(leeward, '/v1/underwrite/home', sent)).json());
    }
    expect(problem.safeParse({ title: 'no problem' }).success).toBe(false);
  });
});
