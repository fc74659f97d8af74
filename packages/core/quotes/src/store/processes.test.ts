import { describe, expect, it } from 'vitest';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { newQuote, replaceStoreMethods, takeRates } from '../testing/store-bench.ts';
import { eventually } from '../testing/suite.ts';
import { finish } from './end-rates.ts';
import { handOut } from './hand-out.ts';
import { quoteMigrations } from './migrations.ts';
import { createProcessWatch, MAX_SILENCE_MS } from './processes.ts';
import { SqlQuoteStore } from './sql-quote-store.ts';
import { createStoreContext } from './store-context.ts';

const HOUR_MS = 3_600_000;

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`leases of dead processes, on ${engine.title}`, () => {
    async function withProcesses(
      count: number,
      work: (tools: {
        processes: { watch: ReturnType<typeof createProcessWatch>; context: ReturnType<typeof createStoreContext> }[];
        pass: (ms: number) => void;
        setClock: (ms: number) => void;
        hold: (process: number) => Promise<string>;
        take: (process: number) => Promise<string[]>;
      }) => Promise<void>,
    ) {
      await using place = await engine.createPlace();
      let [steadyMs, clockMs] = [0, Date.UTC(2026, 10, 20)];
      const clock = { nowMicros: () => clockMs * 1000 };
      const database = await place.open({ migrations: [quoteMigrations] });
      const processes = Array.from({ length: count }, () => {
        const context = createStoreContext({
          database,
          encryption: undefined,
          clock,
        });
        return { context, watch: createProcessWatch(context, () => steadyMs) };
      });
      const store = new SqlQuoteStore({ database, clock });
      const take = (process: number) =>
        takeRates({ handOut: (requests) => handOut(processes[process]!.context, requests) }, 'carrier', {
          leaseMs: HOUR_MS,
          count: 1,
        });
      await work({
        processes,
        pass(ms) {
          steadyMs += ms;
          clockMs += ms;
        },
        setClock(ms) {
          clockMs += ms;
        },
        async hold(process) {
          const quote = newQuote('team-1', 'carrier', 1);
          await store.createQuote(quote);
          const { id } = quote.rates[0]!;
          expect(await take(process)).toMatchObject([{ rateId: id }]);
          return id;
        },
        take: async (process) => (await take(process)).map(({ rateId }) => rateId),
      });
    }
    const endingOf = (rateId: string, fence: number) => ({
      rateId,
      fence,
      teamId: 'team-1',
      outcome: 'quoted' as const,
      premiumCents: 100n,
      answer: {},
      retryable: false,
    });
    const none = { processes: 0, leases: 0 };

    it('end after eight seconds without a heartbeat, and the fence blocks a late write', () =>
      withProcesses(3, async ({ processes, pass, hold, take }) => {
        const [dead, other, alive] = processes.map(({ watch }) => watch);
        for (const each of processes) await each.watch.follow();
        const [left, late] = [await hold(0), await hold(0)];
        const kept = await hold(2);
        let silentMs = 0;
        let ended = none;
        for (; ended.processes === 0 && silentMs <= 60_000; silentMs += 1000) {
          pass(1000);
          for (const each of [alive, other]) {
            const now = await each!.follow();
            if (now.processes > 0) ended = now;
          }
        }
        expect(ended).toEqual({ processes: 1, leases: 2 });
        expect(silentMs).toBeGreaterThanOrEqual(MAX_SILENCE_MS);
        expect(silentMs).toBeLessThanOrEqual(MAX_SILENCE_MS + 2000);
        // Paused, not dead: this rate was not handed out again, the other is meanwhile.
        expect(await finish(processes[0]!.context, [endingOf(left, 1)])).toEqual([true]);
        expect(await take(1)).toEqual([late]);
        expect(await take(1)).toEqual([]);
        expect(await finish(processes[2]!.context, [endingOf(kept, 1)])).toEqual([true]);
        expect(await finish(processes[0]!.context, [endingOf(late, 1)])).toEqual([false]);
        await dead!.follow();
        const again = await hold(0);
        for (let round = 0; round < 20; round++) {
          pass(1000);
          for (const each of processes) expect(await each.watch.follow()).toEqual(none);
        }
        expect(await take(1)).toEqual([]);
        expect(await finish(processes[0]!.context, [endingOf(again, 1)])).toEqual([true]);
      }));

    it('continue if the observer was paused or a clock was set', () =>
      withProcesses(2, async ({ processes, pass, setClock, hold, take }) => {
        const [holder, other] = processes.map(({ watch }) => watch);
        const held = await hold(0);
        await holder!.follow();
        for (let round = 0; round < 3; round++) {
          expect(await other!.follow()).toEqual(none);
          pass(60_000);
          expect(await other!.follow()).toEqual(none);
          pass(1000);
          setClock(HOUR_MS / 4);
          expect(await other!.follow()).toEqual(none);
          setClock(-HOUR_MS / 4);
          pass(1000);
          await holder!.follow();
        }
        expect(await take(1)).toEqual([]);
        expect(await finish(processes[0]!.context, [endingOf(held, 1)])).toEqual([true]);
      }));

    it('are watched without writes by a lone process, and a stopped process is removed', () =>
      withProcesses(2, async ({ processes, pass }) => {
        const [first, second] = processes.map(({ watch }) => watch);
        const { db } = processes[0]!.context;
        const beats = () => db.selectFrom('quote_process').select('beats').orderBy('beats').execute();
        for (let round = 0; round < 3; round++) await first!.follow();
        expect(await beats()).toEqual([{ beats: 1 }]);
        await second!.follow();
        for (let round = 0; round < 20; round++) {
          pass(1000);
          expect(await first!.follow()).toEqual(none);
          expect(await second!.follow()).toEqual(none);
        }
        expect(await beats()).toEqual([{ beats: 21 }, { beats: 21 }]);
        await second!.leave();
        await first!.follow();
        expect(await beats()).toEqual([{ beats: 21 }]);
      }));

    it('are taken over by another process, which repeats the call to an idempotent carrier', async () => {
      let calls = 0;
      const carrier = scriptedCarrier(
        async (_, { signal }) => {
          if (++calls > 1) return quotedAt(1000n);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          throw new CarrierFault('Broken off.', { kind: 'lost', code: 'aborted' });
        },
        { idempotent: true, limits: { deadlineMs: 600_000 } },
      );
      await using bench = await createBench(engine, [carrier], { work: false });
      let beats = 0;
      const wrapPort = replaceStoreMethods((store) => ({
        beat: async () => (beats++ === 0 ? store.beat() : none),
      }));
      const killed = await bench.join({ wrapPort, sweepIntervalMs: 600_000 });
      await killed.start();
      const created = await killed.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      await eventually(
        () => calls === 1,
        () => 'not asked',
      );
      const other = await bench.join();
      await other.start();
      expect((await bench.completed(created.quote_request_id, 60_000)).outcomes.quoted).toBe(1);
      expect(bench.events.filter((event) => event.type === 'process_lost')).toEqual([
        { type: 'process_lost', processes: 1, leases: 1 },
      ]);
    }, 90_000);
  });
}
