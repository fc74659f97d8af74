import { describe, expect, it } from 'vitest';
import { createBatchStep } from './batcher.ts';

describe('a batcher', () => {
  it('sends concurrent items together and later items in the next batch', async () => {
    const lists: number[][] = [];
    let open = () => {};
    const step = createBatchStep({ maxItems: 100, concurrency: 1 });
    const { add } = step.createBatcher<number, number>(async (items) => {
      lists.push([...items]);
      await new Promise<void>((resolve) => (open = resolve));
      return items.map((item) => item * 2);
    });
    const first = [1, 2, 3].map(add);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = [4, 5].map(add);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lists).toEqual([[1, 2, 3]]);
    open();
    expect(await Promise.all(first)).toEqual([2, 4, 6]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lists).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    open();
    expect(await Promise.all(second)).toEqual([8, 10]);
  });

  it('sends in step with its siblings and within its limits', async () => {
    let underWay = 0;
    let most = 0;
    const sizes: number[] = [];
    const step = createBatchStep({ maxItems: 4, concurrency: 2 });
    const run = async (items: readonly string[]) => {
      underWay++;
      most = Math.max(most, underWay);
      sizes.push(items.length);
      await new Promise((resolve) => setTimeout(resolve, 2));
      underWay--;
      return items;
    };
    const [a, b] = [step.createBatcher(run), step.createBatcher(run)];
    const items = Array.from({ length: 50 }, (_, index) => `${index}`);
    expect(await Promise.all(items.map((item, index) => (index % 2 ? a : b).add(item)))).toEqual(items);
    expect(Math.max(...sizes)).toBe(4);
    expect(most).toBe(4);
  });

  it('sends the first group earlier and separately', async () => {
    const step = createBatchStep({ maxItems: 4, concurrency: 1 });
    const sent: string[] = [];
    const batcher = (name: string, first: boolean) =>
      step.createBatcher<string, string>(
        async (items) => {
          sent.push(`${name}${items.length}`);
          return items;
        },
        { first },
      );
    const [later, urgent] = [batcher('later', false), batcher('urgent', true)];
    const items = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all([...items.map(later.add), ...items.map(urgent.add)]);
    expect(sent).toEqual(['urgent4', 'urgent2', 'later4', 'later2']);
  });

  it('fails only the item that cannot be processed', async () => {
    const step = createBatchStep({ maxItems: 100, concurrency: 1 });
    const { add } = step.createBatcher<number, number>(async (items) => {
      if (items.includes(13)) throw new Error('not thirteen');
      return items;
    });
    const results = await Promise.allSettled([12, 13, 14].map(add));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await add(15)).toBe(15);
  });
});
