import { describe, expect, it } from 'vitest';
import { ask, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import { bearerToken } from './authenticate.ts';
import { createKeyHolder } from './key-holder.ts';

const key = `lw_test_${'a'.repeat(26)}_${'s'.repeat(43)}`;

describe('bearerToken', () => {
  it('reads the token in any capitalization of the scheme', () => {
    expect(bearerToken(`Bearer ${key}`)).toBe(key);
    expect(bearerToken(`bearer   ${key} `)).toBe(key);
    expect(bearerToken('Bearer any text of the operator’s own')).toBe('any text of the operator’s own');
  });

  it.each([null, '', 'Bearer', 'Bearer ', `Basic ${key}`, key, `Bearer${key}`, `Bearer ${'x'.repeat(2000)}`])(
    'returns undefined for %j',
    (header) => {
      expect(bearerToken(header)).toBeUndefined();
    },
  );
});

describe('createKeyHolder', () => {
  const holder = createKeyHolder([{ token: key, scopes: ['underwrite'], organizationId: 'org_1' }]);

  it('knows a key by the whole of it', async () => {
    expect(await holder.authenticate(key)).toMatchObject({
      tokenId: 'a'.repeat(26),
      organizationId: 'org_1',
      teamId: null,
    });
    for (const wrong of [
      `${key.slice(0, -1)}t`,
      key.replace('_test_', '_live_'),
      key.replace('aa', 'ab'),
      `${key} `,
      '',
      'lw_',
      '__proto__',
    ]) {
      expect(await holder.authenticate(wrong)).toBeUndefined();
    }
  });

  it('keeps no key’s text', () => {
    expect(JSON.stringify(Object.values(holder))).not.toContain('ssss');
  });

  it('rejects a malformed key and two keys with one id', () => {
    expect(() => createKeyHolder([{ token: 'secret', scopes: [] }])).toThrow(TypeError);
    expect(() =>
      createKeyHolder([
        { token: key, scopes: [] },
        { token: key, scopes: [] },
      ]),
    ).toThrow('share the id');
  });
});

describe('tokens on the wire', () => {
  it.each([
    ['none', null, 401],
    ['unknown', `lw_test_${'z'.repeat(26)}_${'k'.repeat(43)}`, 401],
    ['altered', `${tokens.acme.slice(0, -1)}x`, 401],
    ['expired', tokens.expired, 401],
    ['without the scope', tokens.distanceOnly, 403],
    ['the operator’s alone', tokens.operator, 403],
    ['good', tokens.acme, 200],
  ])('%s', async (_, token, status) => {
    const response = await ask(sampleService(), '/v1/underwrite/home', { token, body: { state: 'tx' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });
});
