import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createSandboxCarrier } from '../carriers/sandbox/sandbox-carrier.ts';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';
import type { FullRate } from '../present/rate.ts';
import { IdempotencyConflictError, InvalidQuoteRequestError, RateNotRetryableError } from '../request/quote-errors.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody, exampleFields } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';
import { teamsFor } from '../testing/teams-for.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const never = () => new Promise<never>(() => {});
const hang: CarrierAdapter['quote'] = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`quoting on ${engine.title}`, { concurrent: true }, () => {
    it('calls every carrier for every form type and collects the answers', async () => {
      const carriers = ['one', 'two'].map((key) =>
        createSandboxCarrier({ key: `sandbox_${key}`, name: `Sandbox ${key}`, latencyMs: 20 }),
      );
      await using bench = await createBench(engine, carriers);
      const created = await bench.quotes.create('team-1', exampleBody);
      expect(created).toMatchObject({
        status: 'processing',
        counts: { processing: 6, success: 0, error: 0 },
        skipped: [],
      });
      const status = await bench.completed(created.quote_request_id);
      expect(status.counts).toEqual({ processing: 0, success: 6, error: 0 });
      expect(status.rates.map((rate) => rate.id)).toEqual(created.rate_index.map((rate) => rate.id));
      expect(status.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      const premiums = status.rates.map((rate) => Number(rate.premium));
      expect([status.min_quote, status.max_quote]).toEqual([
        Math.min(...premiums).toFixed(2),
        Math.max(...premiums).toFixed(2),
      ]);
      expect(await bench.quotes.status('team-1', created.service_quote_id, { includeRates: true })).toEqual(status);
      expect(await bench.quotes.rate('team-1', status.rates[3]!.id)).toEqual(status.rates[3]);
      const history = await bench.quotes.history('team-1', status.rates[0]!.id);
      expect(history!.map(({ from, to, reason }) => [from, to, reason])).toEqual([
        ['queued', 'processing', undefined],
        ['processing', 'success', 'quoted'],
      ]);
      expect(bench.events.filter((event) => event.type === 'failure')).toEqual([]);
    });

    it('hides quotes from other teams', async () => {
      await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1n))]);
      const created = await bench.quotes.create('team-1', ho3);
      const [rate] = created.rate_index;
      for (const id of [
        created.quote_request_id,
        created.service_quote_id,
        'carriers',
        '',
        '\0',
        '\ud800',
        'x'.repeat(1000),
        "' or 1=1 --",
      ]) {
        expect(await bench.quotes.status('team-2', id)).toBeUndefined();
        expect(await bench.quotes.cancel('team-2', id)).toBeUndefined();
        expect(await bench.quotes.erase('team-2', id)).toBe(false);
      }
      for (const id of [rate!.id, '', '\0']) {
        expect(await bench.quotes.rate('team-2', id)).toBeUndefined();
        expect(await bench.quotes.retry('team-2', id)).toBeUndefined();
        expect(await bench.quotes.history('team-2', id)).toBeUndefined();
      }
    });

    it('rejects invalid requests with all faults', async () => {
      await using bench = await createBench(engine, [scriptedCarrier(never)], { work: false });
      const refused = await bench.quotes
        .create('team-1', { ...ho3, product_code: 'x', carrier_keys: ['y'] })
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(InvalidQuoteRequestError);
      expect((refused as InvalidQuoteRequestError).faults.map((fault) => fault.code)).toEqual([
        'unknown_product',
        'unknown_carrier',
      ]);
    });

    describe('an idempotency key', () => {
      it('returns the same response for the same body, and a conflict for another', async () => {
        await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1000n))]);
        const first = await bench.quotes.create('team-1', ho3, { idempotencyKey: 'key 1' });
        await bench.completed(first.quote_request_id);
        const reordered = Object.fromEntries(
          Object.entries({
            ...ho3,
            fields: Object.fromEntries(Object.entries(exampleFields).toReversed()),
          }).toReversed(),
        );
        expect(await bench.quotes.create('team-1', reordered, { idempotencyKey: 'key 1' })).toEqual(first);
        const other = { ...ho3, fields: { ...exampleFields, dwelling_a: 1 } };
        await expect(bench.quotes.create('team-1', other, { idempotencyKey: 'key 1' })).rejects.toThrow(
          IdempotencyConflictError,
        );
        await expect(bench.quotes.create('team-1', { nonsense: true }, { idempotencyKey: 'key 1' })).rejects.toThrow(
          IdempotencyConflictError,
        );
        const ofOthers = await bench.quotes.create('team-2', ho3, { idempotencyKey: 'key 1' });
        expect(ofOthers.quote_request_id).not.toBe(first.quote_request_id);
        for (const key of ['', ' x', 'é', 'x'.repeat(256), 'a\nb']) {
          await expect(bench.quotes.create('team-1', ho3, { idempotencyKey: key })).rejects.toThrow(
            InvalidQuoteRequestError,
          );
        }
      });

      it('creates one quote for concurrent requests', async () => {
        await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1000n))]);
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => bench.quotes.create('team-1', ho3, { idempotencyKey: 'same' })),
        );
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
        const database = await bench.place.open();
        const { rows } = await sql<{ count: number }>`select count(*) as count from quote_request`.execute(
          database.tables(),
        );
        expect(rows[0]!.count).toBe(1);
      });

      it('is valid for 24 hours', async () => {
        let now = Date.UTC(2026, 10, 20) * 1000;
        await using bench = await createBench(engine, [scriptedCarrier(never)], {
          work: false,
          clock: { nowMicros: () => now },
        });
        const first = await bench.quotes.create('team-1', ho3, { idempotencyKey: 'k' });
        now += 24 * 3_600_000_000 - 1;
        expect((await bench.quotes.create('team-1', ho3, { idempotencyKey: 'k' })).quote_request_id).toBe(
          first.quote_request_id,
        );
        now += 1;
        const second = await bench.quotes.create('team-1', { ...ho3, x_other: 1 }, { idempotencyKey: 'k' });
        expect(second.quote_request_id).not.toBe(first.quote_request_id);
      });
    });

    describe('cancelling', () => {
      it('ends waiting and running rates, aborts calls, and keeps ended rates', async () => {
        let aborted: unknown;
        const quick = scriptedCarrier(async () => quotedAt(5000n), { key: 'quick', name: 'Quick' });
        const slow = scriptedCarrier(
          (request, context) => {
            context.signal.addEventListener('abort', () => (aborted = context.signal.reason));
            return hang(request, context);
          },
          { key: 'slow', name: 'Slow', limits: { concurrency: 1 }, offers: [{ formTypes: ['ho3', 'ho5'] }] },
        );
        await using bench = await createBench(engine, [quick, slow]);
        const created = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3', 'ho5'] });
        await eventually(
          async () =>
            (await bench.quotes.status('team-1', created.quote_request_id))!.counts.success === 1 && slow.calls === 1,
          () => 'the quick carrier has not answered',
        );
        const status = await bench.quotes.cancel('team-1', created.service_quote_id);
        expect(status).toMatchObject({
          status: 'complete',
          counts: { processing: 0, success: 1, error: 2 },
          outcomes: { quoted: 1, cancelled: 2 },
        });
        await eventually(
          () => aborted !== undefined,
          () => 'the call was not broken off',
        );
        expect(await bench.quotes.cancel('team-1', created.quote_request_id)).toEqual(status);
        await eventually(
          () => bench.events.some((event) => event.type === 'hold_lost'),
          () => 'the worker has not noticed',
        );
        expect(slow.calls).toBe(1);
        expect(await bench.quotes.status('team-1', created.quote_request_id, { includeRates: false })).toEqual(status);
      });

      it('aborts calls of other processes', async () => {
        let aborted = false;
        const slow = scriptedCarrier((request, context) => {
          context.signal.addEventListener('abort', () => (aborted = true));
          return hang(request, context);
        });
        await using bench = await createBench(engine, [slow]);
        const created = await bench.quotes.create('team-1', ho3);
        await eventually(
          () => slow.calls === 1,
          () => 'not called',
        );
        const elsewhere = await bench.join();
        await elsewhere.cancel('team-1', created.quote_request_id);
        await eventually(
          () => aborted,
          () => 'the call was not broken off',
          3000,
        );
      });
    });

    describe('retrying', () => {
      it('replaces a failed rate by a new one', async () => {
        let fails = true;
        const answering = Promise.withResolvers<void>();
        const carrier = scriptedCarrier(
          async () => {
            if (fails) throw Object.assign(new Error('down'), {});
            await answering.promise;
            return quotedAt(120_000n);
          },
          { idempotent: true, limits: { maxAttempts: 1, backoff: { initialMs: 1, maxMs: 1 } } },
        );
        await using bench = await createBench(engine, [carrier]);
        const created = await bench.quotes.create('team-1', ho3);
        const [old] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
        expect(old).toMatchObject({
          status: 'error',
          outcome: 'failed',
          error: { code: 'adapter_error', retryable: true },
        });
        fails = false;
        const retried = await bench.quotes.retry('team-1', old!.id);
        expect(retried).toMatchObject({
          status: 'processing',
          retry_of: old!.id,
          carrier_key: 'scripted',
          form_type: 'ho3',
        });
        await expect(bench.quotes.retry('team-1', old!.id)).rejects.toMatchObject({
          code: 'already_retried',
          retriedAs: retried!.id,
          message: expect.stringContaining(retried!.id),
        });
        answering.resolve();
        const status = await bench.completed(created.quote_request_id);
        expect(status.rates.map((rate) => [rate.id, rate.premium])).toEqual([[retried!.id, '1200.00']]);
        expect(await bench.quotes.rate('team-1', retried!.id)).toMatchObject({ attempts: 1 });
        expect(status.outcomes).toMatchObject({ quoted: 1, failed: 0 });
        expect(await bench.quotes.rate('team-1', old!.id)).toEqual(old);
        await expect(bench.quotes.retry('team-1', retried!.id)).rejects.toThrow(RateNotRetryableError);
      });

      it('is rejected for an unfinished rate', async () => {
        await using bench = await createBench(engine, [scriptedCarrier(hang)]);
        const created = await bench.quotes.create('team-1', ho3);
        await expect(bench.quotes.retry('team-1', created.rate_index[0]!.id)).rejects.toMatchObject({
          code: 'not_finished',
        });
      });

      it('happens once for concurrent requests', async () => {
        const carrier = scriptedCarrier(hang, { idempotent: true, limits: { deadlineMs: 20, maxAttempts: 1 } });
        await using bench = await createBench(engine, [carrier]);
        const created = await bench.quotes.create('team-1', ho3);
        await bench.completed(created.quote_request_id);
        const answers = await Promise.allSettled(
          Array.from({ length: 6 }, () => bench.quotes.retry('team-1', created.rate_index[0]!.id)),
        );
        expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
      });
    });

    describe('personal data', () => {
      const secretFields = { ...exampleFields, last_name: 'Quixotically', note: 'remember Dulcinea' };
      const carrier = () =>
        scriptedCarrier(async ({ fields }) => ({
          ...quotedAt(77_700n),
          messages: [{ level: 'info', code: 'x', message: `Dear ${fields['last_name']}` }],
        }));
      async function everything(bench: Awaited<ReturnType<typeof createBench>>): Promise<string> {
        const database = await bench.place.open();
        const { rows: named } = await (engine.engine === 'sqlite'
          ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name like 'quote%'`
          : sql<{ name: string }>`
              select table_name as name from information_schema.tables
              where table_schema = current_schema() and table_name like 'quote%'`
        ).execute(database.tables());
        const tables = named.map(({ name }) => name);
        expect(tables).toContain('quote_webhook_delivery');
        const rows = await Promise.all(
          tables.map((table) => sql`select * from ${sql.table(table)}`.execute(database.tables())),
        );
        const { file } = bench.place;
        const bytes =
          file === undefined ? '' : [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join();
        return JSON.stringify(rows.map((each) => each.rows)) + bytes;
      }

      it('is erased on request, also from the file; counts remain', async () => {
        await using bench = await createBench(engine, [carrier()]);
        const created = await bench.quotes.create('team-1', { ...ho3, fields: secretFields }, { idempotencyKey: 'k' });
        await bench.completed(created.quote_request_id);
        expect(await everything(bench)).toContain('Quixotically');
        expect(await bench.quotes.erase('team-1', created.quote_request_id)).toBe(true);
        expect(await bench.quotes.erase('team-1', created.quote_request_id)).toBe(false);
        const left = await everything(bench);
        for (const word of [
          'Quixotically',
          'Dulcinea',
          'Larkspur',
          'dana.whitfield',
          '3525550142',
          'agent@example.com',
        ])
          expect(left).not.toContain(word);
        expect(await bench.quotes.status('team-1', created.quote_request_id, { includeRates: true })).toMatchObject({
          counts: { success: 1 },
          min_quote: '777.00',
          rates: [{ premium: '777.00', carrier_response_messages: null }],
        });
      });

      it('is erased from pending answers, webhooks and carried-over answers', async () => {
        const told = carrier();
        const waiting = scriptedCarrier(
          async ({ fields }) => ({
            outcome: 'pending',
            pending: { reference: `of ${fields['last_name']}`, keep: { session: `of ${fields['last_name']}` } },
          }),
          { key: 'waiting', name: 'Waiting', verifyCallback: () => ({ id: '1', reference: '1' }) },
        );
        await using bench = await createBench(engine, [told, waiting], { allowPrivateWebhooks: true });
        const { quotes } = bench;
        // The endpoint is closed, so its events remain.
        const hook = await quotes.webhooks.create('team-1', { url: 'http://127.0.0.1:9/' });
        const made = await quotes.create('team-1', { ...ho3, fields: secretFields });
        await eventually(
          async () => {
            const { rates } = (await quotes.status('team-1', made.quote_request_id, { includeRates: true }))!;
            return rates.every((rate) => rate.status === 'success' || ('pending_since' in rate && rate.pending_since));
          },
          () => 'not answered',
        );
        const again = (await quotes.requote('team-1', made.quote_request_id, { carrier_keys: ['scripted'] }))!;
        expect(again.counts.success).toBe(1);
        await eventually(
          async () => (await quotes.webhooks.read(hook.webhook_id))!.last_failure !== null,
          () => 'never sent',
        );
        const before = await everything(bench);
        expect(before).toContain('of Quixotically');
        expect(before).toContain('Dear Quixotically');
        const { erased } = await quotes.eraseInsured('team-1', { insured_email: 'dana.whitfield@example.com' });
        expect(erased.toSorted()).toEqual([made.quote_request_id, again.quote_request_id].toSorted());
        const left = await everything(bench);
        expect(left).toContain(hook.webhook_id);
        for (const word of [
          'Quixotically',
          'Dulcinea',
          'Larkspur',
          'dana.whitfield@example.com',
          '3525550142',
          'agent@example.com',
        ])
          expect(left).not.toContain(word);
      });

      it('is erased during calls, which lose their hold', async () => {
        await using bench = await createBench(engine, [scriptedCarrier(hang)]);
        const created = await bench.quotes.create('team-1', { ...ho3, fields: secretFields });
        await eventually(
          async () => (await bench.quotes.rate('team-1', created.rate_index[0]!.id))!.attempts === 1,
          () => 'not begun',
        );
        await bench.quotes.erase('team-1', created.quote_request_id);
        expect((await bench.quotes.status('team-1', created.quote_request_id))!.outcomes.cancelled).toBe(1);
      });

      it('is erased for one insured only', async () => {
        await using bench = await createBench(engine, [scriptedCarrier(async () => quotedAt(1000n))]);
        const of = async (team: string, fields: object) =>
          (await bench.quotes.create(team, { ...ho3, fields: { ...secretFields, ...fields } })).quote_request_id;
        const hers = await of('team-1', { insured_email: 'Aldonza@Example.com' });
        const hersAgain = await of('team-1', { insured_email: 'aldonza@example.com', last_name: 'Lorenzo' });
        const others = await of('team-1', { insured_email: 'aldonz.a@example.com' });
        const another = await of('team-2', { insured_email: 'aldonza@example.com' });
        const erase = (insured: object) => bench.quotes.eraseInsured('team-1', insured);
        expect(await erase({ insured_email: 'aldonza@example.com', last_name: 'nobody' })).toEqual({
          erased: [],
          unreadable: 0,
        });
        const first = await erase({ insured_email: ' ALDONZA@example.com ' });
        expect(first.erased.toSorted()).toEqual([hers, hersAgain].toSorted());
        expect(await erase({ insured_email: 'aldonza@example.com' })).toEqual({ erased: [], unreadable: 0 });
        const left = (await everything(bench)).toLowerCase();
        expect(left).toContain('aldonz.a@example.com');
        const { erased } = await erase({ last_name: 'QUIXOTICALLY', insured_date_of_birth: '1979-04-02' });
        expect(erased).toEqual([others]);
        expect(await bench.quotes.erase('team-2', another)).toBe(true);
        const nothing = (await everything(bench)).toLowerCase();
        for (const word of ['quixotically', 'aldonza', 'lorenzo', 'larkspur']) expect(nothing).not.toContain(word);
      });

      it('is kept if the insured is not clearly identified', async () => {
        await using bench = await createBench(engine, [carrier()], { work: false });
        for (const [insured, code, path] of [
          [{}, 'required', ''],
          [{ last_name: 'Quixotically' }, 'required', ''],
          [{ first_name: 'Dana', insured_date_of_birth: '1979-04-02' }, 'required', ''],
          [{ insured_email: 'nobody' }, 'invalid_format', '/insured_email'],
          [{ email: 'dana@example.com' }, 'unknown_field', '/email'],
          [{ dwelling_a: 1 }, 'unknown_field', '/dwelling_a'],
          ['dana', 'invalid_type', ''],
        ] as const) {
          await expect(bench.quotes.eraseInsured('team-1', insured), JSON.stringify(insured)).rejects.toMatchObject({
            faults: [{ code, path }],
          });
        }
      });

      it('is erased for a removed team, and kept while its removal is uncertain', async () => {
        const own = carrier();
        const isAway = () => Promise.reject(new Error('away'));
        await using bench = await createBench(engine, [own], { teams: { ...teamsFor([own]), isRemoved: isAway } });
        const gone = await bench.quotes.create('team-1', { ...ho3, fields: secretFields });
        const kept = await bench.quotes.create('team-2', { ...ho3, fields: { ...secretFields, last_name: 'Panza' } });
        await bench.completed(gone.quote_request_id);
        await expect(bench.quotes.eraseRemovedTeams()).rejects.toThrow('away');
        expect(await everything(bench)).toContain('Quixotically');
        // It does not run, so no sweep erases first.
        const idle = await bench.join({
          teams: { ...teamsFor([own]), isRemoved: async (teamId) => teamId === 'team-1' },
        });
        expect(await idle.eraseRemovedTeams()).toBe(1);
        expect(await idle.eraseRemovedTeams()).toBe(0);
        const left = await everything(bench);
        expect(left).not.toContain('Quixotically');
        expect(left).toContain('Panza');
        expect((await bench.quotes.status('team-2', kept.quote_request_id))?.quote_request_id).toBe(
          kept.quote_request_id,
        );
      });

      it('is erased by age, after 90 days', async () => {
        let now = Date.UTC(2026, 0, 1) * 1000;
        await using bench = await createBench(engine, [carrier()], { work: false, clock: { nowMicros: () => now } });
        for (let index = 0; index < 3; index++) await bench.quotes.create('team-1', { ...ho3, fields: secretFields });
        now += 89 * 86_400_000_000;
        const young = await bench.join();
        await young.sweep();
        expect(await everything(bench)).toContain('Quixotically');
        now += 86_400_000_000;
        const old = await bench.join();
        await old.sweep();
        expect(await everything(bench)).not.toContain('Quixotically');
      });

      it('is encrypted under a key, reaches carriers decrypted, and survives a change of keys', async () => {
        const keys = ['2026-a', '2026-b'].map((id, index) => ({
          id,
          key: Buffer.alloc(32, index + 1).toString('base64'),
        }));
        const seen: unknown[] = [];
        const reading = scriptedCarrier(async ({ fields }) => {
          seen.push(fields);
          return quotedAt(1000n);
        });
        await using bench = await createBench(engine, [reading], { work: false, encryption: { current: keys[0]! } });
        const created = await bench.quotes.create('team-1', { ...ho3, fields: secretFields });
        const stored = await everything(bench);
        expect(stored).toContain('aes-256-gcm.2026-a.');
        expect(stored).not.toContain('Quixotically');
        const rotated = await bench.join({ encryption: { current: keys[1]!, previous: [keys[0]!] } });
        await rotated.start();
        await bench.completed(created.quote_request_id);
        expect(seen).toEqual([secretFields]);
      });

      it('ends a rate with unreadable fields, so that it can be retried with the key', async () => {
        const [right, wrong] = [1, 2].map((byte) => ({ current: { id: 'k', key: Buffer.alloc(32, byte) } }));
        const carrier = scriptedCarrier(async () => quotedAt(1000n));
        await using bench = await createBench(engine, [carrier], { work: false, encryption: right });
        const created = await bench.quotes.create('team-1', ho3);
        const blind = await bench.join({ encryption: wrong });
        await blind.start();
        const status = await bench.completed(created.quote_request_id);
        expect(status.rates[0]).toMatchObject({
          outcome: 'failed',
          error: { code: 'fields_unreadable', retryable: true },
        });
        expect(carrier.calls).toBe(0);
      });
    });

    it('lists products, carriers of a team, and fields', async () => {
      const carriers = [
        scriptedCarrier(never, {
          key: 'wide',
          name: 'Wide',
          offers: [{ formTypes: ['ho3', 'dp1'] }, { formTypes: ['x-wind'], states: ['fl'] }],
        }),
        scriptedCarrier(never, { key: 'other', name: 'Other' }),
      ];
      const teams = { ...teamsFor(carriers), appointments: async () => [{ carrierKey: 'wide', states: ['tx'] }] };
      await using bench = await createBench(engine, carriers, { work: false, teams });
      expect(bench.quotes.products()).toEqual({
        products: [
          { product_code: 'homeowners', product: 'Homeowners', form_types: ['ho3', 'ho5', 'ho8'] },
          { product_code: 'dwelling_fire', product: 'Dwelling Fire', form_types: ['dp1', 'dp3'] },
          { product_code: 'wind', product: 'Wind Only', form_types: ['wind only'] },
          { product_code: 'ex_wind', product: 'Ex-Wind', form_types: ['x-wind'] },
        ],
      });
      // x-wind is offered in Florida; this team is appointed in Texas.
      expect(await bench.quotes.carriers('team-1')).toEqual({
        carriers: [
          {
            carrier_key: 'wide',
            carrier: 'Wide',
            products: [
              { product_code: 'homeowners', form_types: ['ho3'] },
              { product_code: 'dwelling_fire', form_types: ['dp1'] },
            ],
          },
        ],
      });
      expect(bench.quotes.fieldReference()).toMatchObject({ type: 'object' });
      await bench.quotes.ready();
    });

    it('returns unfinished rates on stop, so that the next process continues at once', async () => {
      const first = scriptedCarrier(hang, { limits: { concurrency: 1 }, idempotent: true });
      await using bench = await createBench(engine, [first]);
      const created = await Promise.all([1, 2, 3].map(() => bench.quotes.create('team-1', ho3)));
      await eventually(
        () => first.calls === 1,
        () => 'not begun',
      );
      await bench.quotes.stop({ graceMs: 50 });
      const second = scriptedCarrier(async () => quotedAt(1000n));
      const next = await bench.join({ carriers: [second] });
      const start = performance.now();
      await next.start();
      for (const { quote_request_id: id } of created) expect((await bench.completed(id)).counts.success).toBe(1);
      expect(performance.now() - start).toBeLessThan(5000);
    });
  });
}
