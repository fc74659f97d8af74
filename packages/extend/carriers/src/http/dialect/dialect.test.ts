import { readFile } from 'node:fs/promises';
import { carrierAdapterSuite, exampleCall as context, exampleFields, exampleRequest } from '@leeward/quotes/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dialectSuite } from '../../testing/dialect-suite.ts';
import { createTestServer, sendJson } from '../../testing/test-server.ts';
import { checkHttpCarrier } from '../check-http-carrier.ts';
import { createHttpCarrier } from '../http-carrier.ts';
import { previewHttpCarrier } from '../preview.ts';
import { lookUp } from '../template.ts';
import { fromCarrier, readDate, toCarrier } from './convert.ts';
import { readDocument, writeDocument } from './document.ts';
import type { DialectEntry } from './schema.ts';
import { parseXml, writeXml } from './xml.ts';

const folder = new URL('../../../../../../fixtures/dialects/', import.meta.url);
const textOf = (name: string) => readFile(new URL(name, folder), 'utf8');
const fields = { ...exampleFields, last_name: 'O’Brien & <Sons>', swimming_pool: true, perils: ['fire', 'hail'] };
const request = { ...exampleRequest, fields };

describe.each([
  ['xml', 'answer.xml', { carrierQuoteNumber: 'L-20413', premiumCents: 184_350n }],
  ['json', 'answer.json', { carrierQuoteNumber: 'C-7781', premiumCents: 120_400n }],
] as const)('the invented dialect of %s', async (kind, answerName, expected) => {
  const text = await textOf(`${kind}/http-carrier.json`);
  const answer = await textOf(`${kind}/${answerName}`);
  const { carrier, faults } = checkHttpCarrier(JSON.parse(text));
  const dialect = carrier!.dialect!;
  /** Reads requests by the same file and rejects other content. */
  const read: unknown[] = [];
  const server = await createTestServer((sent, response) => {
    const document = readDocument(dialect, sent.body);
    read.push(document);
    if (document.faults.length > 0) return sendJson(response, 422, { faults: document.faults });
    response.writeHead(200, { 'content-type': `application/${kind}` }).end(answer);
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const here = { ...carrier!, request: { ...carrier!.request, url: server.url } };

  it('is described without faults', () => expect(faults).toEqual([]));
  for (const { name, run } of carrierAdapterSuite({ create: () => createHttpCarrier(here) })) it(name, run);

  for (const { name, run } of dialectSuite({ file: JSON.parse(text), homes: [fields] })) it(name, run);

  it('sends a home to the carrier and reads its answer', async () => {
    const adapter = createHttpCarrier(here);
    expect(await adapter.quote(request, context)).toMatchObject({ outcome: 'quoted', ...expected });
    const values = { rate_id: 'rate-1', form_type: 'ho3', effective_date: '2026-12-01', fields: request.fields };
    const named = dialect.request.flatMap(({ field }) => (field === undefined ? [] : [field]));
    const asSaid = (value: unknown) =>
      kind === 'xml' && typeof value === 'number' ? expect.toSatisfy((each) => Number(each) === value) : value;
    expect(read.at(-1)).toEqual({
      faults: [],
      values: Object.fromEntries(named.map((name) => [name, asSaid(lookUp(values, name))])),
    });
  });

  it('sends nothing if required values are missing, and names them', () => {
    const { fields } = request;
    const { unsent, sent } = previewHttpCarrier(carrier!, {
      request: { ...request, fields: { ...fields, last_name: null } },
    });
    expect(sent).toBeUndefined();
    expect(unsent).toMatchObject({
      outcome: 'needs_information',
      messages: [{ code: 'missing_field', field: 'last_name' }],
    });
  });

  it('names values that the carrier would not understand', () => {
    const { text: good } = writeDocument(
      dialect,
      { rate_id: 'r', fields: request.fields, form_type: 'ho3', effective_date: '2026-12-01' },
      lookUp,
    ) as { text: string };
    const bad = good.replace(kind === 'xml' ? '<Walls>M<' : '"OWN"', kind === 'xml' ? '<Walls>Q<' : '"BORROWED"');
    expect(bad).not.toBe(good);
    const [fault] = readDocument(dialect, bad).faults;
    expect(fault).toMatchObject({ path: kind === 'xml' ? '/Home/Walls' : '/house/lives', code: 'unknown_value' });
  });
});

describe('the suite of dialects', async () => {
  const file = JSON.parse(await textOf('json/http-carrier.json')) as { dialect: { request: object[]; tables: object } };
  const broken = async (change: (dialect: (typeof file)['dialect']) => object) => {
    const wrong: string[] = [];
    const suite = dialectSuite({ file: { ...file, dialect: { ...file.dialect, ...change(file.dialect) } } });
    for (const { name, run } of suite) await run().catch(() => wrong.push(name));
    return wrong;
  };
  it('finds values that are lost, and none without a loss', async () => {
    expect(await broken(() => ({}))).toEqual([]);
    // A text written as a number is lost.
    const lossy = { path: '/lossy', field: 'fields.zipcode', as: 'boolean' };
    expect(await broken(({ request }) => ({ request: [...request, lossy] }))).toEqual([
      'writes every home and reads it back',
    ]);
    expect(await broken(() => ({ request: [{ path: '/x', field: 'fields.unheard', required: true }] }))).toEqual([
      'writes every home and reads it back',
    ]);
    expect(await broken(() => ({ tables: {} }))).not.toEqual([]);
  });
});

describe('an XML answer of a carrier', () => {
  it('is converted to our words: codes, dates, a single entry as a list', async () => {
    const { carrier } = checkHttpCarrier(JSON.parse(await textOf('xml/http-carrier.json')));
    const answer = { status: 200, text: await textOf('xml/answer.xml') };
    expect(previewHttpCarrier(carrier!, { request, answer }).answer).toMatchObject({
      expiresAt: '2026-12-31T23:59:59.000000Z',
      rateType: 'quoted',
      subjectTo: [{ code: 'inspection', message: 'A look at the roof & the wiring' }],
      coverages: [
        { code: 'dwelling_a', amountCents: 35_000_000n },
        { code: 'liability_e', amountCents: 30_000_000n },
      ],
    });
  });
});

describe('XML', () => {
  const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, n) => `<!ENTITY a${n} "${`&a${n - 1};`.repeat(10)}">`).join('')}]><l>&a19;</l>`;
  it.each([
    ['entities that grow', laughs],
    ['an entity from a file', '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]><l>&x;</l>'],
    ['a document type alone', '<!doctype html><html></html>'],
    ['what nests for ever', '<a>'.repeat(50_000) + '</a>'.repeat(50_000)],
    ['a prototype', '<a><__proto__><polluted>1</polluted></__proto__></a>'],
    ['two roots', '<a/><b/>'],
    ['what does not end', '<a><b></a>'],
    ['a page of text', 'Busy.'],
  ])('rejects XML with %s', (_, text) => {
    expect(parseXml(text)).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('reads character references and plain text', () => {
    expect(parseXml('<q:a xmlns:q="u"><q:b>&#65;&#x42; &lt; 007</q:b></q:a>')).toEqual({ a: { b: 'AB < 007' } });
  });

  it('names the place of a character that XML cannot represent', () => {
    for (const text of ['a\u0000', 'a\ud800'])
      expect(() => writeXml('a', { b: { c: text } })).toThrow(/at \/b\/c .* cannot represent/);
  });
});

describe('a value', () => {
  const dialect = { format: 'json', request: [], tables: { t: { a: '1', b: '1', c: 2 } } } as const;
  const entry = (more: Partial<DialectEntry>) => ({ path: '/x', field: 'form_type', ...more }) as DialectEntry;
  it.each([
    [{ table: 't' }, 'b', '1', 'a'],
    [{ table: 't' }, 'c', 2, 'c'],
    [{ table: 't' }, 'toString', undefined, undefined],
    [{ unit: { from: 'miles', to: 'meters' } }, 2, 3219, 2],
    [{ unit: { from: 'feet', to: 'meters', decimals: 1 } }, '100', 30.5, 100],
    [{ unit: { from: 'dollars', to: 'cents' } }, 1843.5, 184_350, 1844],
    [{ unit: { from: 'dollars', to: 'cents', decimals_back: 2 } }, 1843.5, 184_350, 1843.5],
    [{ date: 'DD/MM/YYYY' }, '2026-02-28', '28/02/2026', '2026-02-28'],
    [{ date: 'DD/MM/YYYY' }, '2026-02-30', undefined, undefined],
    [{ words: ['ja', 'nein'] }, true, 'ja', true],
    [{ words: ['ja', 'nein'] }, 'no', 'nein', false],
  ] as const)('by %j: %j is written %j and read %j', (more, value, written, back) => {
    const own = entry(more as Partial<DialectEntry>);
    expect(toCarrier(value, own, dialect as never)).toEqual(written);
    expect(fromCarrier(written, own, dialect as never)).toEqual(back);
  });

  it('is undefined for a text that does not match', () => expect(readDate('13/45/2026', 'MM/DD/YYYY')).toBeUndefined());
});

describe('a dialect', () => {
  it.each([
    [{ path: '/a', field: 'fields.x', constant: 1 }, '/dialect/request/0', 'field_or_constant'],
    [{ path: '/a', field: 'year' }, '/dialect/request/0/field', 'unknown_name'],
    [{ path: '/a', field: 'fields.x', table: 'roofs' }, '/dialect/request/0/table', 'unknown_table'],
    [
      { path: '/a', field: 'fields.x', unit: { from: 'miles', to: 'cents' } },
      '/dialect/request/0/unit/to',
      'another_kind',
    ],
    [{ path: '/a', field: 'fields.x', date: 'MM/DD' }, '/dialect/request/0/date', 'invalid_date_format'],
    [{ path: '/a b', field: 'fields.x' }, '/dialect/request/0/path', 'invalid_name'],
    [{ path: '/__proto__/x', field: 'fields.x' }, '/dialect/request/0/path', 'invalid_name'],
    [{ path: '/z', field: 'fields.x' }, '/dialect/request/0/path', 'written_twice'],
  ])('has a fault at %j', (entry, path, code) => {
    const { faults } = checkHttpCarrier({
      format: 1,
      carrier: { key: 'x', name: 'X' },
      offers: [{ form_types: ['ho3'] }],
      idempotent: true,
      request: { method: 'POST', url: 'https://carrier.example' },
      dialect: { format: 'xml', root: 'R', tables: { roof: {} }, request: [entry, { path: '/z/y', constant: 1 }] },
      response: { premium: '/p' },
    });
    expect(faults).toContainEqual({ path, code, message: expect.any(String) });
  });
});

it('reports paths with namespace prefixes, which find nothing in an answer', async () => {
  const file = JSON.parse(await textOf('xml/http-carrier.json'));
  const response = { ...file.response, premium: '/q:HomeOffer/q:Premium' };
  expect(checkHttpCarrier({ ...file, response }).faults).toMatchObject([
    {
      ...{ path: '/response/premium', code: 'namespace_prefix' },
      message: expect.stringContaining('use "/HomeOffer/Premium"'),
    },
  ]);
});
