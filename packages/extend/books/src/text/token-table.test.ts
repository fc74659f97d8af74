import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { createTokenTable, FIRST_HASH } from './token-table.ts';

function find(table: ReturnType<typeof createTokenTable>, token: string): number {
  const bytes = Buffer.from(`,${token},`);
  let hash = FIRST_HASH;
  for (const byte of bytes.subarray(1, -1)) hash = Math.imul(hash ^ byte, 0x01000193);
  return table.find(bytes, 1, bytes.length - 1, hash);
}

describe('a table of tokens', () => {
  it('gives each token its place, however many words came as text in between', () => {
    const random = createRandom(20);
    const table = createTokenTable((token) => `word of ${token}`);
    const places = new Map<string, number>();
    // Thousands of words without a slot, then new tokens: there are fewer slots than words.
    for (let count = 0; count < 5_000; count++) table.add(count);
    for (let count = 0; count < 20_000; count++) {
      const token = `token ${Math.floor(random() * 3_000)}`;
      if (random() < 0.2) expect(table.words[table.add(token)]).toBe(token);
      const place = find(table, token);
      expect(place).toBe(places.get(token) ?? place);
      expect(table.words[place]).toBe(`word of ${token}`);
      places.set(token, place);
    }
    expect(new Set(places.values()).size).toBe(places.size);
  });
});
