import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

describe('createFairQueue', () => {
  const filled = () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1']) queue.push(item[0]!, item);
    return queue;
  };
  const drain = (queue: ReturnType<typeof filled>, isAllowed = (_: string) => true) => {
    const items: string[] = [];
    for (let item = queue.take(isAllowed); item !== undefined; item = queue.take(isAllowed)) items.push(item);
    return items;
  };

  it('takes one item of each tenant in rotation, in the order of each tenant', () => {
    expect(drain(filled())).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('skips items that are not allowed', () => {
    const queue = filled();
    expect(drain(queue, (item) => item.endsWith('2'))).toEqual(['a2']);
    expect(queue.size).toBe(3);
  });

  it('removes a waiting item once', () => {
    const queue = filled();
    expect([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('c', 'b1')]).toEqual([true, false, false]);
    expect(drain(queue)).toEqual(['a1', 'b1', 'a3']);
  });
});
