import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobRef } from '../ports/queue-backend.ts';
import { createUuid } from '../request/uuid.ts';
import { engines } from '../testing/bench.ts';
import { createSetTime, newQuote, type SetTime } from '../testing/store-bench.ts';
import type { Hold } from './change-rates.ts';
import { jobOf, parseJobKey } from './job-key.ts';
import { quoteMigrations } from './migrations.ts';
import type { SqlQuoteStore } from './sql-quote-store.ts';

/*
 * Random sequences of process actions on the rates of two carriers, compared with a model: no due rate waits while
 * there is capacity, a rate is claimed again only after its lease, and finally every open rate is handed out.
 */

const LEASE_MS = 20_000;
const DELAY_MS = 30_000;
const AGAIN_MS = 10_000;
const MAX_PENDING_MS = 9 * 86_400_000;
const PROCESSES = 2;

interface ModelRate {
  readonly id: string;
  readonly quoteId: string;
  readonly team: string;
  readonly carrier: number;
  fence: number;
  hand: 'waiting' | 'ready' | 'handed_out' | 'ended';
  wakeAt: number;
  leaseUntil: number | undefined;
  isPending: boolean;
  isQueued: boolean;
  ending: 'quoted' | 'failed' | 'cancelled' | 'replaced' | undefined;
}

interface Model {
  readonly rates: Map<string, ModelRate>;
  readonly paused: Set<number>;
  readonly jobs: JobRef[][];
  readonly holds: Hold[][];
}

interface Real {
  readonly time: SetTime;
  readonly carriers: readonly string[];
  readonly stores: SqlQuoteStore[];
  open(): Promise<SqlQuoteStore>;
}

type Step = fc.AsyncCommand<Model, Real>;

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => name,
});

const nth = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];
const ofCarrier = (model: Model, carrier: number) =>
  [...model.rates.values()].filter((rate) => rate.carrier === carrier);

async function create(model: Model, real: Real, team: string, carrier: number, count: number) {
  const quote = newQuote(team, real.carriers[carrier]!, count);
  await real.stores[0]!.createQuote(quote);
  for (const { id } of quote.rates) addRate(model, real, { id, quoteId: quote.id, team, carrier });
  return quote.rates.map(({ id }) => id);
}

function addRate(model: Model, real: Real, rate: Pick<ModelRate, 'id' | 'quoteId' | 'team' | 'carrier'>) {
  const made = { fence: 0, hand: 'waiting', leaseUntil: undefined, isPending: false, isQueued: true } as const;
  model.rates.set(rate.id, { ...rate, ...made, wakeAt: real.time.nowMs, ending: undefined });
}

/** Must succeed exactly if the model has the current fence and no lease. */
async function claim(model: Model, real: Real, process: number, jobs: readonly JobRef[]) {
  const claims = jobs.map((job) => ({ ...job, token: createUuid(0), leaseMs: LEASE_MS, sent: true }));
  const claimed = await real.stores[process]!.claim(claims);
  for (const [index, job] of jobs.entries()) {
    const { rateId, fence } = parseJobKey(job.key);
    const rate = model.rates.get(rateId)!;
    const isFree = rate.leaseUntil === undefined || rate.leaseUntil <= real.time.nowMs;
    expect(claimed[index] !== undefined, `claim of ${job.key}`).toBe(
      rate.hand !== 'ended' && rate.fence === fence && isFree,
    );
    if (claimed[index] === undefined) continue;
    const leaseUntil = real.time.nowMs + LEASE_MS;
    Object.assign(rate, { fence: fence + 1, hand: 'waiting', leaseUntil, wakeAt: leaseUntil });
    if (!rate.isPending) rate.isQueued = false;
    model.holds[process]!.push({ rateId, fence: fence + 1 });
  }
}

type Fate = 'finish' | 'fail' | 'back_off' | 'pend';

async function settle(model: Model, real: Real, process: number, holds: readonly Hold[], fate: Fate) {
  const store = real.stores[process]!;
  for (const hold of holds) {
    const rate = model.rates.get(hold.rateId)!;
    const carrierKey = real.carriers[rate.carrier]!;
    const isHeld = rate.hand !== 'ended' && rate.fence === hold.fence && rate.leaseUntil !== undefined;
    let isDone: boolean | undefined;
    if (fate === 'pend') {
      const wait = { keep: {}, failures: 0, carrierKey, delayMs: DELAY_MS, reference: undefined };
      [isDone] = await store.keepPending([{ ...hold, ...wait, maxPendingMs: MAX_PENDING_MS }]);
    } else if (fate === 'back_off') {
      const release = { delayMs: DELAY_MS, keepSent: false, uncounted: false, reason: 'http_503' };
      [isDone] = await store.release([{ ...hold, ...release }]);
    } else {
      const [outcome, retryable] = fate === 'finish' ? (['quoted', false] as const) : (['failed', true] as const);
      const premiumCents = fate === 'finish' ? 100n : undefined;
      [isDone] = await store.finish([{ ...hold, outcome, premiumCents, answer: {}, retryable }]);
    }
    expect(isDone, `${fate} of ${hold.rateId}`).toBe(isHeld && !(fate === 'back_off' && rate.isPending));
    if (!isDone) continue;
    Object.assign(rate, { leaseUntil: undefined, hand: 'waiting', wakeAt: real.time.nowMs + DELAY_MS });
    if (fate === 'pend') rate.isPending = true;
    if (fate === 'back_off') rate.isQueued = true;
    if (fate === 'finish' || fate === 'fail') {
      Object.assign(rate, { hand: 'ended', ending: fate === 'finish' ? 'quoted' : 'failed' });
    }
  }
}

async function handOut(model: Model, real: Real, process: number, capacity: number) {
  const open = real.carriers.map((_, carrier) => carrier).filter((carrier) => !model.paused.has(carrier));
  const queues = open.map((carrier) => ({ carrierKey: real.carriers[carrier]!, capacity }));
  const { jobs } = await real.stores[process]!.handOut({ queues, againMs: AGAIN_MS });
  const { nowMs } = real.time;
  expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
  for (const carrier of open) {
    const rates = ofCarrier(model, carrier);
    const isLost = (rate: ModelRate) => rate.hand === 'handed_out' && rate.wakeAt <= nowMs;
    const lost = rates.filter(isLost);
    const due = rates.filter((rate) => rate.hand === 'ready' || (rate.hand === 'waiting' && rate.wakeAt <= nowMs));
    const handed = jobs
      .filter((job) => job.queue === real.carriers[carrier])
      .map(({ key }) => {
        const { rateId, fence } = parseJobKey(key);
        const rate = model.rates.get(rateId)!;
        expect(rate.fence).toBe(fence);
        return rate;
      });
    expect(lost.filter((rate) => !handed.includes(rate))).toEqual([]);
    const fresh = handed.filter((rate) => !isLost(rate));
    expect(fresh.filter((rate) => !due.includes(rate))).toEqual([]);
    expect(fresh.length, `handed out of ${due.length} that are due, with capacity for ${capacity}`).toBe(
      Math.min(capacity, due.length),
    );
    for (const rate of due) rate.hand = 'ready';
    for (const rate of handed) Object.assign(rate, { hand: 'handed_out', wakeAt: nowMs + AGAIN_MS });
  }
  model.jobs[process]!.push(...jobs);
}

const carrierIndex = fc.nat({ max: 1 });
const processIndex = fc.nat({ max: PROCESSES - 1 });
const anyIndex = fc.nat({ max: 1000 });
const teamName = fc.nat({ max: 299 }).map((index) => `team-${String(index).padStart(3, '0')}`);

const steps = [
  fc.tuple(teamName, carrierIndex, fc.integer({ min: 1, max: 3 })).map(([team, carrier, count]) =>
    step(`create(${team}, ${carrier}, ${count})`, async (model, real) => {
      await create(model, real, team, carrier, count);
    }),
  ),
  fc
    .tuple(fc.constantFrom(1, 20, 130, 200, 299), carrierIndex, fc.constantFrom('in_flight', 'pend', 'back_off'))
    .map(([size, carrier, fate]) =>
      step(`crowd(${size}, ${carrier}, ${fate})`, async (model, real) => {
        const teams = Array.from({ length: size }, (_, index) => `team-${String(index).padStart(3, '0')}`);
        const ids = (await Promise.all(teams.map((team) => create(model, real, team, carrier, 1)))).flat();
        const before = model.holds[0]!.length;
        await claim(
          model,
          real,
          0,
          ids.map((id) => jobOf(id, 0, real.carriers[carrier]!)),
        );
        if (fate !== 'in_flight') await settle(model, real, 0, model.holds[0]!.splice(before), fate);
      }),
    ),
  fc
    .tuple(processIndex, fc.integer({ min: 1, max: 40 }))
    .map(([process, capacity]) =>
      step(`handOut(${process}, ${capacity})`, (model, real) => handOut(model, real, process, capacity)),
    ),
  fc.tuple(processIndex, anyIndex).map(([process, index]) =>
    step(`claim(${process}, ${index})`, async (model, real) => {
      const jobs = model.jobs[process]!;
      const job = nth(jobs, index);
      if (job === undefined) return;
      jobs.splice(jobs.indexOf(job), 1);
      await claim(model, real, process, [job]);
    }),
  ),
  fc
    .tuple(processIndex, anyIndex, fc.constantFrom('finish', 'fail', 'back_off', 'pend'))
    .map(([process, index, fate]) =>
      step(`${fate}(${process}, ${index})`, async (model, real) => {
        const holds = model.holds[process]!;
        const hold = nth(holds, index);
        if (hold === undefined) return;
        holds.splice(holds.indexOf(hold), 1);
        await settle(model, real, process, [hold], fate);
      }),
    ),
  carrierIndex.map((carrier) =>
    step(`pause(${carrier})`, async (model, real) => {
      await real.stores[0]!.pauseCarrier(real.carriers[carrier]!);
      model.paused.add(carrier);
    }),
  ),
  carrierIndex.map((carrier) => step(`resume(${carrier})`, (model, real) => resume(model, real, carrier))),
  anyIndex.map((index) =>
    step(`cancel(${index})`, async (model, real) => {
      const chosen = nth([...model.rates.values()], index);
      if (chosen === undefined) return;
      const open = [...model.rates.values()].filter((rate) => rate.quoteId === chosen.quoteId && rate.hand !== 'ended');
      const cancelled = await real.stores[0]!.cancelQuote(chosen.quoteId);
      expect(cancelled.toSorted()).toEqual(open.map(({ id }) => id).toSorted());
      for (const rate of open) {
        Object.assign(rate, { hand: 'ended', leaseUntil: undefined, fence: rate.fence + 1, ending: 'cancelled' });
      }
    }),
  ),
  anyIndex.map((index) =>
    step(`retry(${index})`, async (model, real) => {
      const rate = nth(
        [...model.rates.values()].filter(({ ending }) => ending === 'failed'),
        index,
      );
      if (rate === undefined) return;
      const id = createUuid(real.time.nowMs);
      const options = { deadlineMs: MAX_PENDING_MS, isHandedOut: false, mayRepeat: false };
      expect(await real.stores[0]!.retryRate(rate.id, id, options)).toBe('retried');
      rate.ending = 'replaced';
      addRate(model, real, { ...rate, id });
    }),
  ),
  anyIndex.map((index) =>
    step(`requote(${index})`, async (model, real) => {
      const rate = nth(
        [...model.rates.values()].filter(({ ending }) => ending === 'quoted'),
        index,
      );
      if (rate === undefined) return;
      const carried = [{ id: createUuid(real.time.nowMs), from: rate.id, position: 1 }];
      const quote = newQuote(rate.team, real.carriers[rate.carrier]!, 1, { carried, requoteOf: rate.quoteId });
      expect(await real.stores[0]!.createQuote(quote)).toHaveProperty('createdAt');
      addRate(model, real, { ...rate, id: quote.rates[0]!.id, quoteId: quote.id });
    }),
  ),
  fc.integer({ min: 1, max: 40_000 }).map((ms) => step(`pass(${ms})`, async (_, real) => real.time.pass(ms))),
  fc.integer({ min: 5_000, max: 3_600_000 }).map((ms) =>
    step(`setBack(${ms})`, async (model, real) => {
      for (const store of real.stores) await store.followClock();
      real.time.pass(-ms);
      for (const store of real.stores) await store.followClock();
      // Times beyond half of the jump were set before it and move with the clock.
      const isOld = (at: number) => at > real.time.nowMs + ms / 2;
      for (const rate of model.rates.values()) {
        if (isOld(rate.wakeAt)) rate.wakeAt -= ms;
        if (rate.leaseUntil !== undefined && isOld(rate.leaseUntil)) rate.leaseUntil -= ms;
      }
    }),
  ),
  processIndex.map((process) =>
    step(`crash(${process})`, async (model, real) => {
      model.jobs[process] = [];
      model.holds[process] = [];
      real.stores[process] = await real.open();
    }),
  ),
];

async function resume(model: Model, real: Real, carrier: number) {
  await real.stores[0]!.endCooldown(real.carriers[carrier]!);
  model.paused.delete(carrier);
  for (const rate of ofCarrier(model, carrier)) {
    const waits = rate.hand !== 'ended' && rate.isQueued && rate.leaseUntil === undefined;
    if (waits && rate.wakeAt > real.time.nowMs) rate.wakeAt = real.time.nowMs;
  }
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the hand-out, against a model, on ${engine.title}`, () => {
    it('hands out each due rate once for any sequence of actions', { timeout: 300_000 }, async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      const time = createSetTime();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
          run++;
          time.pass(30 * 86_400_000);
          const open = async () => {
            const store = time.open(database);
            await store.followClock();
            return store;
          };
          const real: Real = {
            time,
            open,
            carriers: [`carrier-${run}-a`, `carrier-${run}-b`],
            stores: await Promise.all(Array.from({ length: PROCESSES }, open)),
          };
          const lists = <Item>() => Array.from({ length: PROCESSES }, (): Item[] => []);
          const model: Model = { rates: new Map(), paused: new Set(), jobs: lists(), holds: lists() };
          await fc.asyncModelRun(() => ({ model, real }), commands);
          for (const carrier of [0, 1]) await resume(model, real, carrier);
          time.pass(3_600_000);
          model.jobs[0] = [];
          await handOut(model, real, 0, 10_000);
          const unfinished = [...model.rates.values()].filter((rate) => rate.hand !== 'ended');
          expect(new Set(model.jobs[0]!.map(({ key }) => parseJobKey(key).rateId))).toEqual(
            new Set(unfinished.map(({ id }) => id)),
          );
          for (const { quoteId } of unfinished) await real.stores[0]!.cancelQuote(quoteId);
        }),
        { numRuns: 10 * Number(process.env.LEEWARD_TEST_VOLUME ?? 1) },
      );
    });
  });
}
