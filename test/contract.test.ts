import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Shapes, shapesOfClient, shapesOfDocument } from './support/client-types.ts';
import { type Answered, type Contract, createContractCheck } from './support/contract-check.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { smallCoastline } from './support/small-coastline.ts';

let demo: Demo;
let contract: Contract;
let check: ReturnType<typeof createContractCheck>;
beforeAll(async () => {
  demo = await startDemo({
    signIn: true,
    environment: { ...smallCoastline, LEEWARD_RATE_LIMIT: '0', LEEWARD_LOG_LEVEL: 'silent' },
  });
  contract = (await (await fetch(`${demo.url}/openapi.json`)).json()) as Contract;
  check = createContractCheck(contract);
});
afterAll(() => demo.stop());

const operations = () =>
  Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );

/** An answer of the demo, to be altered. */
async function answeredOf(path: string, body?: unknown): Promise<Answered> {
  const response = await (body === undefined ? fetch(`${demo.url}${path}`) : demo.post(path, body));
  const method = body === undefined ? 'GET' : 'POST';
  return { method, path, status: response.status, headers: response.headers, text: await response.text() };
}

const without = (headers: Headers, name: string) => new Headers([...headers].filter(([each]) => each !== name));
const withMember = (text: string, more: object) => JSON.stringify({ ...(JSON.parse(text) as object), ...more });

describe('what holds answers against the document', () => {
  it('finds unexpected and missing parts of an answer', async () => {
    const decision = await answeredOf('/v1/underwrite/home', { state: 'tx', policy_type: 'ho3' });
    const refusal = await answeredOf('/v1/underwrite/home', {});
    const health = await answeredOf('/healthz');
    const nowhere = await answeredOf('/v1/underwrite/hose', {});
    for (const good of [decision, refusal, health, nowhere]) expect(check.faultsOf(good)).toEqual([]);
    expect([decision.status, refusal.status, health.status, nowhere.status]).toEqual([200, 422, 200, 404]);
    const bad: readonly (readonly [Answered, RegExp])[] = [
      [{ ...decision, status: 202 }, /knows no 202/],
      [{ ...decision, text: withMember(decision.text, { surprise: 1 }) }, /additional.*surprise/],
      [{ ...decision, text: withMember(decision.text, { counts: {} }) }, /counts must have required/],
      [{ ...decision, text: decision.text.replace('"eligible"', '"perhaps"') }, /perhaps|allowed values|additional/],
      [{ ...decision, text: 'null' }, /must be object/],
      [{ ...decision, text: '' }, /no JSON/],
      [{ ...decision, headers: without(decision.headers, 'x-request-id') }, /X-Request-Id is missing/],
      [{ ...decision, headers: without(decision.headers, 'content-type') }, /knows no/],
      [{ ...refusal, status: 400 }, /says 422, the answer 400/],
      [{ ...refusal, text: withMember(refusal.text, { code: 'not_found' }) }, /not_found is none of/],
      [{ ...refusal, text: withMember(refusal.text, { request_id: 'mine' }) }, /another request_id/],
      [{ ...refusal, text: withMember(refusal.text, { stack: 'at Object.<anonymous>' }) }, /stack/],
      [{ ...health, method: 'HEAD' }, /HEAD has a body/],
      [{ ...nowhere, status: 200 }, /answered 200, not 404/],
      [{ ...nowhere, path: '/healthz' }, /answered 404, not 405/],
    ];
    for (const [answered, fault] of bad) expect(check.faultsOf(answered).join('; ')).toMatch(fault);
  });

  it('fails the requesting test when an answer differs from the current document', async () => {
    const signs = {
      'content-type': 'application/json',
      'x-request-id': 'mine',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    };
    // An address that ended one service may be the next one's: first of a service without /healthz, then of the whole.
    const { '/healthz': _, ...fewer } = contract.paths;
    let promised: object = { ...contract, paths: fewer };
    const server: Server = createServer((request, response) => {
      const body = request.url === '/openapi.json' ? promised : { status: 'ok' };
      response.writeHead(200, signs).end(JSON.stringify(body));
    });
    await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow(/outside the contract: a path or method of no operation/);
    promised = contract;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await expect(fetch(`${url}/readyz`)).rejects.toThrow(/outside the contract: .*\/status must be equal/);
  });
});

describe('the document', () => {
  it('has examples that fit: every request, every answer, every problem', () => {
    let examples = 0;
    const holds = (content: object | undefined) => {
      const media = content as
        | Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>
        | undefined;
      for (const { schema, examples: shown = {} } of Object.values(media ?? {})) {
        for (const { value } of Object.values(shown)) {
          expect({ value, faults: check.faultsOfValue(schema, value) }).toEqual({ value, faults: [] });
          examples++;
        }
      }
    };
    for (const { operation } of operations()) {
      holds(operation.requestBody?.content);
      for (const response of Object.values(operation.responses)) holds((response as { content?: object }).content);
    }
    for (const response of Object.values(contract.components['responses'] as object)) holds(response.content);
    expect(examples).toBeGreaterThan(110);
  });

  it('has the fields and words of the generated client', () => {
    const schemas = contract.components['schemas'] as Parameters<typeof shapesOfDocument>[0];
    const client = shapesOfClient();
    const served = shapesOfDocument(schemas);
    expect(Object.keys(served).length).toBeGreaterThan(50);
    expect(served['HomeUnderwritingRequest']).toMatchObject({ state: '', roof_age: '?' });
    expect(served['HomeUnderwritingRequest']!['policy_type']).toMatch(/^\?dp1\|dp3\|ho3/);
    // "npm run check:contract -- --write" renews the client.
    expect(client).toEqual(served satisfies Shapes);
  });

  it('closes the objects of a home, and lists all words of a choice', () => {
    // A generated client refuses a misspelled field only in a closed object, and a wrong word only where no free text fits.
    const open: string[] = [];
    const visit = (schema: unknown, place: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      const { anyOf = [], patternProperties } = schema as {
        anyOf?: { enum?: unknown; type?: unknown; pattern?: unknown }[];
        patternProperties?: object;
      };
      const isFree = anyOf.some(
        (each) => each.type === 'string' && each.enum === undefined && each.pattern === undefined,
      );
      if (isFree && anyOf.some((each) => each.enum !== undefined)) open.push(`${place}: a choice or any text`);
      if (patternProperties !== undefined) open.push(`${place}: fields by pattern`);
      for (const [name, inner] of Object.entries(schema)) if (name !== 'examples') visit(inner, `${place}/${name}`);
    };
    const schemas = contract.components['schemas'] as Record<string, object>;
    visit(schemas, '');
    expect(JSON.stringify(schemas['HomeUnderwritingRequest'])).not.toContain('"additionalProperties":{}');
    for (const { path, operation } of operations()) visit(operation.requestBody?.content, path);
    expect(open).toEqual([]);
  });

  it('has examples that work: homes and places as they are shown', async () => {
    for (const { path, operation } of operations()) {
      if (!/^\/v1\/(underwrite\/home|distance-to-coast)/.test(path)) continue;
      const { examples = {} } = operation.requestBody!.content['application/json']!;
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const { value } of Object.values(examples) as { value: unknown }[]) {
        const asked = path.replace('{organization_id}', demo.keys.organization_id);
        expect({ asked, value, status: (await demo.post(asked, value)).status }).toMatchObject({ status: 200 });
      }
    }
  });

  it('says of requests what zod checks outside of its schemas', () => {
    const fits = (body: object) => check.fitsRequest('underwriteHome', body);
    expect(fits({ state: 'tx', roof_age: 3, roof_type: 'metal', x_note: { any: 1 } })).toBe(true);
    expect(fits({ state: 'tx', losses: [{ kind: 'hail', amount: 4000, x_note: 1 }] })).toBe(true);
    for (const body of [
      {},
      { state: 'tx', roof_age: 3 },
      { state: 'tx', roof_type: 'metal' },
      { state: 'tx', lat: 30 },
      { state: 'tx', rof_age: 3 },
      { state: 'tx', losses: [{ kind: 'hail', amuont: 4000 }] },
      { state: 'tx', total_claims: 100 },
      { state: 'tx', total_claims: '1,000' },
      { state: '' },
    ]) {
      expect({ body, fits: fits(body) }).toEqual({ body, fits: false });
    }
    expect(check.fitsRequest('distanceToCoast', { lat: 25 })).toBe(false);
    expect(check.fitsRequest('createQuote', { product_code: 'homeowners' })).toBe(false);
  });
});
