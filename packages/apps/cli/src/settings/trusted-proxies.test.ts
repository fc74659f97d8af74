import { describe, expect, it } from 'vitest';
import { readTrustedProxies } from './trusted-proxies.ts';

describe('readTrustedProxies', () => {
  it('reads addresses and networks of both versions', () => {
    const isTrusted = readTrustedProxies('10.0.0.5, 10.1.0.0/16, fd00::/8');
    const trusted = ['10.0.0.5', '10.1.200.3', 'fd12::1', '::ffff:10.1.0.1'];
    const others = ['10.0.0.6', '10.2.0.1', '2001:db8::1', '::ffff:10.2.0.1', 'unknown', ''];
    expect([...trusted, ...others].filter(isTrusted)).toEqual(trusted);
  });

  it.each(['', '10.0.0', '10.0.0.5/33', '10.0.0.5/8/8', '10.0.0.5/', 'fd00::/129', '10.0.0.5,,', 'proxy.example'])(
    'refuses %j and names an example',
    (text) => {
      expect(() => readTrustedProxies(text)).toThrow(/10\.1\.0\.0\/16/);
    },
  );
});
