import { expect, it } from 'vitest';
import { Queue } from './queue.ts';

it('returns items in order of arrival, and iterates over the remaining ones', () => {
  const queue = new Queue<number>();
  let [pushed, taken] = [0, 0];
  for (const [more, fewer] of [
    [3, 1],
    [0, 2],
    [5, 4],
    [9, 0],
    [1, 8],
    [0, 3],
  ] as const) {
    for (let each = 0; each < more; each++) queue.push(pushed++);
    for (let each = 0; each < fewer; each++) expect(queue.shift()).toBe(taken++);
    expect(queue.length).toBe(pushed - taken);
    expect([...queue]).toEqual(Array.from({ length: pushed - taken }, (_, index) => taken + index));
  }
});
