import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import type { Directory } from './directory.ts';
import { isInNetworks } from './token-networks.ts';

/** Independent of `BlockList`: compares binary digits. */
function bitsOf(address: number[], groupBits: number): string {
  return address.map((group) => group.toString(2).padStart(groupBits, '0')).join('');
}

describe('isInNetworks', () => {
  it('agrees with a comparison of leading bits', () => {
    const random = createRandom(49);
    const whole = (max: number) => Math.floor(random() * max);
    let inside = 0;
    for (let round = 0; round < 4_000; round++) {
      const isV4 = round % 2 === 0;
      const [count, bits] = isV4 ? [4, 8] : [8, 16];
      const base = Array.from({ length: count }, () => whole(2 ** bits));
      const length = whole(count * bits + 1);
      // Near addresses, so that half of them are inside.
      const address = [...base];
      if (whole(4) > 0) address[whole(count)]! ^= 2 ** whole(bits);
      const write = (groups: number[]) =>
        isV4 ? groups.join('.') : groups.map((group) => group.toString(16)).join(':');
      const expected = bitsOf(address, bits).slice(0, length) === bitsOf(base, bits).slice(0, length);
      if (expected) inside++;
      const networks = ['192.0.2.77', `${write(base)}/${length}`];
      expect([isInNetworks(write(address), networks), write(address), networks]).toEqual([
        expected,
        write(address),
        networks,
      ]);
      if (isV4) expect(isInNetworks(`::FFFF:${write(address)}`, networks)).toBe(expected);
    }
    expect(inside).toBeGreaterThan(1_000);
    expect(inside).toBeLessThan(3_500);
  });

  it('compares single addresses, in any spelling, without the zone', () => {
    expect(isInNetworks('2001:db8:0:0::1', ['2001:db8::1'])).toBe(true);
    expect(isInNetworks('2001:db8::2', ['2001:db8::1'])).toBe(false);
    expect(isInNetworks('fe80::1%eth0', ['fe80::/10'])).toBe(true);
    expect(isInNetworks('::1', ['127.0.0.1'])).toBe(false);
  });

  it.each(['', 'unknown', 'unix:', '10.0.0', '_hidden'])('contains no malformed address %j', (address) => {
    expect(isInNetworks(address, ['0.0.0.0/0', '::/0'])).toBe(false);
  });

  it('contains nothing in a malformed network, and nothing in an empty list', () => {
    for (const network of ['', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'everything'])
      expect(isInNetworks('10.0.0.1', [network])).toBe(false);
    expect(isInNetworks('10.0.0.1', [])).toBe(false);
  });
});

describe('a token with networks', () => {
  const lines: object[] = [];
  const directoryOf = (networks: readonly string[] | null): Directory => ({
    authenticate: async (token) =>
      token === tokens.acme
        ? { tokenId: 'acme-key', scopes: new Set(['underwrite']), organizationId: 'acme', teamId: null, networks }
        : undefined,
  });
  const service = (networks: readonly string[] | null, options = {}) =>
    sampleService({
      directory: directoryOf(networks),
      isTrustedProxy: (address) => address === '10.0.0.1',
      logger: { info: (line: object) => lines.push(line), error: console.log as never },
      ...options,
    });
  const ask = (leeward: ReturnType<typeof service>, from: string | undefined, headers = {}) =>
    leeward.fetch(
      new Request('http://leeward.test/v1/underwrite/home', {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.acme}`, 'content-type': 'application/json', ...headers },
        body: '{"state": "tx"}',
      }),
      from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } },
    );
  const networks = ['203.0.113.0/24', '2001:db8::/48'];

  it.each([
    ['203.0.113.9', 200],
    ['::ffff:203.0.113.9', 200],
    ['2001:db8:0:1::9', 200],
    ['203.0.114.9', 403],
    ['2001:db9::9', 403],
    [undefined, 403],
  ])('from %s is answered %d', async (from, status) => {
    expect((await ask(service(networks), from)).status).toBe(status);
  });

  it('uses the address that trusted proxies report, and no forged one', async () => {
    const leeward = service(networks);
    expect((await ask(leeward, '10.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    expect((await ask(leeward, '10.0.0.1', { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' })).status).toBe(403);
    expect((await ask(leeward, '198.51.100.1', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(403);
    expect((await ask(leeward, '10.0.0.1', { 'x-forwarded-for': 'unknown' })).status).toBe(403);
  });

  it('is refused elsewhere without showing its networks, and logged with its id', async () => {
    lines.length = 0;
    const response = await ask(service(networks), '198.51.100.1');
    expect(await problemOf(response)).toMatchObject({ status: 403, code: 'network_not_allowed' });
    const text = JSON.stringify(await problemOf(await ask(service(networks), '198.51.100.1')));
    expect(text).not.toMatch(/203\.0|2001:db8|198\.51/);
    expect(JSON.stringify(lines)).toMatch(/acme-key.*network_not_allowed|network_not_allowed.*acme-key/);
  });

  it('is counted by address elsewhere', async () => {
    const leeward = service(networks, { addressRateLimit: { perMinute: 1, burst: 2 } });
    const statuses = [];
    for (let turn = 0; turn < 3; turn++) statuses.push((await ask(leeward, '198.51.100.1')).status);
    expect(statuses).toEqual([403, 403, 429]);
  });

  it('without them is valid everywhere', async () => {
    expect((await ask(service(null), '198.51.100.1')).status).toBe(200);
    expect((await ask(service(null), undefined)).status).toBe(200);
  });
});
