import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createShares } from './shares.ts';

describe('shares', () => {
  it('give a single key the whole capacity', () => {
    const shares = createShares(3);
    expect([1, 2, 3, 4].map(() => shares.enter('a'))).toEqual([true, true, true, false]);
    shares.leave('a');
    expect([shares.enter('a'), shares.enter('a')]).toEqual([true, false]);
  });

  it('admit others while one key holds everything', () => {
    const shares = createShares(12);
    for (let time = 0; time < 12; time++) shares.enter('greedy');
    expect(Array.from({ length: 8 }, () => shares.enter('b')).filter(Boolean)).toHaveLength(6);
    expect(Array.from({ length: 8 }, () => shares.enter('c')).filter(Boolean)).toHaveLength(4);
    // A key above its quota is not admitted again while others wait.
    shares.leave('greedy');
    expect(shares.enter('greedy')).toBe(false);
  });

  it('weigh', () => {
    const shares = createShares(100);
    expect([shares.enter('a', 60), shares.enter('a', 50), shares.enter('a', 40)]).toEqual([true, false, true]);
    shares.leave('a', 60);
    expect(shares.enter('a', 50)).toBe(true);
  });

  it('never refuse below the capacity, or a key below an even share', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), isLeaving: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
        const shares = createShares(max);
        const held = new Map<string, number>();
        for (const { key, isLeaving } of steps) {
          const own = held.get(key) ?? 0;
          if (isLeaving) {
            if (own === 0) continue;
            shares.leave(key);
            held.set(key, own - 1);
          } else {
            const total = [...held.values()].reduce((sum, each) => sum + each, 0);
            const others = [...held].filter(([other, count]) => count > 0 && other !== key).length;
            const isEntitled = total < max || own + 1 <= max / (others + 1);
            const isTaken = shares.enter(key);
            expect(isTaken).toBe(isEntitled);
            if (isTaken) held.set(key, own + 1);
          }
        }
      }),
    );
  });
});
