import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { withinProcessorMs } from '../../../../../test/support/processor-time.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import { type ParsedRequest, parseRequest, requestSchemaOf } from './parse-request.ts';

const now = new Date('2026-11-20T12:00:00Z');
const parse = (body: unknown): ParsedRequest => parseRequest(body, { now });
const codes = (body: unknown) => {
  const parsed = parse(body);
  return parsed.ok ? [] : parsed.faults.map((fault) => `${fault.path} ${fault.code}`);
};
const names = Object.keys(requestSchemaOf(homeVocabulary).shape);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
  return value;
}

describe('prototype keys', () => {
  it('are keys like any other, and give nothing away', () => {
    expect(codes(JSON.parse('{"__proto__":{"state":"tx","roof_age":1}}'))).toEqual([
      '/__proto__ unknown_field',
      '/state required',
    ]);
    expect(codes(JSON.parse('{"state":"tx","constructor":1,"toString":2,"hasOwnProperty":3}'))).toEqual([
      '/constructor unknown_field',
      '/toString unknown_field',
      '/hasOwnProperty unknown_field',
    ]);
    expect(codes(Object.assign(Object.create({ state: 'tx' }), { county: 'harris' }))).toEqual(['/state required']);
    expect(({} as Record<string, unknown>)['roof_age']).toBeUndefined();
  });

  it('are rejected as words, states, counties and policy types', () => {
    for (const word of ['__proto__', 'constructor', 'toString', 'valueOf']) {
      expect(codes({ state: 'tx', usage: word })).toEqual(['/usage unknown_value']);
      expect(codes({ state: 'tx', policy_type: word })).toEqual(['/policy_type unknown_policy_type']);
      expect(codes({ state: word })).toEqual(['/state unknown_state']);
      const parsed = parse({ state: 'tx', county: word });
      expect(parsed.ok && parsed.request.property.counties).toEqual([]);
    }
  });
});

describe('numbers beyond numbers', () => {
  it('are out of range', () => {
    expect(codes(JSON.parse('{"state":"tx","dwelling_a":1e400,"acreage":-1e400,"lat":1e400,"lng":0}'))).toEqual([
      '/dwelling_a not_an_integer',
      '/acreage out_of_range',
      '/lat out_of_range',
    ]);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53 + 2]) {
      expect(codes({ state: 'tx', dwelling_a: value })).toHaveLength(1);
      expect(codes({ state: 'tx', acreage: value })).toHaveLength(1);
      expect(codes({ state: 'tx', distance_to_coast_miles: value })).toHaveLength(1);
    }
    expect(codes({ state: 'tx', dwelling_a: 10n })).toEqual(['/dwelling_a invalid_type']);
  });
});

describe('broken and boundless text', () => {
  const broken = 'harris \ud800';

  it('with lone surrogates is refused where text is kept, and unknown where words are meant', () => {
    expect(codes({ state: broken })).toEqual(['/state invalid_text']);
    expect(codes({ state: 'tx', county: broken })).toEqual(['/county invalid_text']);
    expect(codes({ state: 'tx', address: broken })).toEqual(['/address invalid_address']);
    expect(codes({ state: 'tx', address: { line1: broken } })).toEqual(['/address invalid_address']);
    expect(codes({ state: 'tx', usage: broken })).toEqual(['/usage unknown_value']);
    expect(codes({ state: 'tx', year_built: broken })).toEqual(['/year_built invalid_number']);
    expect(codes({ state: 'tx', as_of: broken })).toEqual(['/as_of invalid_text']);
    expect(codes({ state: 'tx', [`county\ud800`]: 'harris' })).toEqual(['/county\ufffd unknown_field']);
  });

  it('of two million characters is refused at once, in a short message', () => {
    withinProcessorMs(10_000, () => {
      for (const name of names) {
        const parsed = parse({ state: 'tx', roof_age: 5, roof_type: 'tile', [name]: '9'.repeat(2_000_000) });
        if (parsed.ok) throw new Error(`${name} accepted it`);
        for (const fault of parsed.faults) expect(fault.message.length).toBeLessThan(400);
      }
    });
  });

  it('is cut in messages between characters', () => {
    const parsed = parse({ state: 'tx', usage: `${'x'.repeat(75)}${'🏠'.repeat(9)}` });
    if (parsed.ok) throw new Error('accepted');
    expect(parsed.faults[0]?.message.isWellFormed()).toBe(true);
  });
});

describe('unlikely shapes', () => {
  it.each([10, 1_000, 30_000])('nested %i deep are refused, not followed', (depth) => {
    const value = nested(depth);
    for (const name of names) {
      const point = name === 'address' || name === 'footprint' ? {} : { lat: 29, lng: -95 };
      const found = codes({ state: 'tx', ...point, roof_age: 5, roof_type: 'tile', [name]: value });
      expect(found).toHaveLength(1);
      // A value can be in the form { "value" }, and the items of a list are objects.
      expect(found[0]).toMatch(new RegExp(`^/${name}(/value(/0)?(/value)?)? (invalid_|unknown_field)`));
    }
    expect(codes(value)).toHaveLength(depth % 2 === 0 ? 2 : 1);
  });

  it('with thousands of keys get a short answer', () => {
    const body = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`k${index}`, 1]));
    const found = withinProcessorMs(2_000, () => codes({ ...body, state: 'tx', usage: 'primry' }));
    expect(found).toHaveLength(102);
    expect(found).toContain('/usage unknown_value');
    expect(found).toContain(' unknown_field');
  });
});

it('never throws, and every fault names its place, a code and a sentence', () => {
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }),
    anyText(),
    fc.constantFrom('', '__proto__', Number.POSITIVE_INFINITY, -0, 2 ** 53, '١', '250,000', 'ho3', 5, 'harris'),
  );
  const body = fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText()), value);
  fc.assert(
    fc.property(fc.oneof(body, value), (given) => {
      const parsed = parse(given);
      if (parsed.ok) {
        expect(JSON.parse(JSON.stringify(parsed.request.home))).toEqual(parsed.request.home);
        return;
      }
      expect(parsed.faults.length).toBeGreaterThan(0);
      for (const { path, code, message } of parsed.faults) {
        expect(path === '' || path.startsWith('/')).toBe(true);
        expect(path.isWellFormed() && message.isWellFormed()).toBe(true);
        expect(code).toMatch(/^[a-z_]+$/);
        expect(message.length).toBeGreaterThan(10);
      }
    }),
    { numRuns: testVolume(60) },
  );
});
