import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redacted, redactedNames, withoutTokens } from './redacted.ts';

const secret = `lw_live_01jd4v3x9m8k7h2q5t6w0y1z2a_${'S3cr3t'.repeat(7)}x`;

/** Planted in every kind of value; none may appear in the result. */
const planted = [
  secret,
  'ada.lovelace@example.com',
  '(512) 555-0123',
  '512-555-0123',
  '+15125550123',
  `Bearer ${'t'.repeat(20)}`,
  'postgres://leeward:hunter2hunter2@db/leeward',
];
const leaks = ['S3cr3t', 'lovelace', '555-0123', '5550123', 'tttttttttt', 'hunter2'];

const logged = (fields: object) => JSON.stringify(redacted(fields));

describe('a log line', () => {
  it.each(planted)('cuts %s out of any text', (value) => {
    const line = logged({
      note: `before ${value} after`,
      deep: [{ er: value }],
      err: new Error(`no ${value}`, { cause: value }),
    });
    for (const leak of leaks) expect(line).not.toContain(leak);
    expect(line).toContain('before');
  });

  it.each(redactedNames)('censors what is called %s, however it is spelt and however deep', (name) => {
    const camel = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const line = logged({ [name]: 'Ada', a: { [name.toUpperCase()]: ['Ada'], b: [{ [camel]: { c: 'Ada' } }] } });
    expect(line).not.toContain('Ada');
    expect(line).toContain('[redacted]');
  });

  it('keeps the readable part of a token', () => {
    expect(redacted(`used ${secret}`)).toBe('used lw_live_01jd4v3x9m8k7h2q5t6w0y1z2a_[redacted]');
  });

  it('leaves times, ids, versions and sums alone', () => {
    for (const text of [
      '2026-11-20T12:00:00.000Z',
      '018f2f6e-7a5b-4c1d-9e3f-2b6a1c0d4e5f',
      'org_01jd4v3x9m8k7h2q5t6w0y1z2a',
      '2026.11.1',
      '250000',
      '/v1/underwrite/home/{organization_id}',
    ]) {
      expect(redacted(text)).toBe(text);
    }
  });

  it('survives anything', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(() => logged(circular)).not.toThrow();
    fc.assert(fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => void redacted(value)));
  });
});

it('takes the secret of a token out of a text, and nothing else', () => {
  const token = `lw_live_${'a'.repeat(26)}_${'s'.repeat(43)}`;
  expect(withoutTokens(`"${token}" is not a field; write to dana@example.com.`)).toBe(
    `"lw_live_${'a'.repeat(26)}_[redacted]" is not a field; write to dana@example.com.`,
  );
});
