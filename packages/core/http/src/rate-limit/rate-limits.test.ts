import { expect, it } from 'vitest';
import { Problem } from '../problem/problem.ts';
import { createMemoryRateLimitStore } from './memory-store.ts';
import { createRateLimiter, type RateLimits } from './rate-limiter.ts';

const nothing: RateLimits = { token: undefined, organization: undefined, items: undefined };

function limiterOf(limits: Partial<RateLimits>) {
  const clock = { ms: 1_000_000 };
  const limiter = createRateLimiter({ ...nothing, ...limits }, createMemoryRateLimitStore({ nowMs: () => clock.ms }));
  return { clock, limiter };
}

async function refusal(count: () => unknown): Promise<Problem> {
  const refused: unknown = await (async () => count())().catch((error: unknown) => error);
  if (!(refused instanceof Problem)) throw new Error('It was not refused.');
  return refused;
}

it('names the limit, what is left and when to come again', async () => {
  const { limiter, clock } = limiterOf({ token: { perMinute: 6, burst: 1 } });
  const caller = { tokenId: 'a', organizationId: 'org' };
  expect(await limiter.countRequest(caller)).toEqual({
    'ratelimit-policy': '"sustained";q=6;w=60, "burst";q=1;w=10',
    ratelimit: '"burst";r=0;t=10',
  });
  clock.ms += 2_500;
  expect(await refusal(() => limiter.countRequest(caller))).toMatchObject({
    code: 'rate_limited',
    options: { headers: { 'retry-after': '8' } },
  });
});

it('counts the tokens of an organization together, however many it has, and no other’s', async () => {
  const { limiter } = limiterOf({ token: { perMinute: 60, burst: 2 }, organization: { perMinute: 60, burst: 3 } });
  const ask = (tokenId: string, organizationId: string | null = 'org') =>
    limiter.countRequest({ tokenId, organizationId });
  expect((await ask('a'))['ratelimit']).toBe('"burst";r=1;t=1');
  expect((await ask('b'))['ratelimit']).toBe('"burst";r=1;t=1');
  expect((await ask('c'))['ratelimit']).toBe('"organization-burst";r=0;t=3');
  const refused = await refusal(() => ask('d'));
  expect(refused.message).toContain('All tokens of this organization together');
  expect(refused.options.headers?.['ratelimit-policy']).toBe(
    '"sustained";q=60;w=60, "burst";q=2;w=2, "organization";q=60;w=60, "organization-burst";q=3;w=3',
  );
  expect(await ask('e', 'other')).toBeTruthy();
  for (let time = 0; time < 2; time++) expect(await ask('operator', null)).toBeTruthy();
  expect((await refusal(() => ask('operator', null))).message).toContain('This token');
});

it('counts items of a token and of its organization alike; a full batch fits an unused limit', async () => {
  const { limiter, clock } = limiterOf({ items: { perMinute: 60_000, burst: 5_000 } });
  const take = (items: number, tokenId: string, organizationId = 'org') =>
    limiter.countItems({ tokenId, organizationId }, items);
  expect(await take(1_000, 'a')).toEqual({
    'ratelimit-policy': '"items";q=60000;w=60, "items-burst";q=5000;w=5',
    ratelimit: '"items-burst";r=4000;t=1',
  });
  for (const token of ['b', 'c', 'd', 'e']) await take(1_000, token);
  const refused = await refusal(() => take(1_000, 'f'));
  expect(refused.message).toContain('All tokens of this organization together');
  expect(refused.options.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"items-burst";r=0;t=5' });
  expect(await take(1_000, 'g', 'other')).toBeTruthy();
  clock.ms += 1_000;
  expect(await take(1_000, 'f')).toBeTruthy();

  const small = limiterOf({ items: { perMinute: 60, burst: 60 } });
  expect((await small.limiter.countItems({ tokenId: 'a', organizationId: null }, 1_000))['ratelimit']).toBe(
    '"items-burst";r=0;t=60',
  );
});

it('counts nothing where there is no limit', async () => {
  const { limiter } = limiterOf({});
  const caller = { tokenId: 'a', organizationId: 'org' };
  expect(await limiter.countRequest(caller)).toEqual({});
  expect(await limiter.countItems(caller, 1_000_000)).toEqual({});
});
