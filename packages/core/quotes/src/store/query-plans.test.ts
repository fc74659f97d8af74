import type { Database } from '@leeward/database';
import { CompiledQuery, type KyselyPlugin, sql, type Transaction } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../testing/bench.ts';
import { newQuote, takeRates } from '../testing/store-bench.ts';
import { quoteMigrations } from './migrations.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';

const DAY_MS = 86_400_000;
const TEAMS = 20;
const RATES_A_TEAM = 250;
const MAX_ROWS = 300;

function recorded(database: Database): { readonly database: Database; readonly statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  const executor = database.tables().getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(executor.compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    statements,
    database: {
      ...database,
      tables: <Tables>() => database.tables<Tables>().withPlugin(plugin),
      transaction: <Tables, Result>(work: (tx: Transaction<Tables>) => Promise<Result>) =>
        database.transaction<Tables, Result>((tx) => work(tx.withPlugin(plugin))),
    },
  };
}

/** Scans of growing tables. Ready and closed rates have separate indexes and are read completely. */
async function scansOfSqlite(database: Database, statement: CompiledQuery): Promise<string[]> {
  const query = CompiledQuery.raw(`explain query plan ${statement.sql}`, [...statement.parameters]);
  const { rows } = await database.tables().executeQuery<{ detail: string }>(query);
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN quote_(?!carrier_rest|carrier_team|process|webhook\b|clock|carrier_quota)/.test(detail))
    .filter((detail) => !/USING (COVERING )?INDEX quote_rate_(closed|ready)/.test(detail));
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

async function scansOfPostgres(database: Database, statement: CompiledQuery): Promise<string[]> {
  const query = CompiledQuery.raw(`explain (analyze, format json) ${statement.sql}`, [...statement.parameters]);
  const rolledBack = new Error('Rolled back.');
  let plans: readonly { Plan: Plan }[] = [];
  await database
    .transaction(async (tx) => {
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': readonly { Plan: Plan }[] | string }>(query);
      const plan = rows[0]!['QUERY PLAN'];
      plans = typeof plan === 'string' ? (JSON.parse(plan) as { Plan: Plan }[]) : plan;
      throw rolledBack;
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
  const scansOf = (plan: Plan): string[] => {
    const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    const isMuch = plan['Relation Name'] !== undefined && rows > MAX_ROWS;
    return [
      ...(isMuch ? [`${plan['Relation Name']}: ${rows} rows`] : []),
      ...(plan.Plans ?? []).flatMap((inner) => scansOf(inner)),
    ];
  };
  return plans.flatMap((plan) => scansOf(plan.Plan));
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`repeated queries, on ${engine.title}`, () => {
    it('read only due rates and old quotes', { timeout: 120_000 }, async () => {
      await using place = await engine.createPlace();
      const { database, statements } = recorded(await place.open({ migrations: [quoteMigrations] }));
      const store = new SqlQuoteStore({ database });
      for (let team = 0; team < TEAMS; team++) {
        const quote = newQuote(`team-${team}`, 'carrier', RATES_A_TEAM);
        await store.createQuote(quote);
        const ids = quote.rates.map(({ id }) => id);
        expect(await takeRates(store, 'carrier')).toHaveLength(RATES_A_TEAM);
        const holds = ids.map((rateId) => ({ rateId, fence: 1 }));
        if (team % 3 === 0) {
          const wait = { keep: {}, failures: 0, carrierKey: 'carrier', delayMs: DAY_MS, reference: undefined };
          await store.keepPending(
            holds.map((hold) => ({ ...hold, ...wait, teamId: 'team-1', maxPendingMs: 9 * DAY_MS })),
          );
        } else if (team % 3 === 1) {
          const ending = {
            teamId: 'team-1',
            outcome: 'quoted',
            premiumCents: 1n,
            answer: {},
            retryable: false,
          } as const;
          await store.finish(holds.map((hold) => ({ ...hold, ...ending })));
        } else if (team > 2) {
          // A carrier has few calls at once.
          const back = { delayMs: DAY_MS, keepSent: false, uncounted: false, reason: 'http_503' };
          await store.release(holds.map((hold) => ({ ...hold, ...back })));
        }
      }
      for (let count = 0; count < 2 * MAX_ROWS; count++) {
        await store.createQuote(newQuote(`team-${count % TEAMS}`, 'another', 0));
      }
      const quote = newQuote('team-1', 'another', 1);
      await store.createQuote(quote);
      const about = { rateId: quote.rates[0]!.id, quoteId: quote.id, teamId: 'team-1', carrierKey: 'another' };
      await store.keepExchanges(
        Array.from({ length: 2 * MAX_ROWS }, (_, count) => ({ ...about, id: `${count}`, ageMs: 0, content: {} })),
      );
      await sql`analyze`.execute(database.tables());
      for (let count = 0; count < 5; count++) {
        await store.createQuote(newQuote(`team-${count}`, 'carrier', 1));
        await store.createQuote(newQuote(`team-${count}`, 'another', 5));
      }
      const options = { count: 8, concurrency: 100_000 };
      const work: Record<string, (store: SqlQuoteStore) => Promise<unknown>> = {
        'hand-out of all that fits': (store) => takeRates(store, 'carrier', options),
        'hand-out in turn': (store) => takeRates(store, 'another', options),
        'hand-out, with nothing left': (store) => takeRates(store, 'nobody', options),
        readBacklog: (store) => store.readBacklog(),
        expire: (store) => store.expire(500),
        beat: (store) => store.beat(),
        readCooldowns: (store) => store.readCooldowns(),
        endCooldown: (store) => store.endCooldown('nobody'),
        findLostHolds: (store) => store.findLostHolds([{ rateId: 'none', fence: 1 }]),
        listQuotes: (store) => store.listQuotes({ teamId: 'team-4', limit: 20 }),
        'listQuotes, processing': (store) =>
          store.listQuotes({ teamId: 'team-4', status: 'processing', limit: 10, before: { at: 9e15, id: 'z' } }),
        countFailures: (store) => store.countFailures(),
        teamsWithOpenQuotes: (store) => store.teamsWithOpenQuotes({ maxAgeMs: DAY_MS, isClosedOnly: false }),
        'teamsWithOpenQuotes, closed': (store) => store.teamsWithOpenQuotes({ maxAgeMs: DAY_MS, isClosedOnly: true }),
        teamsWithPersonalData: (store) => store.teamsWithPersonalData(),
        findOlderThan: (store) => store.findOlderThan(DAY_MS, 100),
        deleteFinished: (store) => store.deleteFinished({ ageMs: DAY_MS, after: undefined, limit: 100 }),
        deleteOldExchanges: (store) => store.deleteOldExchanges(DAY_MS, 500),
        deleteExpired: (store) => store.deleteExpired(),
        'due webhooks': (store) => store.webhooks.due(),
      };
      const scans: string[] = [];
      for (const [name, run] of Object.entries(work)) {
        statements.length = 0;
        await run(store);
        for (const statement of [...statements]) {
          const found =
            engine.engine === 'sqlite'
              ? await scansOfSqlite(database, statement)
              : await scansOfPostgres(database, statement);
          scans.push(...found.map((scan) => `${name}: ${scan} in ${statement.sql.slice(0, 400)}`));
        }
      }
      expect(scans).toEqual([]);
      const teams = await store.teamsWithPersonalData();
      expect(teams).toEqual(Array.from({ length: TEAMS }, (_, team) => `team-${team}`).toSorted());
    });
  });
}
