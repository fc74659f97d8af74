import { describe, expect, it } from 'vitest';
import { createLastUse, type TokenUse } from './last-use.ts';

describe('createLastUse', () => {
  it('writes the uses of one moment together', async () => {
    const written: (readonly TokenUse[])[] = [];
    const lastUse = createLastUse(
      async (uses) => void written.push(uses),
      () => 100_000,
    );
    for (const tokenId of ['a', 'b', 'a', 'c']) lastUse.note(tokenId, null);
    lastUse.note('recent', 50_000);
    lastUse.note('long ago', 40_000);
    await lastUse.settle();
    expect(written.map((uses) => uses.map((use) => use.tokenId))).toEqual([['a', 'b', 'c', 'long ago']]);
  });

  it('lets no request fail for it, and tries again a minute later', async () => {
    let now = 100_000;
    let attempts = 0;
    const lastUse = createLastUse(
      async () => {
        attempts++;
        throw new Error('disk full');
      },
      () => now,
    );
    lastUse.note('a', null);
    await lastUse.settle();
    lastUse.note('a', null);
    await lastUse.settle();
    expect(attempts).toBe(1);
    now += 60_000;
    lastUse.note('a', null);
    await lastUse.settle();
    expect(attempts).toBe(2);
  });

  it('remembers no end of tokens', async () => {
    let written = 0;
    const lastUse = createLastUse(
      async (uses) => {
        written += uses.length;
      },
      () => 100_000,
    );
    for (let index = 0; index < 25_000; index++) lastUse.note(`t${index}`, null);
    await lastUse.settle();
    expect(written).toBe(25_000);
  });
});
