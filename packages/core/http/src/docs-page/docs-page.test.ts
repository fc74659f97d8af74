import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ask, sampleService } from '../../../../../test/support/sample-service.ts';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { docsPage } from './docs-page.ts';
import { html } from './html.ts';
import { prose } from './prose.ts';
import { curlLines, jsonText, laidOut } from './request-example.ts';
import { schemaFields } from './schema-fields.ts';
import { typeWords } from './schema-words.ts';

/** The visible text of HTML. */
function textOf(markup: string): string {
  const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
  return markup.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:lt|gt|quot|amp|#39);/g, (entity) => entities[entity]!);
}

describe('what is put into the page', () => {
  it('escapes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', ';', '/', '#') }), (text) => {
        const markup = html`<p title="${text}">${text}${[text]}</p>`.text;
        expect(markup.match(/[<>]/g)).toHaveLength(4);
        expect(textOf(markup)).toBe(text + text);
      }),
    );
  });

  it('shows JSON that is the value, part for part', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(laidOut(value, ''))).toEqual(value);
        expect(textOf(jsonText(value).text)).toBe(laidOut(value, ''));
      }),
    );
    expect(jsonText({ a: 'b<c', d: [1, null] }).text).toContain('<i class="s">&quot;b&lt;c&quot;</i>');
  });

  it('quotes a body for a shell', () => {
    expect(curlLines('post', '/x', true, { name: "it's" })).toBe(
      `curl -X POST "$LEEWARD/x" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Content-Type: application/json" \\\n  -d '{ "name": "it'\\''s" }'`,
    );
    expect(curlLines('get', '/y', false, undefined)).toBe('curl "$LEEWARD/y"');
  });

  it('takes code and strong words out of descriptions, and nothing else', () => {
    expect(prose('One `a<b` **two**\n\n<script>')?.text).toBe(
      '<p>One <code>a&lt;b</code> <strong>two</strong></p><p>&lt;script&gt;</p>',
    );
    expect(prose('')).toBeUndefined();
  });
});

describe('a schema in words', () => {
  const words = (schema: z.ZodType) => textOf(typeWords(jsonSchemaOf(schema, 'output')).text);

  it.each([
    [z.string(), 'text'],
    [z.int().min(1).max(1000), 'integer from 1 to 1,000'],
    [z.int(), 'integer'],
    [z.number().nullable(), 'number or null'],
    [z.array(z.boolean()).max(20), 'list of true or false, up to 20'],
    [z.union([z.enum(['a', 'b']), z.string()]), 'text'],
    [z.literal('ok'), '"ok"'],
    [z.unknown(), 'anything'],
  ])('%#: %s', (schema, expected) => {
    expect(words(schema)).toBe(expected);
  });

  it('tells of fields what a caller must give, and of an answer what may be missing', () => {
    const schema = jsonSchemaOf(
      z.object({ a: z.enum(['x', 'y']), b: z.object({ c: z.string() }).optional() }),
      'output',
    );
    const request = textOf(schemaFields(schema, 'request')!.text);
    expect(request).toMatch(/a text required\s+x y\s+b object\s*Fields\s*c text required/);
    const answer = textOf(schemaFields(schema, 'answer')!.text);
    expect(answer).toMatch(/a text\s+x y\s+b object not always\s*Fields\s*c text/);
    const document = sampleService().document() as unknown as { components: { schemas: Record<string, object> } };
    const home = textOf(schemaFields(document.components.schemas['HomeUnderwritingRequest']!, 'request')!.text);
    expect(home).toContain('Together with roof_type or not at all.');
    expect(home).toMatch(/x_…\s*Ignored/);
  });
});

describe('/docs', () => {
  it('is one page that loads nothing, under a strict policy', async () => {
    const leeward = sampleService();
    const response = await ask(leeward, '/docs', { method: 'GET', token: null });
    const page = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const [, style] = /<style>(.*?)<\/style>/s.exec(page)!;
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
    const [, script] = /<script>(.*?)<\/script>/s.exec(page)!;
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script!).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.replace(script!, '')).not.toMatch(
      /<script \S|\son\w+=|\sstyle=|https?:\/\/(?!leeward\.dev|www\.w3\.org)[^"<]*"/,
    );
  });

  it('has every operation and schema, and no dead links', async () => {
    const document = sampleService().document();
    const { html: page } = await docsPage(document);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect(ids.size).toBe([...page.matchAll(/ id="/g)].length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
    for (const methods of Object.values(document.paths ?? {}))
      for (const { operationId } of Object.values(methods as Record<string, { operationId: string }>))
        expect(ids).toContain(operationId);
    for (const name of Object.keys(document.components?.schemas ?? {})) expect(ids).toContain(`schema-${name}`);
  });

  it('holds what a host wrote as text', async () => {
    const evil = '"><script>alert(1)</script>';
    const leeward = sampleService({
      routes: [
        {
          name: 'own',
          description: evil,
          operations: [
            {
              method: 'get',
              path: '/own/{id}',
              operationId: 'own',
              tag: 'own',
              access: 'anyone',
              summary: evil,
              description: evil,
              parameters: { id: { description: evil, example: evil } },
              answers: { 200: { description: evil, content: 'text/plain' } },
              handle: () => ({ status: 200, text: 'own' }),
            },
          ],
        },
      ],
    });
    expect((await docsPage(leeward.document())).html.split('<script')).toHaveLength(2);
  });
});
