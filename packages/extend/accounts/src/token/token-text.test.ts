import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../../test/support/any-text.ts';
import { readToken, tokenPrefix, writeToken } from './token-text.ts';

const anySecret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const tokenId = '01jd3k5x8m2v9c7w4hqtyzbnrg';

describe('A token as text', () => {
  it('tells its readable parts, and has one text a secret', () => {
    fc.assert(
      fc.property(anySecret, anySecret, (secret, other) => {
        const text = writeToken('live', tokenId, secret);
        expect(text).toMatch(/^lw_live_[0-9a-z]{26}_[0-9A-Za-z]{43}$/);
        expect(readToken(text)).toEqual({ environment: 'live', tokenId });
        expect(text.startsWith(tokenPrefix('live', tokenId))).toBe(true);
        expect(writeToken('live', tokenId, other) === text).toBe(Buffer.compare(secret, other) === 0);
      }),
    );
  });

  it('holds all of the smallest and the largest secret', () => {
    expect(writeToken('live', tokenId, new Uint8Array(32)).slice(-43)).toBe('0'.repeat(43));
    // 2^256 - 1 in base 62.
    const largest = writeToken('live', tokenId, new Uint8Array(32).fill(255)).slice(-43);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    expect([...largest].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)).toBe(2n ** 256n - 1n);
  });

  it('rejects every other text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(readToken(text)).toBeUndefined();
      }),
    );
  });
});
