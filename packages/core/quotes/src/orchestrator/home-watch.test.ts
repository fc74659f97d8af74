import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '@leeward/terms';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { HomeStatus, HomeVerdicts } from '../ports/home-verdicts.ts';
import type { HomeEventMessage } from '../present/event.ts';
import type { Quotes } from '../service/quotes.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { openFieldKeys } from '../store/open-field-keys.ts';
import { SqlQuoteStore } from '../store/sql-quote-store.ts';
import type { QuoteTables, WatchedHomeRow } from '../store/tables.ts';
import { changesOf } from '../store/watched-homes.ts';
import { createBench, engines, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';
import { teamsFor } from '../testing/teams-for.ts';
import { openErasures } from './erasures.ts';
import { createHomeWatch } from './home-watch.ts';
import type { QuoteEvent } from './quote-event.ts';

const carriers = () => [scriptedCarrier(async () => ({ outcome: 'declined' }))];
const home = { state: 'fl', address: '48213 Marrowbone Causeway, Ocala FL 34471' };

/** Rules by hand, shared by all processes: the status of one carrier for every home. */
function createRules() {
  const state = {
    stamp: 1 as number | undefined,
    status: 'ineligible' as HomeStatus,
    fails: (_home: JsonObject) => false,
    isUnavailable: false,
    evaluated: 0,
    onEvaluate: async () => {},
  };
  const verdicts: HomeVerdicts = {
    stamp: async () => state.stamp?.toString(),
    async evaluate(_teamId, each) {
      await state.onEvaluate();
      state.evaluated++;
      if (state.fails(each)) throw new Error('secret values of the home');
      if (state.isUnavailable) return undefined;
      return [{ carrierKey: 'bayou', carrier: 'Bayou', policyType: 'ho3', status: state.status, reason: 'Roof.' }];
    },
  };
  return {
    state,
    verdicts,
    activate(status: HomeStatus) {
      state.status = status;
      state.stamp = (state.stamp ?? 0) + 1;
    },
  };
}

async function createReceiver() {
  const taken: { id: string; body: HomeEventMessage }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    taken.push({ id: String(request.headers['webhook-id']), body: JSON.parse(text) as HomeEventMessage });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    taken,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const watch = async (quotes: Quotes, reference: string, teamId = 'team-1') =>
  (await quotes.watchedHomes!.create(teamId, { reference, home })).watched_home_id;

const checked = (events: readonly QuoteEvent[]) =>
  events.flatMap((event) => (event.type === 'homes_checked' ? [event] : []));

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`watched homes on ${engine.title}`, { concurrent: true }, () => {
    /** Watchers without timers: a test runs their passes. */
    const open = async (rules = createRules()) => {
      const bench = await createBench(engine, carriers(), { homeVerdicts: rules.verdicts, work: false });
      const watcher = async (verdicts = rules.verdicts, leaseMs = 15_000) => {
        const database = await bench.place.open({ migrations: [quoteMigrations] });
        const store = new SqlQuoteStore({ database });
        const options = { store, verdicts, listener: (event: QuoteEvent) => bench.events.push(event), wake() {} };
        return { store, ...createHomeWatch({ ...options, everyMs: 1, leaseMs }) };
      };
      const changesOfTeam = async (teamId = 'team-1') => {
        const { watched_homes } = await bench.quotes.watchedHomes!.list(teamId, { limit: 200 });
        return watched_homes.map(({ reference, last_change }) => [reference, last_change?.changes[0]?.status_after]);
      };
      return { rules, bench, watcher, changesOfTeam };
    };
    const eventsOf = async (store: SqlQuoteStore, id: string) => store.readOutbox([{ quoteId: id, after: 0 }], 50);

    it('report a change once to the team’s webhook, though three processes watch, and nothing to other teams', async () => {
      await using receiver = await createReceiver();
      const rules = createRules();
      await using bench = await createBench(engine, carriers(), {
        homeVerdicts: rules.verdicts,
        allowPrivateWebhooks: true,
      });
      for (const each of [await bench.join(), await bench.join()]) await each.start();
      await bench.quotes.webhooks.create('team-1', { url: receiver.url });
      const id = await watch(bench.quotes, 'customer 4711');
      await watch(bench.quotes, 'of others', 'team-2');
      rules.activate('eligible');
      await eventually(
        async () => receiver.taken.length > 0 && checked(bench.events).reduce((sum, each) => sum + each.homes, 0) >= 2,
        () => JSON.stringify(bench.events),
        60_000,
      );
      expect(receiver.taken).toEqual([
        {
          id: `${id}_1`,
          body: {
            type: 'home.verdicts_changed',
            timestamp: expect.any(String),
            data: {
              watched_home_id: id,
              reference: 'customer 4711',
              number: 1,
              changes: [
                {
                  carrier_key: 'bayou',
                  carrier: 'Bayou',
                  policy_type: 'ho3',
                  status_before: 'ineligible',
                  status_after: 'eligible',
                  reason: 'Roof.',
                },
              ],
            },
          },
        },
      ]);
    });

    it('cost nothing if no home is watched', async () => {
      const { rules, bench, watcher } = await open();
      await using _ = bench;
      rules.state.stamp = undefined;
      await (await watcher()).check();
      expect([rules.state.evaluated, bench.events]).toEqual([0, []]);
    });

    it('continue after a stop in the middle, and evaluate every home once for each change', async () => {
      const { rules, bench, watcher, changesOfTeam } = await open();
      await using _ = bench;
      for (let each = 0; each < 45; each++) await watch(bench.quotes, `home ${each}`);
      rules.activate('eligible');
      rules.state.evaluated = 0;
      const first = await watcher();
      let stopping: Promise<void> | undefined;
      rules.state.onEvaluate = async () => {
        if (rules.state.evaluated === 30) stopping ??= first.stop();
      };
      await first.check();
      await stopping;
      const done = (await changesOfTeam()).filter(([, status]) => status === 'eligible');
      expect(done.length).toBeGreaterThanOrEqual(20);
      expect(done.length).toBeLessThan(45);
      const second = await watcher();
      await eventually(
        async () => {
          await second.check();
          return (await changesOfTeam()).every(([, status]) => status === 'eligible');
        },
        () => 'not continued',
        30_000,
      );
      for (const { watched_home_id: id } of (await bench.quotes.watchedHomes!.list('team-1', { limit: 200 }))
        .watched_homes) {
        expect((await eventsOf(second.store, id)).map(({ number }) => number)).toEqual([1]);
      }
    });

    it('drop the results of a process whose lease another one took over', async () => {
      const { rules, bench, watcher } = await open();
      await using _ = bench;
      const id = await watch(bench.quotes, 'slow');
      const slow = await watcher(
        {
          stamp: async () => '2',
          async evaluate() {
            await new Promise((resolve) => setTimeout(resolve, 1_000));
            return [{ carrierKey: 'bayou', carrier: 'Bayou', policyType: 'ho3', status: 'referral' }];
          },
        },
        100,
      );
      rules.activate('eligible');
      const late = slow.check();
      const other = await watcher();
      await eventually(
        async () => {
          await other.check();
          return (await eventsOf(other.store, id)).length > 0;
        },
        () => 'not taken over',
        30_000,
      );
      await late;
      const events = await eventsOf(other.store, id);
      expect(events.flatMap(({ changes = [] }) => changes.map(({ after }) => after))).toEqual(['eligible']);
    });

    it('are not evaluated in turn by processes with different rules', async () => {
      const { rules, bench, watcher } = await open();
      await using _ = bench;
      const id = await watch(bench.quotes, 'released');
      const old = await watcher();
      const next = createRules();
      next.activate('eligible');
      next.activate('eligible');
      const released = await watcher(next.verdicts);
      rules.activate('referral');
      for (let round = 0; round < 5; round++) {
        await old.check();
        await released.check();
      }
      const reported = async () =>
        (await eventsOf(old.store, id)).flatMap(({ changes = [] }) => changes.map(({ after }) => after));
      expect(await reported()).toEqual(['referral']);
      await old.stop();
      await eventually(
        async () => {
          await released.check();
          return (await reported()).length > 1;
        },
        () => 'not taken over',
        30_000,
      );
      expect(await reported()).toEqual(['referral', 'eligible']);
    });

    it('evaluate by the last of two activations, and record one change', async () => {
      const { rules, bench, watcher } = await open();
      await using _ = bench;
      const id = await watch(bench.quotes, 'twice');
      const own = await watcher();
      rules.activate('referral');
      let isFirst = true;
      rules.state.onEvaluate = async () => {
        if (isFirst) rules.activate('eligible');
        isFirst = false;
      };
      await eventually(
        async () => {
          await own.check();
          return (await eventsOf(own.store, id)).length > 0;
        },
        () => 'not evaluated',
        30_000,
      );
      await own.check();
      const events = await eventsOf(own.store, id);
      expect(events.map(({ changes = [] }) => changes.map(({ before, after }) => `${before} ${after}`))).toEqual([
        ['ineligible eligible'],
      ]);
    });

    it('stay removed if they are removed during an evaluation', async () => {
      const { rules, bench, watcher } = await open();
      await using _ = bench;
      const id = await watch(bench.quotes, 'gone');
      await watch(bench.quotes, 'stays');
      rules.activate('eligible');
      const own = await watcher();
      rules.state.onEvaluate = async () => {
        await bench.quotes.watchedHomes!.remove('team-1', id);
      };
      await own.check();
      expect(await bench.quotes.watchedHomes!.read('team-1', id)).toBeUndefined();
      expect(await eventsOf(own.store, id)).toEqual([]);
      expect((await bench.quotes.watchedHomes!.list('team-1')).watched_homes).toMatchObject([
        { reference: 'stays', last_change: { changes: [{ status_after: 'eligible' }] } },
      ]);
    });

    it('keep their verdicts while something is unavailable, and do not hold up others that can be evaluated', async () => {
      const { rules, bench, watcher, changesOfTeam } = await open();
      await using _ = bench;
      const broken = await bench.quotes.watchedHomes!.create('team-1', { reference: 'broken', home: { state: 'tx' } });
      await watch(bench.quotes, 'fine');
      rules.activate('eligible');
      rules.state.isUnavailable = true;
      await (await watcher()).check();
      expect((await changesOfTeam()).map(([, status]) => status)).toEqual([undefined, undefined]);
      rules.state.isUnavailable = false;
      rules.state.fails = ({ state }) => state === 'tx';
      const own = await watcher();
      await eventually(
        async () => {
          await own.check();
          return (await changesOfTeam())[0]?.[1] === 'eligible';
        },
        () => 'held up',
        30_000,
      );
      expect(await bench.quotes.watchedHomes!.read('team-1', broken.watched_home_id)).toMatchObject({
        last_change: null,
      });
      expect(bench.events.map(String).join()).not.toContain('secret');
      expect(JSON.stringify(bench.events.map((event) => ('error' in event ? String(event.error) : event)))).not.toMatch(
        /secret|marrowbone/i,
      );
    });

    it('belong to their team, in pages, up to a maximum', async () => {
      const { bench } = await open();
      await using _ = bench;
      const homes = bench.quotes.watchedHomes!;
      const ids: string[] = [];
      for (const reference of ['a', 'b', 'c']) ids.unshift(await watch(bench.quotes, reference));
      for (const id of [ids[0]!, 'unknown', '', "1' OR '1'='1", '\u0000']) {
        expect(await homes.read('team-2', id)).toBeUndefined();
        expect(await homes.remove('team-2', id)).toBe(false);
      }
      expect(await homes.list('team-2')).toEqual({ watched_homes: [], next: null });
      const first = await homes.list('team-1', { limit: 2 });
      const second = await homes.list('team-1', { limit: 2, cursor: first.next! });
      expect([...first.watched_homes, ...second.watched_homes].map((each) => each.watched_home_id)).toEqual(ids);
      expect(second.next).toBeNull();
      expect(await homes.read('team-1', ids[0]!)).toMatchObject({ home: null });
      expect(await homes.read('team-1', ids[0]!, { showsHome: true })).toMatchObject({ home });
      const store = new SqlQuoteStore({ database: await bench.place.open({ migrations: [quoteMigrations] }) });
      const unevaluated = { verdicts: undefined, stamp: undefined };
      const row = { id: 'x', teamId: 'team-1', reference: 'x', home, quoteId: undefined, ...unevaluated };
      expect(await store.createWatchedHome(row, 3)).toBe('too_many');
      expect(await store.createWatchedHome(row, 4)).toBe('created');
      for (const [reference, body, path] of [
        ['', home, '/reference'],
        ['x'.repeat(201), home, '/reference'],
        ['x', 'a home', '/home'],
        ['x', { ...home, as_of: '2026-01-01' }, '/home/as_of'],
      ] as const) {
        await expect(homes.create('team-1', { reference, home: body })).rejects.toMatchObject({ faults: [{ path }] });
      }
    });

    it('are removed with the personal data of their quote, and again after a restore', async () => {
      const { bench } = await open();
      await using _ = bench;
      const { quotes } = bench;
      const homes = quotes.watchedHomes!;
      const database = await bench.place.open({ migrations: [quoteMigrations] });
      const db = database.tables();
      const quoteOf = async (email: string) => {
        const fields = { ...exampleFields, insured_email: email };
        return quotes.create('team-1', { ...exampleBody, form_types: ['ho3'], fields });
      };
      const watchOf = async (quoteRequestId: string, teamId = 'team-1') =>
        homes.create(teamId, { reference: quoteRequestId, home, quoteRequestId });
      const [single, person, old, finished, other] = [
        await quoteOf('one@example.com'),
        await quoteOf('gone@example.com'),
        await quoteOf('old@example.com'),
        await quoteOf('finished@example.com'),
        await quoteOf('two@example.com'),
      ].map((quote) => quote.quote_request_id) as [string, string, string, string, string];
      const { service_quote_id } = (await quotes.status('team-1', person))!;
      for (const id of [single, service_quote_id, person, old, finished, other]) await watchOf(id);
      const unlinked = await watch(quotes, 'without a quote');
      const removed = await watch(quotes, 'removed by its team');
      const left = async () =>
        (await homes.list('team-1')).watched_homes.map((each) => each.quote_request_id).reverse();
      expect(await left()).toEqual([single, person, person, old, finished, other, null, null]);
      for (const [id, teamId] of [
        ['unknown', 'team-1'],
        [single, 'team-2'],
      ] as const) {
        const faults = [{ path: '/quote_request_id', code: 'unknown_quote' }];
        await expect(watchOf(id, teamId)).rejects.toMatchObject({ faults });
      }
      const { rows: backup } = await sql<{ id: string; fields: string }>`select id, fields from quote_request`.execute(
        db,
      );
      const { rows: homesBefore } = await sql<WatchedHomeRow>`select * from quote_watched_home`.execute(db);

      expect(await homes.remove('team-1', removed)).toBe(true);
      expect(await homes.remove('team-1', removed)).toBe(false);
      await quotes.erase('team-1', single);
      expect(await left()).toEqual([person, person, old, finished, other, null]);
      await expect(watchOf(single)).rejects.toMatchObject({ faults: [{ code: 'unknown_quote' }] });
      expect((await quotes.eraseInsured('team-1', { insured_email: 'gone@example.com' })).erased).toEqual([person]);
      expect(await left()).toEqual([old, finished, other, null]);
      // Older than the quotes of this test by 80 days.
      const eightyDays = 80 * 86_400_000_000;
      await sql`update quote_request set created_at = created_at - ${sql.lit(eightyDays)} where id = ${old}`.execute(
        db,
      );
      const [{ watched_until } = { watched_until: '' }] = (await homes.list('team-1')).watched_homes.filter(
        (each) => each.quote_request_id === old,
      );
      expect(Date.parse(watched_until) - Date.now()).toBeLessThan(11 * 86_400_000);
      const store = new SqlQuoteStore({ database });
      await store.eraseQuotes(await store.findOlderThan(70 * 86_400_000, 10));
      expect(await left()).toEqual([finished, other, null]);
      expect((await eventsOf(store, unlinked)).length).toBe(0);

      // A backup from before the erasures.
      const erasures = await openErasures({ database, encryption: undefined }).list();
      for (const { id, fields } of backup.filter((each) => [single, person].includes(each.id))) {
        await sql`update quote_request set fields = ${fields}, erased_at = null where id = ${id}`.execute(db);
      }
      const restored = homesBefore.filter((each) => each.id === removed || [single, person].includes(each.quote_id!));
      await database.tables<QuoteTables>().insertInto('quote_watched_home').values(restored).execute();
      expect((await left()).length).toBe(7);
      expect(await openErasures({ database, encryption: undefined }).replay(erasures)).toMatchObject({ quotes: 2 });
      expect(await left()).toEqual([finished, other, null]);

      await quotes.cancel('team-1', finished);
      await store.deleteFinished({ ageMs: 0, after: undefined, limit: 10 });
      expect(await left()).toEqual([other, null]);
    });

    it('are sealed, sealed again under a new key, and erased with a removed team or after the days of personal data', async () => {
      const rules = createRules();
      const key = (id: string) => ({ id, key: Buffer.alloc(32, id) });
      await using bench = await createBench(engine, carriers(), {
        homeVerdicts: rules.verdicts,
        work: false,
        encryption: { current: key('k1') },
      });
      const id = await watch(bench.quotes, 'sealed');
      const database = await bench.place.open({ migrations: [quoteMigrations] });
      const { rows } = await database
        .tables<{ quote_watched_home: { content: string; verdicts: string } }>()
        .selectFrom('quote_watched_home')
        .selectAll()
        .execute()
        .then((all) => ({ rows: JSON.stringify(all) }));
      expect(rows).not.toMatch(/marrowbone|sealed"/i);
      const encryption = { current: key('k2'), previous: [key('k1')] };
      await openFieldKeys({ database, encryption }).reencrypt();
      const later = new SqlQuoteStore({ database, encryption: { current: key('k2') } });
      expect(await later.readWatchedHomes({ teamId: 'team-1', id, limit: 1 })).toMatchObject([
        { content: { reference: 'sealed', home } },
      ]);
      expect(await later.removeWatchedHomes({ ageMs: 3_600_000 })).toBe(0);
      expect(await later.removeWatchedHomes({ ageMs: -60_000 })).toBe(1);
      const removed = await watch(bench.quotes, 'of a removed team');
      const isRemoved = async () => true;
      await (await bench.join({ teams: { ...teamsFor([]), isRemoved } })).eraseRemovedTeams();
      expect(await bench.quotes.watchedHomes!.read('team-1', removed)).toBeUndefined();
      expect(await bench.quotes.watchedHomes!.read('team-1', id)).toBeUndefined();
    });
  });
}

const sqlite = engines.find(({ title }) => title === 'SQLite')!;

it('10,000 homes are evaluated again in slices that let other work run', async () => {
  const rules = createRules();
  await using bench = await createBench(sqlite, carriers(), { homeVerdicts: rules.verdicts, work: false });
  const database = await bench.place.open({ migrations: [quoteMigrations] });
  const store = new SqlQuoteStore({ database });
  const verdicts = JSON.stringify(await rules.verdicts.evaluate('team-1', home));
  const content = JSON.stringify({ reference: 'one of many', home });
  const numbered = sql`with recursive n (i) as (select 0 union all select i + 1 from n where i < 9999)`;
  const db = database.tables<object>();
  await sql`
    insert into quote_watched_home (id, team_id, content, verdicts, stamp, revision, created_at)
    ${numbered} select 'home-' || i, 'team-' || (1 + i % 3), ${content}, ${verdicts}, '1', 0, 0 from n`.execute(db);
  await sql`
    insert into quote_progress (quote_id, team_id, last_event, open_rates)
    ${numbered} select 'home-' || i, 'team-' || (1 + i % 3), 0, 0 from n`.execute(db);
  rules.activate('eligible');
  rules.state.evaluated = 0;
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const watcher = createHomeWatch({
    store,
    verdicts: rules.verdicts,
    listener: (event) => bench.events.push(event),
    wake() {},
  });
  await watcher.check();
  isDone = true;
  expect(checked(bench.events)).toMatchObject([{ homes: 10_000, changed: 10_000, failed: 0 }]);
  expect(rules.state.evaluated).toBe(10_000);
  // Other work ran after nearly every home.
  expect(turns).toBeGreaterThan(10_000 * 0.9);
}, 300_000);

it('changes are the differences of two evaluations', () => {
  const of = (carrierKey: string, status: HomeStatus) => ({
    carrierKey,
    carrier: carrierKey,
    policyType: 'ho3',
    status,
  });
  const before = [of('a', 'eligible'), of('b', 'ineligible'), of('c', 'referral')];
  const after = [of('d', 'eligible'), of('b', 'needs_information'), of('c', 'referral')];
  expect(changesOf(before, after).map(({ carrierKey, before, after }) => [carrierKey, before, after])).toEqual([
    ['d', 'not_offered', 'eligible'],
    ['b', 'ineligible', 'needs_information'],
    ['a', 'eligible', 'not_offered'],
  ]);
  expect(changesOf(after, after)).toEqual([]);
});
