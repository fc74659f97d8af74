import { expect, it } from 'vitest';
import { createRandom, wholeNumber } from '../../../../../test/support/random.ts';
import { createReasonCounter, MAX_COUNTED } from './reason-counter.ts';

it('counts what counting one carrier after another counts', () => {
  const random = createRandom(7);
  const [codes, carriers] = [3, 50];
  const counter = createReasonCounter(codes, carriers);
  for (const sets of [0, 1, 7, 8, 9, 300, MAX_COUNTED]) {
    const wanted = new Map<string, number>();
    for (let each = 0; each < sets; each++) {
      const code = wholeNumber(random, 0, codes - 1);
      const bits = Array.from({ length: 2 }, () => (random() < 0.1 ? -1 : Math.floor(random() * 2 ** 32) | 0));
      counter.add(code, bits[0]!, bits[1]!);
      for (let carrier = 0; carrier < carriers; carrier++) {
        if (((bits[carrier >> 5]! >>> (carrier & 31)) & 1) === 0) continue;
        const key = `${code} ${carrier}`;
        wanted.set(key, (wanted.get(key) ?? 0) + 1);
      }
    }
    const counted = new Map<string, number>();
    counter.take((code, carrier, count) => counted.set(`${code} ${carrier}`, count));
    expect(counted).toEqual(new Map([...wanted].sort(([a], [b]) => order(a) - order(b))));
  }
});

const order = (key: string) => {
  const [code, carrier] = key.split(' ').map(Number);
  return code! * 100 + carrier!;
};
