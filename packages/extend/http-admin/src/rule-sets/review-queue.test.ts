import { Problem } from '@leeward/http';
import { describe, expect, it } from 'vitest';
import { createReviewQueue, type ReviewTenant } from './review-queue.ts';

const operator: ReviewTenant = { key: 'operator', isOperator: true };
const organization = (key: string): ReviewTenant => ({ key, isOperator: false });

/** A queue whose work ends by hand, in the order in which it began. */
function queueByHand(maxWaiting?: number) {
  const queue = createReviewQueue(maxWaiting === undefined ? {} : { maxWaiting });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    run: (name: string, tenant: ReviewTenant, signal?: AbortSignal) =>
      queue.run(tenant, signal, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      }),
    /** Ends the work that began first of those that have not ended, and lets the next begin. */
    async endOne() {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}

describe('The queue of reviews', () => {
  it('gives organizations one review each, round-robin', async () => {
    const { begun, run, endOne } = queueByHand();
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => run(name, organization(name[0]!)));
    for (const _ of all) await endOne();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    expect(await Promise.all(all)).toHaveLength(7);
  });

  it('runs any number of operators’ reviews first', async () => {
    const { begun, run, endOne } = queueByHand(1);
    const names = ['a1', 'a2', 'b1', ...Array.from({ length: 20 }, (_, index) => `operator ${index}`)];
    const all = names.map((name) => run(name, name.length > 2 ? operator : organization(name[0]!)));
    for (const _ of all) await endOne();
    expect(begun.slice(0, 2)).toEqual(['a1', 'operator 0']);
    expect(begun.slice(-2)).toEqual(['a2', 'b1']);
  });

  it('answers 429 with Retry-After only to an organization with too many reviews', async () => {
    const { begun, run, endOne } = queueByHand(2);
    const first = run('a1', organization('a'));
    const waiting = [run('a2', organization('a')), run('a3', organization('a'))];
    const refused = await run('a4', organization('a')).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({ code: 'rate_limited', options: { headers: { 'retry-after': '5' } } });
    const other = run('b1', organization('b'));
    await endOne();
    await first;
    // One of the three has begun, so that another may wait.
    const again = run('a5', organization('a'));
    for (let count = 0; count < 4; count++) await endOne();
    await Promise.all([...waiting, other, again]);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a5']);
  });

  it('never starts aborted work', async () => {
    const { begun, run, endOne } = queueByHand(2);
    const gone = new AbortController();
    const first = run('a1', organization('a'));
    const given = ['a2', 'a3'].map((name) =>
      run(name, organization('a'), gone.signal).catch((error: unknown) => error),
    );
    const reason = new Error('Gone.');
    gone.abort(reason);
    expect(await Promise.all(given)).toEqual([reason, reason]);
    await expect(run('a4', organization('a'), gone.signal)).rejects.toBe(reason);
    const last = run('a5', organization('a'));
    await endOne();
    await endOne();
    await Promise.all([first, last]);
    expect(begun).toEqual(['a1', 'a5']);
  });

  it('continues after failed work', async () => {
    const queue = createReviewQueue();
    const failed = queue.run(operator, undefined, () => Promise.reject(new Error('No.')));
    const next = queue.run(organization('a'), undefined, async () => 'done');
    await expect(failed).rejects.toThrow('No.');
    expect(await next).toBe('done');
  });
});
