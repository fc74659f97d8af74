import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CarrierAdapter, CarrierAnswer, CarrierCallback, ResumeContext } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { type Bench, createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function leapingClock() {
  let offsetMs = 0;
  return {
    nowMicros: () => Math.round((Date.now() + offsetMs) * 1000),
    pass: (ms: number) => {
      offsetMs += ms;
    },
  };
}

const secret = 'whsec-of-the-carrier';
const sign = (body: string) => createHmac('sha256', secret).update(body).digest('hex');

/** Refuses signatures older than five minutes. */
const verifyCallback: CarrierAdapter['verifyCallback'] = ({ headers, body, receivedAtMs }: CarrierCallback) => {
  const given = Buffer.from(headers['x-signature'] ?? '', 'hex');
  const due = Buffer.from(sign(Buffer.from(body).toString()), 'hex');
  if (given.length !== due.length || !timingSafeEqual(given, due)) throw new Error('Not signed by the carrier.');
  const said = JSON.parse(Buffer.from(body).toString()) as { id: string; job: string; at: number; premium?: number };
  if (Math.abs(receivedAtMs - said.at) > 300_000) throw new Error('Signed too long ago.');
  const answer = said.premium === undefined ? undefined : quotedAt(BigInt(said.premium));
  return { id: said.id, reference: said.job, answer };
};

const callbackOf = (said: Record<string, unknown>, signature?: string): CarrierCallback => {
  const body = JSON.stringify({ at: Date.now(), ...said });
  return { headers: { 'x-signature': signature ?? sign(body) }, body: Buffer.from(body), receivedAtMs: Date.now() };
};

async function pendingSince(bench: Bench, quoteId: string): Promise<void> {
  await eventually(
    () => bench.events.some((event) => event.type === 'rate_pending' && event.quoteId === quoteId),
    () => JSON.stringify(bench.events),
  );
}

const rateOf = async (bench: Bench, quoteId: string) =>
  (await bench.quotes.status('team-1', quoteId, { includeRates: true }))!.rates[0]!;
const historyOf = async (bench: Bench, quoteId: string) =>
  (await bench.quotes.history('team-1', (await rateOf(bench, quoteId)).id))!.map(({ from, to, reason }) =>
    [from, to, reason].join(' '),
  );

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`answers that take days, on ${engine.title}`, { concurrent: true }, () => {
    it('are polled at the requested times without a slot, and arrive after three days', async () => {
      const clock = leapingClock();
      const looks: ResumeContext[] = [];
      let done = false;
      const carrier = scriptedCarrier(
        async ({ rateId }) => ({
          outcome: 'pending',
          pending: { keep: { job: `https://carrier.example/jobs/${rateId}` }, pollAfterMs: 6 * HOUR_MS },
        }),
        {
          limits: { concurrency: 1 },
          async resume(_, context) {
            looks.push(context);
            if (looks.length === 2) throw new CarrierFault('Down.', { kind: 'failed', code: 'http_500' });
            if (looks.length === 3) throw new CarrierFault('A page.', { kind: 'unreadable', code: 'not_json' });
            if (!done) return { outcome: 'pending', pending: { keep: context.keep, pollAfterMs: 6 * HOUR_MS } };
            return quotedAt(184_350n);
          },
        },
      );
      await using bench = await createBench(engine, [carrier], { clock, quoteDeadlineMs: 60_000 });
      const first = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, first.quote_request_id);
      const second = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, second.quote_request_id);
      expect(carrier.calls).toBe(2);
      expect(looks).toEqual([]);
      let passedMs = 0;
      // In steps: a poll may be in progress.
      const pass = async (untilMs: number, condition: () => boolean | Promise<boolean>) => {
        const start = performance.now();
        do {
          passedMs += HOUR_MS;
          clock.pass(HOUR_MS);
          const took = performance.now() - start;
          expect(took, `${looks.length} looks after ${passedMs / HOUR_MS} hours`).toBeLessThan(15_000);
          await bench.quotes.sweep();
        } while (!((await condition()) && passedMs >= untilMs));
      };
      await pass(3 * DAY_MS, () => looks.length >= 10);
      expect((await rateOf(bench, first.quote_request_id)).status).toBe('processing');
      done = true;
      const ended = async (id: string) => (await rateOf(bench, id)).status !== 'processing';
      await pass(0, async () => (await ended(first.quote_request_id)) && (await ended(second.quote_request_id)));
      const status = await bench.completed(first.quote_request_id);
      expect(status.rates[0]).toMatchObject({ status: 'success', premium: '1843.50' });
      expect(carrier.calls).toBe(2);
      expect(looks[0]!.keep['job']).toMatch(/^https:\/\/carrier\.example\/jobs\/.{36}$/);
      expect(await historyOf(bench, first.quote_request_id)).toEqual([
        'queued processing ',
        'processing processing pending',
        'processing success quoted',
      ]);
    });

    it('survive their process: another process polls without calling again', async () => {
      const carrier = scriptedCarrier(async () => ({ outcome: 'pending', pending: { pollAfterMs: 300 } }), {
        resume: async () => quotedAt(100n),
      });
      await using bench = await createBench(engine, [carrier], { work: false });
      const asks = await bench.join();
      await asks.start();
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, id);
      await asks.stop({ graceMs: 0 });
      const looks = await bench.join();
      await looks.start();
      await bench.completed(id);
      expect(carrier.calls).toBe(1);
    });

    it('end as timed_out without an answer, and are not polled after a cancellation', async () => {
      const clock = leapingClock();
      let looks = 0;
      const carrier = scriptedCarrier(async () => ({ outcome: 'pending', pending: { pollAfterMs: 40 * DAY_MS } }), {
        resume: async () => {
          looks++;
          return { outcome: 'pending', pending: {} };
        },
      });
      await using bench = await createBench(engine, [carrier], { clock });
      const silent = await bench.quotes.create('team-1', ho3);
      const cancelled = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, silent.quote_request_id);
      await pendingSince(bench, cancelled.quote_request_id);
      await bench.quotes.cancel('team-1', cancelled.quote_request_id);
      clock.pass(31 * DAY_MS);
      const status = await bench.completed(silent.quote_request_id);
      expect(status.rates[0]!.carrier_response_messages![0]).toMatchObject({ code: 'no_later_answer' });
      clock.pass(31 * DAY_MS);
      await bench.quotes.sweep();
      expect(looks).toBe(0);
      expect((await rateOf(bench, cancelled.quote_request_id)).status).toBe('error');
    });

    it('accept a callback; reject forged, stale, replayed, late and foreign ones', async () => {
      const clock = leapingClock();
      const jobs: string[] = [];
      const submit = (prefix: string) => async () => {
        const job = `${prefix}-${jobs.length}`;
        jobs.push(job);
        return { outcome: 'pending', pending: { reference: job } } satisfies CarrierAnswer;
      };
      const carrier = scriptedCarrier(submit('job'), { verifyCallback });
      const other = scriptedCarrier(submit('other'), { key: 'other', name: 'Other', verifyCallback });
      const deaf = scriptedCarrier(async () => quotedAt(1n), { key: 'deaf', name: 'Deaf' });
      await using bench = await createBench(engine, [carrier, other, deaf], { clock });
      const made = await bench.quotes.create('team-1', { ...ho3, carrier_keys: ['scripted'] });
      const theirs = await bench.quotes.create('team-1', { ...ho3, carrier_keys: ['other'] });
      await pendingSince(bench, made.quote_request_id);
      await pendingSince(bench, theirs.quote_request_id);
      const mine = jobs.find((job) => job.startsWith('job'))!;
      const foreign = jobs.find((job) => job.startsWith('other'))!;
      clock.pass(3 * DAY_MS);
      const tell = (said: CarrierCallback, key = 'scripted') => bench.quotes.receiveCallback(key, said);
      const good = callbackOf({ id: 'c1', job: mine, premium: 98_700 });
      expect(await tell({ ...good, headers: {} })).toBe('refused');
      expect(await tell(callbackOf({ id: 'c1', job: mine, premium: 1 }, sign('something else')))).toBe('refused');
      expect(await tell({ ...good, receivedAtMs: Date.now() + HOUR_MS })).toBe('refused');
      expect(await tell({ ...good, body: Buffer.from([0xff, 0x00]) })).toBe('refused');
      expect(await tell(callbackOf({ id: 'c2', job: foreign, premium: 1 }))).toBe('unknown');
      expect(await tell(callbackOf({ id: 'c3', job: 'nobody', premium: 1 }))).toBe('unknown');
      expect(await tell(good, 'deaf')).toBeUndefined();
      expect(await tell(good, 'nobody')).toBeUndefined();
      expect((await rateOf(bench, made.quote_request_id)).status).toBe('processing');
      expect(await tell(good)).toBe('taken');
      expect(await rateOf(bench, made.quote_request_id)).toMatchObject({ status: 'success', premium: '987.00' });
      expect(await tell(good)).toBe('replayed');
      expect(await tell(callbackOf({ id: 'c4', job: mine, premium: 5 }))).toBe('late');
      expect(await rateOf(bench, made.quote_request_id)).toMatchObject({ status: 'success', premium: '987.00' });
      expect((await rateOf(bench, theirs.quote_request_id)).status).toBe('processing');
      clock.pass(31 * DAY_MS);
      await bench.completed(theirs.quote_request_id);
      expect(await tell(callbackOf({ id: 'c5', job: foreign, premium: 5 }), 'other')).toBe('late');
    });

    it('are polled after a callback without an answer, also during an early poll', async () => {
      const { promise: looking, resolve: looked } = Promise.withResolvers<void>();
      const { promise: told, resolve: tell } = Promise.withResolvers<void>();
      let looks = 0;
      const carrier = scriptedCarrier(async () => ({ outcome: 'pending', pending: { reference: 'the-job' } }), {
        verifyCallback,
        async resume() {
          looks++;
          if (looks > 1) return quotedAt(777n);
          looked();
          await told;
          return { outcome: 'pending', pending: {} };
        },
      });
      await using bench = await createBench(engine, [carrier]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, id);
      expect(await bench.quotes.receiveCallback('scripted', callbackOf({ id: 'a', job: 'the-job' }))).toBe('taken');
      await looking;
      expect(await bench.quotes.receiveCallback('scripted', callbackOf({ id: 'b', job: 'the-job' }))).toBe('taken');
      tell();
      expect((await bench.completed(id)).rates[0]!.premium).toBe('7.77');
      expect(looks).toBe(2);
    });

    it('continue after a referral: a quote or decline replaces it, silence keeps it', async () => {
      const clock = leapingClock();
      const later: Record<string, CarrierAnswer> = {
        ho3: { ...quotedAt(120_000n), rateType: 'bindable' },
        ho5: { outcome: 'declined', messages: [{ level: 'error', code: 'roof', message: 'The roof is too old.' }] },
        ho8: { outcome: 'pending', pending: { pollAfterMs: DAY_MS } },
      };
      const carrier = scriptedCarrier(
        async () => ({ outcome: 'referred', premiumCents: 90_000n, pending: { pollAfterMs: DAY_MS } }),
        {
          offers: [{ formTypes: ['ho3', 'ho5', 'ho8'] }],
          resume: async ({ formType }) => later[formType]!,
        },
      );
      await using bench = await createBench(engine, [carrier], { clock });
      const { quote_request_id: id } = await bench.quotes.create('team-1', {
        ...exampleBody,
        form_types: ['ho3', 'ho5', 'ho8'],
      });
      // Callers see it ended: referred, with a premium.
      const before = await bench.completed(id);
      expect(before.rates.map((rate) => [rate.form_type, rate.status, rate.premium])).toEqual(
        ['ho3', 'ho5', 'ho8'].map((form) => [form, 'success', '900.00']),
      );
      clock.pass(DAY_MS);
      await eventually(
        async () => (await bench.quotes.status('team-1', id, { includeRates: true }))!.counts.error === 1,
        () => 'no change',
      );
      await eventually(
        async () => (await bench.quotes.status('team-1', id, { includeRates: true }))!.rates[0]!.premium === '1200.00',
        () => 'no change',
      );
      clock.pass(31 * DAY_MS);
      const eventsOf = async (formType: string) => {
        const { rates } = (await bench.quotes.status('team-1', id, { includeRates: true }))!;
        const rate = rates.find((each) => each.form_type === formType)!;
        const history = (await bench.quotes.history('team-1', rate.id))!;
        return [
          rate.status,
          rate.premium,
          ...history.slice(1).map(({ from, to, reason }) => `${from} ${to} ${reason}`),
        ];
      };
      await eventually(
        async () => (await eventsOf('ho8')).length === 4,
        () => 'still followed',
      );
      expect(await eventsOf('ho3')).toEqual([
        'success',
        '1200.00',
        'processing success referred',
        'success success quoted',
      ]);
      expect(await eventsOf('ho5')).toEqual(['error', null, 'processing success referred', 'success error declined']);
      expect(await eventsOf('ho8')).toEqual([
        'success',
        '900.00',
        'processing success referred',
        'success success no_later_answer',
      ]);
    });

    it.each<[string, () => CarrierAnswer]>([
      [
        'that is turned away',
        () => {
          throw new CarrierFault('Unknown.', { kind: 'invalid', code: 'http_404' });
        },
      ],
      ['that makes no sense', () => quotedAt(0n)],
    ])('keep a referral after a poll that %s, and stop polling', async (_, look) => {
      const clock = leapingClock();
      let looks = 0;
      const carrier = scriptedCarrier(
        async () => ({ outcome: 'referred', premiumCents: 90_000n, pending: { pollAfterMs: DAY_MS } }),
        {
          resume: async () => {
            looks++;
            return look();
          },
        },
      );
      await using bench = await createBench(engine, [carrier], { clock });
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      await bench.completed(id);
      clock.pass(DAY_MS);
      await eventually(
        () => bench.events.some(({ type }) => type === 'rate_pending'),
        () => `${looks} looks`,
      );
      clock.pass(31 * DAY_MS);
      await eventually(
        async () => (await historyOf(bench, id)).length === 3,
        () => 'still followed',
      );
      expect(await historyOf(bench, id)).toEqual([
        'queued processing ',
        'processing success referred',
        'success success no_later_answer',
      ]);
      expect(await rateOf(bench, id)).toMatchObject({ outcome: 'referred', premium: '900.00' });
      expect(looks).toBe(1);
    });

    it('write one event per change and none for a known referral', async () => {
      const premiums = [90_000n, 90_000n, undefined, 90_000n, 'fault', 95_000n, 95_000n, 90_000n] as const;
      let looks = 0;
      const referral = (premiumCents: bigint, look: number): CarrierAnswer => ({
        outcome: 'referred',
        premiumCents,
        pending: { keep: { look }, pollAfterMs: 1 },
      });
      const keep: unknown[] = [];
      const carrier = scriptedCarrier(async () => referral(90_000n, 0), {
        async resume(_, context) {
          keep.push(context.keep['look']);
          const premium = premiums[looks++];
          if (premium === 'fault') throw new CarrierFault('Down.', { kind: 'failed', code: 'http_500' });
          if (looks > premiums.length) return quotedAt(88_000n);
          if (premium === undefined) return { outcome: 'pending', pending: { keep: { look: looks }, pollAfterMs: 1 } };
          return referral(premium, looks);
        },
      });
      await using bench = await createBench(engine, [carrier]);
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      await eventually(
        async () => (await rateOf(bench, id)).premium === '880.00',
        () => `${looks} looks`,
      );
      expect(looks).toBe(premiums.length + 1);
      expect(keep).toEqual([0, 1, 2, 3, 4, 4, 6, 7, 8]);
      expect(await historyOf(bench, id)).toEqual([
        'queued processing ',
        'processing success referred',
        'success success referred',
        'success success referred',
        'success success quoted',
      ]);
      const events = (await bench.quotes.events('team-1', id))!;
      const types: string[] = [];
      for (let count = 0; count < 5; count++) types.push((await events.next())!.message.type);
      events.end();
      expect(types).toEqual(['rate.ended', 'quote.completed', 'rate.changed', 'rate.changed', 'rate.changed']);
    });

    it('are encrypted, and erased with their quote', async () => {
      const carrier = scriptedCarrier(
        async () => ({
          outcome: 'pending',
          pending: { keep: { session: 'PLANTED-SESSION' }, reference: 'PLANTED-JOB' },
        }),
        { verifyCallback },
      );
      const encryption = { current: { id: 'k1', key: Buffer.alloc(32, 7) } };
      await using bench = await createBench(engine, [carrier], { encryption });
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      await pendingSince(bench, id);
      const database = await bench.place.open();
      const { sql } = await import('kysely');
      const stored = async () =>
        (await sql<{ pending: string | null }>`select * from quote_rate`.execute(database.tables())).rows[0]!;
      expect((await stored()).pending).toMatch(/^aes-256-gcm\.@/);
      expect(JSON.stringify(await stored())).not.toMatch(/PLANTED/);
      expect(await bench.quotes.erase('team-1', id)).toBe(true);
      expect(await stored()).toMatchObject({ pending: null, pending_reference: null, wake_at: null });
    });

    const senseless: readonly [string, CarrierAnswer, Partial<CarrierAdapter>, string][] = [
      ['nothing to wait with', { outcome: 'pending' }, {}, 'cannot_wait'],
      [
        'too much to keep',
        { outcome: 'pending', pending: { keep: { much: 'x'.repeat(20_000) } } },
        { resume: async () => quotedAt(1n) },
        'invalid_wait',
      ],
      [
        'a reference that is none',
        { outcome: 'pending', pending: { reference: '' } },
        { verifyCallback },
        'invalid_wait',
      ],
      [
        'a time that is none',
        { outcome: 'pending', pending: { pollAfterMs: Number.NaN } },
        { resume: async () => quotedAt(1n) },
        'invalid_wait',
      ],
    ];
    it(`are rejected with ${senseless.map(([what]) => what).join(', ')}`, async () => {
      const carriers = senseless.map(([name, answer, more], index) =>
        scriptedCarrier(async () => answer, { key: `senseless_${index}`, name, ...more }),
      );
      await using bench = await createBench(engine, carriers);
      const { quote_request_id: id } = await bench.quotes.create('team-1', ho3);
      const { rates } = await bench.completed(id);
      const told = rates.map((rate) => [rate.carrier, rate.carrier_response_messages?.[0]?.code]);
      expect(Object.fromEntries(told)).toEqual(Object.fromEntries(senseless.map(([name, , , code]) => [name, code])));
    });
  });
}

describe('a rate limit', () => {
  it('counts the requests of a call', async () => {
    const at: number[] = [];
    const carrier = scriptedCarrier(
      async (_, { beforeRequest }) => {
        for (let request = 0; request < 3; request++) {
          await beforeRequest!();
          at.push(performance.now());
        }
        return quotedAt(1n);
      },
      { limits: { rateLimit: { calls: 1, perMs: 150 } } },
    );
    await using bench = await createBench(engines[0]!, [carrier]);
    const start = performance.now();
    const made = await Promise.all([bench.quotes.create('team-1', ho3), bench.quotes.create('team-1', ho3)]);
    for (const { quote_request_id: id } of made) await bench.completed(id);
    expect(at).toHaveLength(6);
    at.sort((one, other) => one - other);
    // From the first: a busy machine may record one poll late.
    for (let index = 1; index < at.length; index++) expect(at[index]! - start).toBeGreaterThan(index * 150 - 30);
  });
});
