import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cellsOfRow } from '../../../../../test/support/test-volume.ts';
import type { LedgerEntry } from '../carriers/sandbox/ledger.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { chaosBackends } from '../test-programs/chaos-backends.ts';
import { createFleet } from '../test-programs/chaos-fleet.ts';
import { chaosCarriers } from '../test-programs/chaos-settings.ts';
import { createChaosWorker, openChaosQueue } from '../test-programs/chaos-worker.ts';
import { exampleBody } from '../testing/example-request.ts';
import { forgetRedis } from '../testing/forget-redis.ts';
import { eventually } from '../testing/suite.ts';
import { teamsFor } from '../testing/teams-for.ts';
import { createQuotes } from './create-quotes.ts';
import type { Quotes } from './quotes.ts';

const paused = 'at_every_call';
const QUOTE_COUNT = 5;

const backends = await chaosBackends();
/** The late worker is a separate process here, a service in this process elsewhere. */
const inProcesses = cellsOfRow(backends, 1, 3);

describe.concurrent.each(backends)('a carrier that an operator has paused, over $backend', (under) => {
  const { backend, engine, redisUrl, skip } = under;
  it.skipIf(skip !== undefined)(
    'gets no call from running or new workers until it is resumed, and then one per rate',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'leeward-paused-'));
      const ledger = join(folder, 'calls.ndjson');
      const queueName = `leeward_paused_${randomBytes(5).toString('hex')}`;
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      const carriers = await chaosCarriers({ ledger });
      const operator = createQuotes({ database, carriers, queue: createPQueueBackend(), teams: teamsFor(carriers) });
      const settings = { backend, databaseUrl: place.url, redisUrl, queueName, ledger };
      const services: Quotes[] = [];
      let fleet: ReturnType<typeof createFleet> | undefined;
      try {
        const begin = async () => {
          const service = await createChaosWorker(settings, await place.open(), await openChaosQueue(settings));
          services.push(service);
          await service.start();
        };
        while (services.length < 3) await begin();
        const ids: string[] = [];
        const ask = async () => {
          const quote = await operator.create('team-1', { ...exampleBody, form_types: ['ho3'] });
          ids.push(quote.quote_request_id);
        };
        const calls = () =>
          (existsSync(ledger) ? readFileSync(ledger, 'utf8') : '')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as LedgerEntry);
        const open = async () => {
          const { rows } = await sql<{ carrier_key: string; count: number }>`
            select carrier_key, count(*) as count from quote_rate where finished_at is null group by carrier_key
            `.execute(database.tables());
          return Object.fromEntries(rows.map(({ carrier_key: key, count }) => [key, count]));
        };
        const otherCarriersAreDone = () =>
          eventually(
            async () => Object.keys(await open()).every((key) => key === paused),
            () => 'the other carriers have not answered',
            30_000,
          );

        expect(await operator.pauseCarrier(paused)).toMatchObject({ changed: true });
        await Promise.all(services.map((service) => service.sweep()));
        for (let count = 0; count < QUOTE_COUNT; count++) await ask();
        await otherCarriersAreDone();
        await services.shift()!.stop();
        if (inProcesses.some((each) => each.backend === backend)) {
          fleet = createFleet([settings], 1);
          await fleet.started();
        } else {
          await begin();
        }
        await ask();
        await otherCarriersAreDone();
        expect(await open()).toEqual({ [paused]: QUOTE_COUNT + 1 });
        expect(calls().filter(({ carrier_key: key }) => key === paused)).toEqual([]);
        expect(calls().length).toBeGreaterThan(0);

        expect(await operator.resumeCarrier(paused)).toMatchObject({ changed: true });
        await eventually(
          async () => Object.keys(await open()).length === 0,
          () => 'not everything has ended',
          30_000,
        );
        const callsAfterResume = calls().filter(({ carrier_key: key }) => key === paused);
        expect(new Set(callsAfterResume.map(({ rate_id: id }) => id)).size).toBe(ids.length);
      } finally {
        await fleet?.stop();
        await Promise.all([operator, ...services].map((each) => each.stop()));
        if (backend === 'pg-boss') {
          await sql`drop schema if exists ${sql.id(queueName)} cascade`.execute(database.tables());
        }
        if (backend === 'bullmq') await forgetRedis(redisUrl, queueName);
        await rm(folder, { recursive: true, force: true });
      }
    },
    120_000,
  );
});
