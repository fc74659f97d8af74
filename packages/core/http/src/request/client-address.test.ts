import { describe, expect, it } from 'vitest';
import { auditedNetworkOf, clientAddressOf } from './client-address.ts';

const isTrustedProxy = (address: string) => address.startsWith('10.') || address.startsWith('fd');
const from = (address: string | undefined, forwarded?: string) => ({
  address,
  header: (name: string) => (name === 'x-forwarded-for' ? (forwarded ?? null) : null),
});

describe('the address of a client', () => {
  it.each([
    ['no proxy', from('203.0.113.9'), '203.0.113.9'],
    ['a header of a stranger', from('203.0.113.9', '198.51.100.1'), '203.0.113.9'],
    ['a proxy', from('10.0.0.1', '198.51.100.1'), '198.51.100.1'],
    ['two proxies', from('10.0.0.1', '198.51.100.1, 10.0.0.2'), '198.51.100.1'],
    ['an address that the client wrote itself', from('10.0.0.1', '192.0.2.1, 198.51.100.1'), '198.51.100.1'],
    ['a proxy that names nobody', from('10.0.0.1'), '10.0.0.1'],
    ['a proxy that asks itself', from('10.0.0.1', '10.0.0.2'), '10.0.0.2'],
    ['an empty name', from('10.0.0.1', '198.51.100.1,'), '10.0.0.1'],
    ['a port', from('10.0.0.1', '198.51.100.1:4711'), '198.51.100.1'],
    ['an IPv6 address with a port', from('fd00::1', '[2001:db8::1]:4711'), '2001:db8::1'],
    ['a host that does not know it', from(undefined, '198.51.100.1'), undefined],
  ])('is found behind %s', (_, incoming, address) => {
    expect(clientAddressOf(incoming, isTrustedProxy)).toBe(address);
  });

  it('is the other end of the connection if no proxy is trusted', () => {
    expect(clientAddressOf(from('10.0.0.1', '198.51.100.1'), undefined)).toBe('10.0.0.1');
  });
});

describe('the network of a client in the audit log', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:0:12:3456::1', '2001:db8:0:12::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['localhost', undefined],
    [undefined, undefined],
  ])('of %s is %s', (address, network) => expect(auditedNetworkOf(address)).toBe(network));
});
