import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, sampleService } from '../../../../../test/support/sample-service.ts';
import type { ContentText, RouteGroup } from '../operation/operation.ts';
import { jsonSchemaOf } from './component-schemas.ts';

type Json = Record<string, unknown>;
const forOperators: RouteGroup = {
  name: 'state',
  description: 'State.',
  operations: [
    {
      method: 'get',
      path: '/state',
      operationId: 'state',
      tag: 'state',
      access: 'operator',
      summary: 'Read the state',
      description: 'For the operator.',
      answers: {
        200: {
          description: 'The state.',
          content: 'text/plain',
          examples: { example: { summary: 'Good', value: 'good' } },
        },
      },
      handle: () => ({ status: 200, text: 'good', contentType: 'text/plain' }),
    },
  ],
};
const leeward = sampleService({ routes: [forOperators] });
const document = JSON.parse(JSON.stringify(leeward.document())) as {
  openapi: string;
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        summary: string;
        description?: string;
        responses: Record<string, Json>;
        security: unknown[];
        requestBody?: { content: Record<string, Shown> };
      }
    >
  >;
  components: Record<string, Record<string, Json>> & { schemas: Record<string, Json> };
};
interface Shown {
  schema: Json;
  examples?: Record<string, { summary: string; value: unknown }>;
}
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

/** A component as a zod schema, its references resolved within the document. */
function component(name: string): z.ZodType {
  const $defs = JSON.parse(JSON.stringify(document.components.schemas).replaceAll('#/components/schemas/', '#/$defs/'));
  return z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs });
}

function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => (key === '$ref' ? [String(each)] : references(each)));
}

describe('a schema', () => {
  const group = (content: ContentText): RouteGroup => ({
    name: 'own',
    description: 'A host’s own.',
    operations: [
      {
        method: 'get',
        path: '/own',
        operationId: 'own',
        tag: 'own',
        access: 'anyone',
        summary: 'Own',
        answers: { 200: { description: 'It.', content } },
        handle: () => ({ status: 200 }),
      },
    ],
  });

  it('appears once, under its id if it has one', () => {
    const node = z
      .object({
        get next() {
          return z.nullable(node);
        },
      })
      .meta({ id: 'Node' });
    const { components } = sampleService({
      routes: [group({ name: 'Other', schema: jsonSchemaOf(node, 'output') })],
    }).document();
    expect(components?.schemas?.['Other']).toBeUndefined();
    expect(components?.schemas?.['Node']).toMatchObject({
      properties: { next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] } },
    });
  });

  it('is refused where another has its name', () => {
    const schema = jsonSchemaOf(z.object({ mine: z.string() }).meta({ id: 'Verdict' }), 'output');
    expect(() => sampleService({ routes: [group({ name: 'Mine', schema })] }).document()).toThrow(/named Verdict/);
  });
});

describe('/openapi.json', () => {
  it('is the document, the same at every read', async () => {
    const first = await ask(leeward, '/openapi.json', { method: 'GET', token: null });
    expect(first.headers.get('content-type')).toBe('application/json');
    expect(await first.json()).toEqual(document);
    expect(document.openapi).toBe('3.1.0');
  });

  it('names every operation once, and has no dangling references', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('underwriteHomeForOrganization');
    const referred = new Set(references(document));
    for (const reference of referred) {
      const [, , kind = '', name = ''] = reference.split('/');
      expect(reference).toMatch(/^#\/components\/\w+\/\w+$/);
      expect(Object.keys(document.components[kind] ?? {})).toContain(name);
    }
    // … and no unused components.
    for (const [kind, components] of Object.entries(document.components))
      for (const name of Object.keys(components))
        if (kind !== 'securitySchemes') expect(referred).toContain(`#/components/${kind}/${name}`);
  });

  it('has a summary, a description and examples for every operation', () => {
    for (const { operationId, summary, description, requestBody, responses } of operations) {
      expect({ operationId, summary, description }).toEqual({
        operationId,
        summary: expect.stringMatching(/^[A-Z].*[^.]$/),
        description: expect.stringMatching(/\.$/),
      });
      const shown = [requestBody, responses['200']].flatMap((each) =>
        Object.values((each?.['content'] ?? {}) as Record<string, Shown>),
      );
      for (const { examples } of shown)
        expect({ operationId, examples }).toMatchObject({ examples: expect.any(Object) });
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
      '408',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(security).toEqual([{ bearer: ['underwrite'] }]);
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    expect(document.components['responses']!['Unavailable']).toMatchObject({
      headers: { 'X-Request-Id': expect.any(Object), 'Retry-After': { required: true } },
      content: { 'application/problem+json': { examples: { unavailable: { value: { status: 503 } } } } },
    });
    expect(document.paths['/state']!['get']!.security).toEqual([{ bearer: ['operator'] }]);
    expect(document.paths['/healthz']!['get']!.security).toEqual([]);
    expect(Object.keys(document.paths['/v1/underwrite/renters']!['post']!.responses)).toContain('501');
  });

  it('describes every property', () => {
    const missing: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, each] of Object.entries(value)) {
        if (['example', 'examples', 'enum', 'const'].includes(key)) continue;
        if (key === 'properties')
          for (const [name, property] of Object.entries(each as object))
            if (!('description' in (property as object))) missing.push(`${path}.${name}`);
        visit(each, key === 'properties' ? path : `${path}.${key}`);
      }
    };
    visit(document.components.schemas, '');
    expect(missing).toEqual([]);
  });

  it('writes down what zod checks outside of its schema', () => {
    const request = document.components.schemas['HomeUnderwritingRequest']!;
    expect(request).toMatchObject({
      required: ['state'],
      propertyNames: { anyOf: [{ enum: expect.arrayContaining(['state', 'losses']) }, { pattern: '^x_' }] },
      dependentRequired: { roof_age: ['roof_type'], roof_type: ['roof_age'], lat: ['lng'], lng: ['lat'] },
    });
    expect(Object.keys(request['properties'] as Json)).toEqual(
      expect.arrayContaining(['county', 'roof_age', 'as_of', 'explain']),
    );
  });

  it('gives examples that the service takes', async () => {
    const { content } = document.paths['/v1/underwrite/home']!['post']!.requestBody!;
    const examples = Object.values(content['application/json']!.examples!);
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
