import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inOrder } from './in-order.ts';
import { limitAtOnce } from './limit-at-once.ts';

async function* count(to: number): AsyncGenerator<number> {
  for (let item = 0; item < to; item += 1) yield item;
}

describe('inOrder', () => {
  it('gives every result once and in order, though the work ends in any', async () => {
    let ahead = 0;
    let most = 0;
    const work = async (item: number) => {
      ahead += 1;
      most = Math.max(most, ahead);
      await sleep((item * 7) % 5);
      return item;
    };
    const batches: number[][] = [];
    for await (const batch of inOrder(count(100), work, 8)) {
      ahead -= batch.length;
      batches.push(batch);
    }
    expect(batches.flat()).toEqual(Array.from({ length: 100 }, (_, index) => index));
    expect(most).toBeLessThanOrEqual(8);
    expect(most).toBeGreaterThan(1);
  });

  it('yields the values before a failure, then throws it', async () => {
    const work = async (item: number) => {
      if (item === 5) throw new Error('five');
      return item;
    };
    const seen: number[] = [];
    const run = async () => {
      for await (const batch of inOrder(count(20), work, 4)) seen.push(...batch);
    };
    await expect(run()).rejects.toThrow('five');
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('limitAtOnce', () => {
  it('lets no more than so many run, and all of them in the end, also behind failures', async () => {
    const limit = limitAtOnce(3);
    let running = 0;
    let most = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        limit(async () => {
          running += 1;
          most = Math.max(most, running);
          await sleep(1);
          running -= 1;
          if (index % 4 === 0) throw new Error('no');
          return index;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(15);
  });
});
