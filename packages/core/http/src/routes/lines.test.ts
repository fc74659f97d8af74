import { createCatalog, defineLine, homeVocabulary } from '@leeward/engine';
import { integerField } from '@leeward/engine/vocabulary';
import { describe, expect, it } from 'vitest';
import { auto, autoCarrier, autoCases, autoLine } from '../../../../../test/support/lines/auto-line.ts';
import { sampleCatalog } from '../../../../../test/support/sample-catalog.ts';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { createKeyHolder } from '../access/key-holder.ts';
import { createClient, type LinePaths } from '../client/index.ts';
import { createLeeward } from '../leeward.ts';

const clock = () => new Date('2026-11-20T12:00:00Z');
const cars = createCatalog([{ file: autoCarrier }], { vocabulary: autoLine });
const organizations = { catalogOf: async (id: string) => (id === 'org_acme' ? cars : undefined) };
const open = (lines = [{ line: auto, catalog: cars, organizations, clock }]) => sampleService({ lines });

describe('another line of business', () => {
  it('answers with reasons, for all carriers and for an organization, with a client that knows its fields', async () => {
    const leeward = open();
    const client = createClient<LinePaths<typeof auto>>({
      baseUrl: 'http://leeward.test',
      token: tokens.acme,
      fetch: (request) => leeward.fetch(request),
    });
    const body = {
      state: 'tx',
      policy_type: 'personal auto',
      rideshare: true,
      violations: ['dui'],
      explain: true,
    } as const;
    const { data } = await client.POST('/v1/underwrite/auto', { body });
    expect(data?.declined).toMatchObject([
      {
        carrier_key: 'wheelhouse',
        reasons: [{ code: 'vehicle' }, { code: 'violations', message: 'No driver with: dui.' }],
        explanation: { decided_by: expect.any(Array) },
        would_change: { outcome: 'none_helps' },
      },
    ]);
    expect(data?.home).toEqual({ state: 'tx', policy_type: 'personal auto', rideshare: true, violations: ['dui'] });
    const params = { path: { organization_id: 'org_acme' } };
    const theirs = await client.POST('/v1/underwrite/auto/{organization_id}', { params, body: { state: 'tx' } });
    expect(theirs.data?.next_questions.map(({ field }) => field)).toContain('rideshare');
    // @ts-expect-error a model is a word
    const wrong = await client.POST('/v1/underwrite/auto', { body: { state: 'tx', model: 7 } });
    expect(wrong.response.status).toBe(422);
    // @ts-expect-error boats are another line
    expect((await client.POST('/v1/underwrite/boat', { body: { state: 'tx' } })).response.status).toBe(404);
    expect((await client.POST('/v1/underwrite/home', { body: { state: 'tx' } })).response.status).toBe(200);
  });

  it('is described for forms: policy types, fields of every kind, and an example', async () => {
    // A page, not of the document: so of a service whose answers are not held against it.
    const underwriting = { catalog: sampleCatalog(), clock };
    const served = [{ line: auto, catalog: cars }];
    const leeward = createLeeward({ directory: createKeyHolder([]), underwriting, lines: served });
    const answer = await leeward.fetch(new Request('http://leeward.test/lines.json'));
    const { lines } = (await answer.json()) as {
      lines: { line: string; example: object; fields: { name: string }[] }[];
    };
    expect(lines.map(({ line }) => line)).toEqual(['home', 'auto']);
    const [home, car] = lines;
    expect(home!.fields).toContainEqual(expect.objectContaining({ name: 'roof_age', unit: 'years', min: 0, max: 500 }));
    expect(home!.fields.map(({ name }) => name)).toContain('distance_to_coast_miles');
    expect(car).toMatchObject({ title: 'Auto', noun: 'car', policy_types: ['personal auto', 'named non-owner'] });
    const field = (name: string) => car!.fields.filter((each) => each.name === name);
    expect(field('model_year')).toMatchObject([{ kind: 'number', unit: 'year', max: 2027 }]);
    expect(field('credit_offset')).toMatchObject([{ kind: 'number', min: -100, max: 100, integer: false }]);
    expect(field('garaging')).toMatchObject([{ kind: 'word', words: ['garage', 'driveway', 'street'] }]);
    expect(field('rideshare')).toEqual([
      { name: 'rideshare', label: 'ride sharing', description: 'Whether it carries passengers for pay.', kind: 'flag' },
    ]);
    expect(field('licensed_since')).toMatchObject([{ kind: 'date', min: '1940-01-01', max: '2199-12-31' }]);
    expect(field('violations')).toMatchObject([
      { kind: 'set', label: 'violations', words: ['speeding', 'dui', 'reckless'] },
    ]);
    expect((await ask(open(), '/v1/underwrite/auto', { body: car!.example })).status).toBe(200);
  });

  it('meets its cases over HTTP', async () => {
    const leeward = open();
    for (const { home, policy_type, as_of, effective_date, expect: wanted } of autoCases) {
      const body = { ...home, policy_type, as_of, effective_date };
      const { carriers, declined } = (await (await ask(leeward, '/v1/underwrite/auto', { body })).json()) as Record<
        'carriers' | 'declined',
        { status: string }[]
      >;
      expect([...carriers, ...declined].map(({ status }) => status)).toEqual([wanted.status]);
    }
  });

  it('rejects fields of other lines, and homes reject its fields', async () => {
    const response = await ask(open(), '/v1/underwrite/auto', {
      body: { state: 'tx', roof_age: 3, distance_to_coast_miles: 2, drivers: 2, policy_type: 'ho3' },
    });
    const { errors } = await problemOf(response);
    expect(errors?.map(({ path, code }) => `${path} ${code}`).sort()).toEqual([
      '/distance_to_coast_miles unknown_field',
      '/licensed_since required_with',
      '/policy_type unknown_policy_type',
      '/roof_age unknown_field',
    ]);
  });

  it('is behind the same guards', async () => {
    const leeward = open();
    const body = { state: 'tx' };
    expect((await ask(leeward, '/v1/underwrite/auto', { body, token: null })).status).toBe(401);
    expect((await ask(leeward, '/v1/underwrite/auto', { body, token: tokens.distanceOnly })).status).toBe(403);
    expect((await ask(leeward, '/v1/underwrite/auto/org_other', { body, token: tokens.acme })).status).toBe(404);
    expect((await ask(leeward, '/v1/underwrite/auto', { method: 'GET' })).status).toBe(405);
    const rules = await ask(leeward, '/v1/rule-sets/auto', { body: {}, token: tokens.rulesOnly });
    expect(await rules.json()).toMatchObject({ carriers: [{ carrier_key: 'wheelhouse' }] });
  });

  it('is in the document, and so is an announced line', () => {
    const leeward = sampleService({
      lines: [{ line: auto, catalog: cars, organizations, clock }],
      announcedLines: ['auto', 'boat'],
    });
    const { paths, components } = JSON.parse(JSON.stringify(leeward.document())) as Record<
      'paths' | 'components',
      object
    >;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/v1/underwrite/auto', '/v1/underwrite/auto/{organization_id}', '/v1/rule-sets/auto']),
    );
    expect(paths).toMatchObject({
      '/v1/underwrite/auto': {
        post: { operationId: 'underwriteAuto', summary: 'Underwrite a car across all carriers' },
      },
      '/v1/underwrite/boat': { post: { responses: { 501: expect.any(Object) } } },
    });
    expect(components).toMatchObject({
      schemas: {
        AutoUnderwritingRequest: {
          required: ['state'],
          properties: { rideshare: expect.any(Object), violations: expect.any(Object), model: expect.any(Object) },
          propertyNames: { anyOf: [{ enum: expect.arrayContaining(['state', 'rideshare']) }, { pattern: '^x_' }] },
        },
      },
    });
  });

  it('is refused where it is given twice, is home, or has carriers of other words', () => {
    const twice = { line: auto, catalog: cars };
    expect(() => sampleService({ lines: [twice, twice] })).toThrow('The line "auto" is mounted twice.');
    const home = { ...auto, vocabulary: homeVocabulary };
    expect(() => sampleService({ lines: [{ line: home, catalog: sampleCatalog() }] })).toThrow(
      '"home" is mounted twice',
    );
    expect(() => sampleService({ lines: [{ line: auto, catalog: sampleCatalog() }] })).toThrow(
      'make it with { vocabulary: line.vocabulary }',
    );
  });
});

const boat = defineLine({
  line: 'personal_boat',
  title: 'Boats',
  noun: 'boat',
  policyTypes: ['hull'],
  fields: [
    integerField('berths', { label: 'berths', min: 0, max: 9, change: { kind: 'any' }, description: 'Berths.' }),
  ],
});
const noBoats = createCatalog([], { vocabulary: boat.vocabulary });

describe('announced lines', () => {
  const announcedLines = ['auto', 'personal_boat'];

  it('answers lines that are mounted and 501 for announced lines', async () => {
    const leeward = sampleService({ lines: [{ line: boat, catalog: noBoats }], announcedLines });
    const body = { state: 'fl' };
    expect((await ask(leeward, '/v1/underwrite/personal_boat', { body })).status).toBe(200);
    expect((await ask(leeward, '/v1/underwrite/auto', { body })).status).toBe(501);
    const both = sampleService({
      lines: [
        { line: boat, catalog: noBoats },
        { line: auto, catalog: cars },
      ],
      announcedLines,
    });
    expect((await ask(both, '/v1/underwrite/auto', { body })).status).toBe(200);
    expect(JSON.stringify(both.document())).not.toContain('coming soon');
  });

  it('announces no line by default', async () => {
    const directory = createKeyHolder([{ token: tokens.acme, scopes: ['underwrite'] }]);
    const leeward = createLeeward({ directory, underwriting: { catalog: sampleCatalog() } });
    expect((await ask(leeward, '/v1/underwrite/auto', { body: {} })).status).toBe(404);
  });
});

describe('a line with a name of several words', () => {
  it('has an operation identifier in one word', () => {
    const [line, catalog] = [boat, noBoats];
    const { paths } = sampleService({ lines: [{ line, catalog }] }).document() as { paths: Record<string, object> };
    expect(paths['/v1/underwrite/personal_boat']).toMatchObject({ post: { operationId: 'underwritePersonalBoat' } });
  });
});
