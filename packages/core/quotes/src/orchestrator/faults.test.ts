import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CarrierAdapter, CarrierAnswer, LookupAnswer } from '../ports/carrier-adapter.ts';
import { CarrierFault, type FaultKind } from '../ports/carrier-fault.ts';
import type { FullRate } from '../present/rate.ts';
import { createPQueueBackend } from '../queues/p-queue.ts';
import { type Bench, createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { withChaos } from '../testing/chaos.ts';
import { exampleBody } from '../testing/example-request.ts';
import { replaceStoreMethods } from '../testing/store-bench.ts';
import { eventually } from '../testing/suite.ts';

const ho3 = { ...exampleBody, form_types: ['ho3'] };
const fault = (kind: FaultKind, more: { retryAfterMs?: number } = {}) =>
  new CarrierFault(`It ${kind}.`, { kind, code: kind, ...more });
const hang: CarrierAdapter['quote'] = (_, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

type Played = Partial<CarrierAdapter> & { maxAttempts?: number };

function playingCarrier(
  script: readonly (CarrierAnswer | Error | 'hang')[],
  { maxAttempts = 3, ...more }: Played = {},
): ReturnType<typeof scriptedCarrier> {
  const carrier = scriptedCarrier(
    async (request, context) => {
      const step = script[Math.min(carrier.calls, script.length) - 1]!;
      if (step === 'hang') return hang(request, context);
      if (step instanceof Error) throw step;
      return step;
    },
    {
      limits: {
        deadlineMs: 60,
        maxAttempts,
        backoff: { initialMs: 5, maxMs: 20 },
        breaker: { failures: 100, cooldownMs: 100 },
      },
      ...more,
    },
  );
  return carrier;
}

async function ask(bench: Bench, carrier: ReturnType<typeof scriptedCarrier>) {
  const created = await bench.quotes.create('team-1', { ...ho3, carrier_keys: [carrier.key] });
  const [rate] = (await bench.completed(created.quote_request_id)).rates as FullRate[];
  return {
    calls: carrier.calls,
    outcome: rate!.outcome,
    status: rate!.status,
    error: rate!.error,
    rate: rate!,
    attempts: rate!.attempts,
  };
}

async function play(
  engine: (typeof engines)[number],
  script: readonly (CarrierAnswer | Error | 'hang')[],
  options: Played = {},
) {
  const carrier = playingCarrier(script, options);
  await using bench = await createBench(engine, [carrier], { leaseMarginMs: 500 });
  return await ask(bench, carrier);
}

const [sqlite] = engines;
for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`a carrier's faults, on ${engine.title}`, { concurrent: true }, () => {
    const good = quotedAt(100_000n);
    const found: LookupAnswer = { status: 'found', answer: quotedAt(55_500n) };
    const lookups = (answers: readonly (LookupAnswer | Error)[]) => {
      let asked = 0;
      return async (): Promise<LookupAnswer> => {
        const answer = answers[Math.min(asked++, answers.length - 1)]!;
        if (answer instanceof Error) throw answer;
        return answer;
      };
    };

    const scripts = [
      ['refused, then well', [fault('refused'), fault('refused'), good], {}, 'quoted', 3],
      ['refused for good', [fault('refused')], {}, 'failed', 3],
      ['failed, not idempotent: it may have done the work', [fault('failed'), good], {}, 'unknown_outcome', 1],
      ['failed for good, idempotent', [fault('failed')], { idempotent: true }, 'failed', 3],
      [
        'failed, and looking up tells nothing',
        [fault('failed'), good],
        { lookup: lookups([fault('failed')]) },
        'unknown_outcome',
        1,
      ],
      ['unasked, then well', [fault('not_sent'), fault('not_sent'), good], {}, 'quoted', 3],
      ['failed, idempotent', [fault('failed'), good], { idempotent: true }, 'quoted', 2],
      ['lost, not idempotent: nobody knows', [fault('lost'), good], {}, 'unknown_outcome', 1],
      ['lost, idempotent', [fault('lost'), good], { idempotent: true }, 'quoted', 2],
      ['lost, and found by looking up', [fault('lost'), good], { lookup: lookups([found]) }, 'quoted', 1],
      ['lost, and never arrived', [fault('lost'), good], { lookup: lookups([{ status: 'absent' }]) }, 'failed', 1],
      [
        'lost, and the carrier cannot say',
        [fault('lost'), good],
        { lookup: lookups([{ status: 'unknown' }]) },
        'unknown_outcome',
        1,
      ],
      [
        'lost, and looking up fails at first',
        [fault('lost'), good],
        { lookup: lookups([fault('lost'), found]) },
        'quoted',
        1,
      ],
      ['failed, and found by looking up', [fault('failed')], { lookup: lookups([found]) }, 'quoted', 1],
      ['hangs, not idempotent', ['hang', good], {}, 'timed_out', 1],
      ['hangs, idempotent', ['hang', good], { idempotent: true }, 'quoted', 2],
      ['hangs for good, idempotent', ['hang'], { idempotent: true, maxAttempts: 2 }, 'timed_out', 2],
      ['hangs, and found by looking up', ['hang'], { lookup: lookups([found]) }, 'quoted', 1],
      ['nonsense', [fault('invalid'), good], { idempotent: true }, 'invalid', 1],
      ['unreadable, idempotent', [fault('unreadable'), good], { idempotent: true }, 'quoted', 2],
      ['unreadable for good, idempotent', [fault('unreadable')], { idempotent: true }, 'invalid', 3],
      ['unreadable, not idempotent: nobody knows', [fault('unreadable'), good], {}, 'unknown_outcome', 1],
      ['unreadable, and found by looking up', [fault('unreadable')], { lookup: lookups([found]) }, 'quoted', 1],
      [
        'unreadable, and looking up is unreadable at first',
        [fault('unreadable')],
        { lookup: lookups([fault('unreadable'), found]) },
        'quoted',
        1,
      ],
      ['an adapter that throws something of its own', [new TypeError('oops'), good], {}, 'unknown_outcome', 1],
      ['declined', [{ outcome: 'declined' }], {}, 'declined', 1],
      ['ineligible', [{ outcome: 'ineligible' }], {}, 'ineligible', 1],
      ['lacks information', [{ outcome: 'needs_information' }], {}, 'needs_information', 1],
      ['referred with a premium', [{ outcome: 'referred', premiumCents: 5n }], {}, 'referred', 1],
      ['a quote without a premium', [{ outcome: 'quoted' }], {}, 'invalid', 1],
      ['a negative premium', [quotedAt(-100n)], {}, 'invalid', 1],
      ['a premium of ten million', [quotedAt(1_000_000_000n)], {}, 'invalid', 1],
      [
        'a premium that is a number',
        [{ outcome: 'quoted', premiumCents: 1843.5 as unknown as bigint }],
        {},
        'invalid',
        1,
      ],
      ['an unknown outcome', [{ outcome: 'maybe' as 'quoted' }], {}, 'invalid', 1],
      ['no answer at all', [undefined as unknown as CarrierAnswer], {}, 'invalid', 1],
    ] as const;
    const carriers = new Map(
      scripts.map(([name, script, options], index) => [
        name as string,
        playingCarrier(script, { key: `scripted_${index}`, name, ...options }),
      ]),
    );
    let bench: Bench;
    beforeAll(async () => {
      bench = await createBench(engine, [...carriers.values()], { leaseMarginMs: 500 });
    });
    afterAll(() => bench[Symbol.asyncDispose]());
    it.each(scripts)('%s', async (name, _, options, outcome, calls) => {
      const played = await ask(bench, carriers.get(name)!);
      expect({ outcome: played.outcome, calls: played.calls }).toEqual({ outcome, calls });
      const wins = outcome === 'quoted' || outcome === 'referred';
      expect(played.status).toBe(wins ? 'success' : 'error');
      const { idempotent = false }: Partial<CarrierAdapter> = options;
      const retryable = {
        failed: true,
        timed_out: idempotent,
        unknown_outcome: false,
        invalid: name.startsWith('unreadable'),
      }[outcome as string];
      expect(played.error === null ? undefined : played.error.retryable).toBe(retryable);
    });

    it('waits for the time in Retry-After', async () => {
      const start = performance.now();
      expect(await play(engine, [fault('refused', { retryAfterMs: 400 }), good])).toMatchObject({
        outcome: 'quoted',
        calls: 2,
      });
      expect(performance.now() - start).toBeGreaterThan(395);
    });

    it('ends at once if Retry-After exceeds the time of the quote', async () => {
      const limits = { maxCooldownMs: 3_600_000 };
      expect(await play(engine, [fault('refused', { retryAfterMs: 3_600_000 })], { limits })).toMatchObject({
        outcome: 'failed',
        error: { retryable: true },
      });
    });

    it('ends by the deadline of the quote, whichever worker has it', async () => {
      const carrier = scriptedCarrier(async () => good);
      await using bench = await createBench(engine, [carrier], { quoteDeadlineMs: 100, work: false });
      const created = await bench.quotes.create('team-1', ho3);
      await new Promise((resolve) => setTimeout(resolve, 150));
      const sweeper = await bench.join({ carriers: [scriptedCarrier(hang, { key: 'another', name: 'Another' })] });
      await sweeper.sweep();
      const status = await bench.completed(created.quote_request_id);
      expect(status.rates[0]).toMatchObject({ outcome: 'timed_out', error: { code: 'deadline', retryable: true } });
      expect(carrier.calls).toBe(0);
    });

    it('occupies a slot while a call ignores its signal', async () => {
      let running = 0;
      let most = 0;
      const deaf = scriptedCarrier(
        async () => {
          running++;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 300));
          running--;
          return good;
        },
        { limits: { concurrency: 2, deadlineMs: 50, maxAttempts: 1 } },
      );
      await using bench = await createBench(engine, [deaf], { leaseMarginMs: 2000 });
      const created = await Promise.all(Array.from({ length: 8 }, () => bench.quotes.create('team-1', ho3)));
      for (const { quote_request_id: id } of created) expect((await bench.completed(id)).outcomes.timed_out).toBe(1);
      expect(most).toBe(2);
    });

    it('is taken over from a dead worker without a second call', async () => {
      const carrier = scriptedCarrier(async () => good, { limits: { deadlineMs: 100 } });
      await using bench = await createBench(engine, [carrier], { leaseMarginMs: 100, work: false });
      // Killed after its call: its result is never written.
      const { promise: killed, reject: kill } = Promise.withResolvers<never>();
      const wrapPort = replaceStoreMethods(() => ({ finish: () => killed }));
      const gone = await bench.join({ wrapPort, sweepIntervalMs: 600_000 });
      await gone.start();
      const created = await gone.create('team-1', ho3);
      await eventually(
        () => carrier.calls === 1,
        () => 'not called',
      );
      const heir = await bench.join();
      await heir.start();
      const status = await bench.completed(created.quote_request_id);
      expect(status.rates[0]).toMatchObject({ outcome: 'unknown_outcome', attempts: 2, error: { retryable: false } });
      expect(carrier.calls).toBe(1);
      const history = await heir.history('team-1', created.rate_index[0]!.id);
      expect(history!.map(({ from, to, reason }) => [from, to, reason])).toEqual([
        ['queued', 'processing', undefined],
        ['processing', 'processing', 'lease_ran_out'],
        ['processing', 'error', 'unknown_outcome'],
      ]);
      kill(new Error('gone'));
    });
  });
}

describe('limits', () => {
  const engine = sqlite!;

  it.each(engines.filter((each) => each.skip === undefined))(
    'hold the rate, over two processes on $title',
    async (each) => {
      const starts: number[] = [];
      const carrier = scriptedCarrier(
        async () => {
          starts.push(performance.now());
          return quotedAt(1000n);
        },
        { limits: { concurrency: 10, rateLimit: { calls: 20, perMs: 1000 } } },
      );
      await using bench = await createBench(each, [carrier]);
      const second = await bench.join();
      await second.start();
      const made = await Promise.all(
        Array.from({ length: 24 }, (_, index) => (index % 2 ? second : bench.quotes).create('team-1', ho3)),
      );
      for (const { quote_request_id: id } of made) await bench.completed(id, 20_000);
      starts.sort((a, b) => a - b);
      // Evenly spaced: at most eleven calls in half a second, with a margin for the time from permit to call.
      for (const [index, start] of starts.entries()) {
        const within = starts.slice(index).filter((other) => other - start < 500 - 60).length;
        expect(within).toBeLessThanOrEqual(11);
      }
      expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(23 * 50 - 100);
    },
  );

  it('pause a failing carrier and resume it', async () => {
    let down = true;
    const carrier = scriptedCarrier(
      async () => {
        if (down) throw fault('refused');
        return quotedAt(1000n);
      },
      {
        limits: {
          concurrency: 1,
          maxAttempts: 50,
          backoff: { initialMs: 1, maxMs: 2 },
          breaker: { failures: 3, cooldownMs: 400 },
        },
      },
    );
    await using bench = await createBench(engine, [carrier]);
    const created = await bench.quotes.create('team-1', ho3);
    await eventually(
      () => bench.events.some((event) => event.type === 'carrier_given_up'),
      () => 'not given up',
    );
    const calls = carrier.calls;
    expect(calls).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(carrier.calls).toBe(calls);
    await eventually(
      () => carrier.calls === 4,
      () => `${carrier.calls} calls`,
    );
    down = false;
    expect((await bench.completed(created.quote_request_id)).counts.success).toBe(1);
    expect(carrier.calls).toBe(5);
    expect(bench.events.map((event) => event.type)).toContain('carrier_back');
  });

  it('count a decline as a success', async () => {
    const carrier = scriptedCarrier(async () => ({ outcome: 'declined' }), {
      limits: { breaker: { failures: 1, cooldownMs: 10_000 } },
    });
    await using bench = await createBench(engine, [carrier]);
    const created = await Promise.all(Array.from({ length: 5 }, () => bench.quotes.create('team-1', ho3)));
    for (const { quote_request_id: id } of created) await bench.completed(id);
    expect(carrier.calls).toBe(5);
  });

  it.each([
    [{ concurrency: 0 }, /concurrency of the carrier scripted is 0/],
    [{ deadlineMs: Number.NaN }, /deadlineMs/],
    [{ backoff: { initialMs: 10, maxMs: 5 } }, /backoff.maxMs/],
    [{ rateLimit: { calls: 0, perMs: 1 } }, /rateLimit.calls/],
  ])('%j are rejected', async (limits, message) => {
    await expect(createBench(engine, [scriptedCarrier(hang, { limits })])).rejects.toThrow(message);
  });
});

describe('a queue that loses, repeats and rejects jobs', () => {
  it.each(engines.filter((each) => each.skip === undefined))(
    'loses no rate and calls no carrier twice, on $title',
    async (engine) => {
      const calls = new Map<string, number>();
      const carrier = scriptedCarrier(
        async ({ rateId }) => {
          calls.set(rateId, (calls.get(rateId) ?? 0) + 1);
          return quotedAt(1000n);
        },
        { limits: { concurrency: 20 } },
      );
      let seed = 7;
      const random = () => {
        seed = (seed * 16807) % 2147483647;
        return seed / 2147483647;
      };
      const queue = withChaos(createPQueueBackend(), { random, lose: 0.3, repeat: 0.4, refuse: 0.2, delayMs: 30 });
      await using bench = await createBench(engine, [carrier], { queue });
      const made = await Promise.all(Array.from({ length: 60 }, () => bench.quotes.create('team-1', ho3)));
      for (const { quote_request_id: id } of made) expect((await bench.completed(id)).counts.success).toBe(1);
      expect([...calls.values()].filter((count) => count !== 1)).toEqual([]);
      expect(calls.size).toBe(60);
    },
  );
});

describe('a worker whose clock is two minutes off', () => {
  it.each(engines.filter((each) => each.skip === undefined))(
    'takes nothing away from others, on $title',
    async (engine) => {
      const slow = scriptedCarrier(async () => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        return quotedAt(1000n);
      });
      await using bench = await createBench(engine, [slow]);
      const created = await bench.quotes.create('team-1', ho3);
      await eventually(
        () => slow.calls === 1,
        () => 'not called',
      );
      const real = Date.now;
      const wrong = vi.spyOn(Date, 'now').mockImplementation(() => real() + 120_000);
      try {
        const other = await bench.join();
        await other.start();
        for (let sweep = 0; sweep < 3; sweep++) await other.sweep();
        const status = await bench.completed(created.quote_request_id);
        expect(status.counts.success).toBe(1);
        expect(slow.calls).toBe(1);
        expect(Math.abs(Date.parse(status.completed_at!) - real())).toBeLessThan(60_000);
      } finally {
        wrong.mockRestore();
      }
    },
  );
});
