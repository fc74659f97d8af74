import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { type Review, type ReviewInput, reviewRuleSet } from '@leeward/authoring';
import { createLeeward, type LeewardOptions } from '@leeward/http';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { describe, expect, it } from 'vitest';
import { claimsRuleSet } from '../../../../../test/support/claims-rule-set.ts';
import { sampleCatalog } from '../../../../../test/support/sample-catalog.ts';
import { createRulesPort } from '../rule-sets/rules-port.ts';
import { administrationRoutes } from './administration.ts';

const host = { system: 'a test' };

type Answer = Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }>;

/** A review that has begun and ends by hand. */
interface Begun {
  readonly carrierKey: string;
  readonly signal: AbortSignal;
  end(): Promise<void>;
}

/** A service whose reviews end by hand, with two organizations. */
async function serviceByHand(options: Partial<LeewardOptions> = {}) {
  const catalog = sampleCatalog();
  const store = createMemoryStore();
  const begun: Begun[] = [];
  const clock = { ms: Date.UTC(2026, 10, 20, 12) };
  const review = (input: ReviewInput, { signal }: { readonly signal?: AbortSignal | undefined } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Review>();
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    begun.push({
      carrierKey: (input.file as { carrier: { key: string } }).carrier.key,
      signal: signal!,
      async end() {
        resolve(await reviewRuleSet(input));
        await new Promise(setImmediate);
      },
    });
    return promise;
  };
  const replayed = { homes: 0, changed: 0, changed_since: 0, by_move: {}, by_code: {}, by_rule: {}, by_state: {} };
  const replay = async () => ({ faults: [], replayed: { ...replayed, not_judged: [], changes: [] } });
  const accounts = createAccounts({
    store,
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map(({ key }) => key)),
    now: () => clock.ms,
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(catalog, { thread: { review, replay } }) });
  const operations = [...accounts.administration.operations, ...registry.administration.operations];
  const { organizations, tokens } = accounts.administration;
  const leeward = createLeeward({
    directory: accounts.directory,
    routes: [administrationRoutes({ operations })],
    ...options,
  });
  const organization = async (name: string) => {
    const { organization_id } = await organizations.create.run(host, { name });
    const { token } = await tokens.create.run(host, { organization_id, scopes: ['admin', 'approve'] });
    const send = async (path: string, body: object, init: RequestInit = {}): Answer => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
      const request = new Request(`https://host.example/v1/admin/${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        ...init,
        headers,
      });
      const response = await leeward.fetch(request);
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Record<string, unknown>,
      };
    };
    const propose = (key: string, init: RequestInit = {}, version = '1') =>
      send('rule-sets/propose', { rule_set: claimsRuleSet({ key, version }) }, init);
    return { organization_id, send, propose };
  };
  return {
    clock,
    begun,
    ours: await organization('Ours'),
    theirs: await organization('Theirs'),
    /** Waits until so many reviews have begun. */
    reach: (count: number) => expect.poll(() => begun.length, { timeout: 30_000 }).toBe(count),
    stored: () => store.reader.count('rule_sets', {}),
  };
}

/** Maximum number of iterations of the event loop until a request reaches its review. */
async function arrival(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
}

describe('Proposals of rule sets', () => {
  it('answers another organization after one review of the first, and refuses excess ones', async () => {
    const { begun, ours, theirs, reach, stored } = await serviceByHand();
    const heavy: Answer[] = [];
    for (let index = 0; index < 10; index++) heavy.push(ours.propose(`heavy_${index}`));
    await reach(1);
    const settled = await Promise.race([
      Promise.all(heavy.slice(4)),
      // The four that are reviewed or wait are not answered yet.
      Promise.any(heavy.slice(0, 4)).then(() => []),
    ]);
    expect(settled.map(({ status, headers, body }) => [status, headers.get('retry-after'), body['code']])).toEqual(
      Array.from({ length: 6 }, () => [429, '5', 'rate_limited']),
    );
    expect(await stored()).toBe(0);
    const small = theirs.propose('small');
    await arrival();
    // Two are under way in turn: the one that is reviewed, and the next that came before the other organization.
    for (const next of [2, 3]) {
      await begun.at(-1)!.end();
      await reach(next);
    }
    expect(begun.map(({ carrierKey }) => carrierKey)).toEqual(['heavy_0', 'heavy_1', 'small']);
    await begun.at(-1)!.end();
    expect((await small).status).toBe(200);
    for (const next of [4, 5]) {
      await reach(next);
      await begun.at(-1)!.end();
    }
    expect((await Promise.all(heavy.slice(0, 4))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await stored()).toBe(5);
  });

  it('do not delay reading, withdrawing and approving', async () => {
    const { begun, ours, theirs, reach } = await serviceByHand();
    const first = ours.propose('first');
    await reach(1);
    await begun[0]!.end();
    const { rule_set_id } = (await first).body;
    const waiting = ours.propose('second');
    await reach(2);
    for (const path of ['rule-sets/status', 'rule-sets/list']) {
      for (const { send } of [ours, theirs]) expect((await send(path, {})).status).toBe(200);
    }
    const own = await ours.send('rule-sets/approve', { rule_set_id, revision: 1 });
    expect([own.status, (own.body['errors'] as { code: string }[])[0]?.code]).toEqual([403, 'own_approval']);
    expect((await ours.send('rule-sets/withdraw', { rule_set_id })).status).toBe(200);
    await begun[1]!.end();
    expect((await waiting).status).toBe(200);
  });

  it('store nothing if the caller has gone during or before the review', async () => {
    const { begun, ours, theirs, reach, stored } = await serviceByHand();
    const gone = new AbortController();
    const given = [1, 2, 3].map((number) => ours.propose(`given_${number}`, { signal: gone.signal }));
    await reach(1);
    gone.abort();
    await Promise.allSettled(given);
    expect(begun[0]!.signal.aborted).toBe(true);
    const after = theirs.propose('after');
    await reach(2);
    expect(begun[1]!.carrierKey).toBe('after');
    await begun[0]!.end();
    expect(await stored()).toBe(0);
    await begun[1]!.end();
    expect((await after).status).toBe(200);
    expect(await stored()).toBe(1);
  });

  it('store nothing if they are answered 503', async () => {
    const { begun, ours, reach, stored } = await serviceByHand({ requestTimeoutMs: 100 });
    const late = await ours.propose('late');
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    await reach(1);
    expect(begun[0]!.signal.aborted).toBe(true);
    await begun[0]!.end();
    expect(await stored()).toBe(0);
  });

  it('are created once for an Idempotency-Key, for a day', async () => {
    const { begun, clock, ours, theirs, reach, stored } = await serviceByHand();
    const keyed = { headers: { 'idempotency-key': 'one' } };
    const first = ours.propose('own', keyed);
    await reach(1);
    const second = ours.propose('own', keyed);
    await arrival();
    await begun[0]!.end();
    await reach(2);
    await begun[1]!.end();
    const id = (await first).body['rule_set_id'];
    expect((await second).body['rule_set_id']).toBe(id);
    expect((await ours.propose('own', keyed)).body).toMatchObject({ rule_set_id: id, revision: 1 });
    expect(await stored()).toBe(1);
    const other = await ours.propose('own', keyed, '2');
    expect([other.status, other.body['code']]).toEqual([409, 'idempotency_conflict']);
    expect((await ours.propose('own', { headers: { 'idempotency-key': 'é' } })).status).toBe(422);
    // Another organization's key is another one.
    const their = theirs.propose('their_own', keyed, '2');
    await reach(3);
    await begun[2]!.end();
    expect((await their).status).toBe(200);
    clock.ms += 86_400_000;
    const later = ours.propose('own', keyed, '2');
    await reach(4);
    await begun[3]!.end();
    expect((await later).status).toBe(200);
    expect(await stored()).toBe(3);
  });
});
