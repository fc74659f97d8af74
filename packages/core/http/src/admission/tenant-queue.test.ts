import { describe, expect, it } from 'vitest';
import { createTenantQueue, type TenantQueue } from './tenant-queue.ts';

const open = (maxWaitMs = 100) => createTenantQueue({ savedMs: 20, maxWaitMs });

/** Takes the next ticket and returns its tenant. */
function take(queue: TenantQueue, now = 0): string {
  const { tenant, start } = queue.takeNext(now);
  start();
  return tenant;
}

describe('a queue of tenants', () => {
  it('takes the tenant with the least work', () => {
    const queue = open();
    for (const tenant of ['a', 'a', 'a', 'b', 'b']) void queue.wait(tenant, true, 0);
    expect(take(queue)).toBe('a');
    queue.charge('a', 30, 0);
    expect([take(queue), take(queue)]).toEqual(['b', 'b']);
    queue.charge('b', 10, 0);
    expect([take(queue), take(queue), queue.size]).toEqual(['a', 'a', 0]);
  });

  it('takes tenants with the same work in turn', () => {
    const queue = open();
    for (const tenant of ['a', 'a', 'b', 'c']) void queue.wait(tenant, true, 0);
    expect([take(queue), take(queue), take(queue), take(queue)]).toEqual(['a', 'b', 'c', 'a']);
  });

  it('lets an idle tenant save up no more than its maximum', () => {
    const queue = open();
    void queue.wait('busy', true, 0);
    void queue.wait('busy', true, 0);
    take(queue);
    queue.charge('busy', 1_000, 0);
    take(queue);
    for (let ticket = 0; ticket < 3; ticket++) void queue.wait('busy', true, 0);
    for (let ticket = 0; ticket < 3; ticket++) void queue.wait('idle', true, 0);
    expect(take(queue)).toBe('idle');
    queue.charge('idle', 21, 0);
    expect(take(queue)).toBe('busy');
  });

  it('refuses only work that is still to begin, of a tenant that has been late for a while', async () => {
    const queue = open(100);
    const fresh = Array.from({ length: 40 }, () => queue.wait('a', false, 0));
    const begun = queue.wait('a', true, 0);
    const other = queue.wait('b', false, 490);
    take(queue, 150);
    while (queue.size > 0) take(queue, 500);
    expect(await begun).toBe(true);
    expect(await other).toBe(true);
    const accepted = await Promise.all(fresh);
    // The first 32 of a tenant are never refused.
    expect(accepted.map((each) => each).lastIndexOf(true)).toBe(31);
    expect(accepted.filter(Boolean)).toHaveLength(32);
  });

  it('accepts all work until it has recovered from a halt', async () => {
    const queue = open(100);
    const fresh = Array.from({ length: 40 }, () => queue.wait('a', false, 0));
    queue.forgiveHalt(0, 10, 2_000);
    take(queue, 150);
    while (queue.size > 0) take(queue, 1_000);
    expect((await Promise.all(fresh)).every(Boolean)).toBe(true);
  });
});
