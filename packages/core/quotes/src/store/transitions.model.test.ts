import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createUuid } from '../request/uuid.ts';
import { engines } from '../testing/bench.ts';
import { createSetTime, newQuote, type SetTime, takeRates } from '../testing/store-bench.ts';
import { acceptCallback } from './callbacks.ts';
import { endCooldown, pauseCarrier } from './carrier-cooldowns.ts';
import { cancelQuote, expire, retryRate } from './change-quotes.ts';
import type { Hold } from './change-rates.ts';
import { type ClockWatch, createClockWatch } from './clock-jump.ts';
import { createQuote, type NewQuote } from './create-quote.ts';
import { finish } from './end-rates.ts';
import { eraseQuotes } from './erase.ts';
import { handOut } from './hand-out.ts';
import { quoteMigrations } from './migrations.ts';
import { keepPending } from './pending.ts';
import { createProcessWatch, type ProcessWatch } from './processes.ts';
import { markSent, release } from './release.ts';
import { createStoreContext, type StoreContext } from './store-context.ts';
import { type RateState, type RateTransition, transitions } from './transitions.ts';

/*
 * Random actions of several processes on the rates of two carriers, compared with a model that walks the table of transitions. After
 * each action both are in the same states. No due rate waits while a slot is free, and the concurrency is kept. A team's
 * most urgent and oldest rates go first. At the end every open rate is handed out.
 */

const LEASE_MS = 20_000;
const DELAY_MS = 30_000;
const MAX_PENDING_MS = 9 * 86_400_000;
const PROCESSES = 3;

interface ModelRate {
  readonly id: string;
  readonly quoteId: string;
  readonly team: string;
  readonly carrier: number;
  readonly priority: number;
  createdAt: number;
  state: RateState;
  fence: number;
  wakeAt: number;
  /** Remains while a rate whose lease ran out is ready. */
  leaseUntil: number | undefined;
  deadlineAt: number;
  owner: number | undefined;
  isQueued: boolean;
  isPending: boolean;
  /** A callback arrived during a poll. */
  isCalledBack: boolean;
  outcome: 'quoted' | 'failed' | 'referred' | 'replaced' | undefined;
}

interface Process {
  readonly context: StoreContext;
  readonly clock: ClockWatch;
  readonly watch: ProcessWatch;
  readonly holds: Hold[];
}

interface Model {
  readonly rates: Map<string, ModelRate>;
}

interface Real {
  readonly time: SetTime;
  readonly carriers: readonly string[];
  readonly processes: Process[];
  steadyMs: number;
  open(): Promise<Process>;
}

type Step = fc.AsyncCommand<Model, Real>;
const walked = new Map<RateTransition, number>();

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  async run(model, real) {
    await run(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

function go(rate: ModelRate, name: RateTransition, at?: number) {
  const { from, to }: { from: readonly RateState[]; to: readonly RateState[] } = transitions[name];
  expect(from, `${name} of ${rate.id}`).toContain(rate.state);
  walked.set(name, (walked.get(name) ?? 0) + 1);
  const [state] = to.length === 2 && at !== undefined ? (['waiting'] as const) : to;
  rate.state = state!;
  if (at !== undefined) rate.wakeAt = at;
  if (state === 'leased') rate.leaseUntil = at;
  else if (state !== 'ready') rate.leaseUntil = undefined;
}

async function compare(model: Model, { processes, carriers }: Real) {
  const { rows } = await sql<{ id: string; state: string; fence: number; wake_at: number | null }>`
    select id, state, fence, wake_at from quote_rate where carrier_key in (${sql.join(carriers)})`.execute(
    processes[0]!.context.db,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  expect(found.size).toBe(model.rates.size);
  for (const { id, state, fence, wakeAt } of model.rates.values()) {
    const row = found.get(id)!;
    const expected = `${state}, fence ${fence}, at ${state === 'ended' ? null : wakeAt * 1000}`;
    const actual = `${row.state}, fence ${row.fence}, at ${row.wake_at}`;
    // A ready rate keeps the time since which it is due.
    if (actual !== expected) expect(`${id}: ${actual}`).toBe(`${id}: ${expected}`);
  }
}

const nth = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];
const list = ({ rates }: Model) => [...rates.values()];
const isHeld = (rate: ModelRate, { fence }: Hold) =>
  rate.fence === fence && rate.leaseUntil !== undefined && (rate.state === 'leased' || rate.state === 'ready');

async function store(model: Model, real: Real, quote: NewQuote, team: string, carrier: number, deadlineMs: number) {
  const result = await createQuote(real.processes[0]!.context, { ...quote, deadlineMs });
  expect(result).toHaveProperty('createdAt');
  for (const { id } of quote.rates) {
    walked.set('create', (walked.get('create') ?? 0) + 1);
    add(model, real, { id, quoteId: quote.id, team, carrier, priority: quote.priority ?? 3 }, deadlineMs);
  }
}

type Identity = Pick<ModelRate, 'id' | 'quoteId' | 'team' | 'carrier' | 'priority'>;

function add(model: Model, { time: { nowMs } }: Real, identity: Identity, deadlineMs: number) {
  const { id, quoteId, team, carrier, priority } = identity;
  model.rates.set(id, {
    ...{ id, quoteId, team, carrier, priority, createdAt: nowMs, state: 'waiting', fence: 0, wakeAt: nowMs },
    ...{ leaseUntil: undefined, deadlineAt: nowMs + deadlineMs, owner: undefined, isQueued: true, isPending: false },
    ...{ isCalledBack: false, outcome: undefined },
  });
}

const byTurn = (one: ModelRate, other: ModelRate) =>
  one.priority - other.priority || one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

async function takeOf(
  model: Model,
  real: Real,
  options: { process: number; carrier: number; count: number; concurrency: number },
) {
  const { process, carrier, count, concurrency } = options;
  const { context, holds } = real.processes[process]!;
  const { nowMs } = real.time;
  const rates = list(model).filter((rate) => rate.carrier === carrier);
  const isLeased = (rate: ModelRate) => rate.state === 'leased' && rate.leaseUntil! > nowMs;
  const due = rates.filter(
    (rate) =>
      rate.state === 'ready' ||
      (rate.state !== 'ended' && rate.state !== 'leased' && rate.wakeAt <= nowMs) ||
      (rate.state === 'leased' && !isLeased(rate)),
  );
  const free = Math.min(count, concurrency - rates.filter(isLeased).length);
  const taken = await takeRates({ handOut: (requests) => handOut(context, requests) }, real.carriers[carrier]!, {
    ...{ count, concurrency, leaseMs: LEASE_MS },
  });
  expect(taken, `of ${due.length} due rates, with ${free} free slots`).toHaveLength(
    Math.max(0, Math.min(free, due.length)),
  );
  expect(new Set(taken.map(({ rateId }) => rateId)).size).toBe(taken.length);
  if (free <= 0) return;
  const chosen = new Set(taken.map(({ rateId }) => model.rates.get(rateId)!));
  for (const [team, own] of Map.groupBy(due, (rate) => rate.team)) {
    const first = own.toSorted(byTurn).slice(0, own.filter((rate) => chosen.has(rate)).length);
    expect(own.filter((rate) => chosen.has(rate)).toSorted(byTurn), `the first of ${team}`).toEqual(first);
  }
  for (const rate of due) {
    if (chosen.size < due.length && rate.state === 'waiting') go(rate, 'become_due');
    if (chosen.size < due.length && rate.state === 'leased') go(rate, 'run_out');
    if (!chosen.has(rate)) continue;
    go(rate, 'hand_out', nowMs + LEASE_MS);
    Object.assign(rate, { fence: rate.fence + 1, owner: process, isCalledBack: false });
    if (!rate.isPending) rate.isQueued = false;
    holds.push({ rateId: rate.id, fence: rate.fence });
  }
}

type Fate = 'finish' | 'fail' | 'refer' | 'back_off' | 'pend' | 'record';
const referenceOf = (rateId: string) => `reference ${rateId}`;

async function settle(model: Model, real: Real, process: number, hold: Hold, fate: Fate) {
  const { context } = real.processes[process]!;
  const { nowMs } = real.time;
  const rate = model.rates.get(hold.rateId)!;
  const carrierKey = real.carriers[rate.carrier]!;
  const wait = { keep: {}, failures: 0, carrierKey, delayMs: DELAY_MS, reference: referenceOf(rate.id) };
  const pending = { ...wait, teamId: 'team-1', maxPendingMs: MAX_PENDING_MS };
  const held = isHeld(rate, hold);
  let isDone: boolean | undefined;
  if (fate === 'pend') [isDone] = await keepPending(context, [{ ...hold, ...pending }]);
  else if (fate === 'record') [isDone] = await markSent(context, [{ ...hold, leaseMs: LEASE_MS, sent: true }]);
  else if (fate === 'back_off') {
    const back = { delayMs: DELAY_MS, keepSent: false, uncounted: false, reason: 'http_503' };
    [isDone] = await release(context, [{ ...hold, ...back }]);
  } else {
    const outcome = ({ finish: 'quoted', fail: 'failed', refer: 'referred' } as const)[fate];
    const ending = {
      teamId: 'team-1',
      outcome,
      premiumCents: fate === 'fail' ? undefined : 100n,
      answer: {},
      retryable: fate === 'fail',
    };
    [isDone] = await finish(context, [{ ...hold, ...ending, follow: fate === 'refer' ? pending : undefined }]);
  }
  expect(isDone, `${fate} of ${hold.rateId}`).toBe(held && !(fate === 'back_off' && rate.isPending));
  if (!isDone) return;
  if (fate === 'record') return go(rate, 'record_call', nowMs + LEASE_MS);
  if (fate === 'back_off') {
    go(rate, 'release', nowMs + DELAY_MS);
    rate.isQueued = true;
  } else if (fate === 'pend') {
    go(rate, 'keep_pending', rate.isCalledBack ? nowMs : nowMs + DELAY_MS);
    if (!rate.isPending) rate.deadlineAt = nowMs + MAX_PENDING_MS;
    Object.assign(rate, { isPending: true, isCalledBack: false });
  } else answered(rate, 'finish', fate, nowMs);
}

function answered(rate: ModelRate, name: 'finish' | 'answer', fate: 'finish' | 'fail' | 'refer', nowMs: number) {
  const isFollowed = fate === 'refer';
  go(rate, name, isFollowed ? nowMs + DELAY_MS : undefined);
  if (isFollowed) rate.deadlineAt = nowMs + MAX_PENDING_MS;
  const outcome = ({ finish: 'quoted', fail: 'failed', refer: 'referred' } as const)[fate];
  Object.assign(rate, { isPending: isFollowed, isQueued: false, outcome });
}

function endAll(rates: readonly ModelRate[], name: 'cancel' | 'expire') {
  for (const rate of rates) {
    go(rate, name);
    // An answer before stays.
    const outcome = rate.outcome === 'referred' ? ('quoted' as const) : undefined;
    Object.assign(rate, { fence: rate.fence + 1, isPending: false, outcome });
  }
}

const carrierIndex = fc.nat({ max: 1 });
const processIndex = fc.nat({ max: PROCESSES - 1 });
const anyIndex = fc.nat({ max: 1000 });
const nameOf = (index: number) => `team-${String(index).padStart(3, '0')}`;
const teamName = fc.nat({ max: 299 }).map(nameOf);
const priorities = fc.integer({ min: 1, max: 5 });
const MONTH_MS = 30 * 86_400_000;

const steps = [
  fc
    .tuple(teamName, carrierIndex, fc.integer({ min: 1, max: 3 }), priorities, fc.constantFrom(60_000, MONTH_MS))
    .map(([team, carrier, count, priority, deadlineMs]) =>
      step(`create(${team}, ${carrier}, ${count}, ${priority}, ${deadlineMs})`, async (model, real) => {
        const quote = newQuote(team, real.carriers[carrier]!, count, { priority });
        await store(model, real, quote, team, carrier, deadlineMs);
      }),
    ),
  fc
    .tuple(fc.constantFrom(1, 10, 40, 150), carrierIndex, fc.constantFrom('in_flight', 'pend', 'back_off'))
    .map(([size, carrier, fate]) =>
      step(`crowd(${size}, ${carrier}, ${fate})`, async (model, real) => {
        const teams = Array.from({ length: size }, (_, team) => nameOf(team));
        const make = (team: string) =>
          store(model, real, newQuote(team, real.carriers[carrier]!, 1), team, carrier, MONTH_MS);
        await Promise.all(teams.map(make));
        const { holds } = real.processes[0]!;
        const before = holds.length;
        await takeOf(model, real, { process: 0, carrier, count: 100_000, concurrency: 100_000 });
        if (fate === 'in_flight') return;
        for (const hold of holds.splice(before)) await settle(model, real, 0, hold, fate);
      }),
    ),
  fc
    .tuple(processIndex, carrierIndex, fc.integer({ min: 1, max: 40 }), fc.constantFrom(1, 10, 100_000))
    .map(([process, carrier, count, concurrency]) =>
      step(`handOut(${process}, ${carrier}, ${count}, ${concurrency})`, (model, real) =>
        takeOf(model, real, { process, carrier, count, concurrency }),
      ),
    ),
  ...(['finish', 'fail', 'refer', 'back_off', 'pend', 'record'] as const).map((fate) =>
    anyIndex.map((index) =>
      step(`${fate}(${index})`, async (model, real) => {
        const all = real.processes.flatMap(({ holds }, process) => holds.map((hold) => ({ process, hold })));
        const chosen = nth(all, index);
        if (chosen === undefined) return;
        const { process, hold } = chosen;
        const { holds } = real.processes[process]!;
        if (fate !== 'record') holds.splice(holds.indexOf(hold), 1);
        await settle(model, real, process, hold, fate);
      }),
    ),
  ),
  carrierIndex.map((carrier) =>
    step(`pause(${carrier})`, (_, real) => pauseCarrier(real.processes[0]!.context, real.carriers[carrier]!)),
  ),
  carrierIndex.map((carrier) => step(`resume(${carrier})`, (model, real) => resume(model, real, carrier))),
  fc.tuple(anyIndex, fc.boolean()).map(([index, isErased]) =>
    step(`${isErased ? 'erase' : 'cancel'}(${index})`, async (model, real) => {
      const chosen = nth(list(model), index);
      if (chosen === undefined) return;
      const { context } = real.processes[0]!;
      const open = list(model).filter((rate) => rate.quoteId === chosen.quoteId && rate.state !== 'ended');
      const ended = isErased
        ? (await eraseQuotes(context, [chosen.quoteId])).endedRateIds
        : await cancelQuote(context, chosen.quoteId);
      expect(ended.toSorted()).toEqual(open.map(({ id }) => id).toSorted());
      endAll(open, 'cancel');
      // Erased rates are neither replaced nor carried over.
      if (isErased) for (const rate of list(model)) if (rate.quoteId === chosen.quoteId) rate.outcome = undefined;
    }),
  ),
  anyIndex.map((index) =>
    step(`retry(${index})`, async (model, real) => {
      const failed = list(model).filter(({ outcome }) => outcome === 'failed');
      const rate = nth(failed, index);
      if (rate === undefined) return;
      const id = createUuid(real.time.nowMs);
      const options = { deadlineMs: MONTH_MS, mayRepeat: false };
      expect(await retryRate(real.processes[0]!.context, rate.id, id, options)).toBe('retried');
      rate.outcome = 'replaced';
      walked.set('retry', (walked.get('retry') ?? 0) + 1);
      add(model, real, { ...rate, id }, MONTH_MS);
    }),
  ),
  anyIndex.map((index) =>
    step(`requote(${index})`, async (model, real) => {
      const rate = nth(
        list(model).filter(({ outcome, state }) => outcome === 'quoted' && state === 'ended'),
        index,
      );
      if (rate === undefined) return;
      const carried = [{ id: createUuid(real.time.nowMs), from: rate.id, position: 1 }];
      const quote = newQuote(rate.team, real.carriers[rate.carrier]!, 1, { carried, requoteOf: rate.quoteId });
      await store(model, real, quote, rate.team, rate.carrier, MONTH_MS);
      walked.set('carry_over', (walked.get('carry_over') ?? 0) + 1);
      add(model, real, { ...rate, id: carried[0]!.id, quoteId: quote.id }, 0);
      Object.assign(model.rates.get(carried[0]!.id)!, { state: 'ended', isQueued: false });
    }),
  ),
  fc.tuple(anyIndex, fc.constantFrom(undefined, 'finish', 'fail', 'refer')).map(([index, fate]) =>
    step(`callback(${index}, ${fate})`, async (model, real) => {
      const rate = nth(
        list(model).filter(({ isPending }) => isPending),
        index,
      );
      if (rate === undefined) return;
      const carrierKey = real.carriers[rate.carrier]!;
      const reference = referenceOf(rate.id);
      const wait = { keep: {}, failures: 0, carrierKey, delayMs: DELAY_MS, reference, maxPendingMs: MAX_PENDING_MS };
      const end = fate && {
        outcome: ({ finish: 'quoted', fail: 'failed', refer: 'referred' } as const)[fate],
        ...{ premiumCents: fate === 'fail' ? undefined : 100n, answer: {}, retryable: fate === 'fail' },
        follow: fate === 'refer' ? wait : undefined,
      };
      const { nowMs } = real.time;
      const callback = { carrierKey, id: createUuid(nowMs), reference, end };
      const isLate = rate.deadlineAt <= nowMs;
      const { fate: taken } = await acceptCallback(real.processes[0]!.context, callback);
      expect(taken).toBe(isLate ? 'late' : 'taken');
      if (isLate) return;
      if (fate !== undefined) {
        answered(rate, 'answer', fate, nowMs);
        rate.fence++;
      } else if (rate.state === 'waiting') go(rate, 'wake', nowMs);
      else rate.isCalledBack = true;
    }),
  ),
  fc.constant(
    step('expire()', async (model, real) => {
      const { nowMs } = real.time;
      const isOverdue = ({ state, deadlineAt, leaseUntil }: ModelRate) =>
        state !== 'ended' && deadlineAt <= nowMs && (leaseUntil === undefined || leaseUntil <= nowMs);
      const overdue = list(model).filter(isOverdue);
      expect(await expire(real.processes[0]!.context, 100_000)).toBe(overdue.length);
      endAll(overdue, 'expire');
    }),
  ),
  fc.integer({ min: 1, max: 40_000 }).map((ms) => step(`pass(${ms})`, async (_, real) => real.time.pass(ms))),
  fc.integer({ min: 5_000, max: 3_600_000 }).map((ms) =>
    step(`setBack(${ms})`, async (model, real) => {
      for (const { clock } of real.processes) await clock.follow();
      real.time.pass(-ms);
      for (const { clock } of real.processes) await clock.follow();
      moveBack(model, real, ms);
    }),
  ),
  processIndex.map((process) =>
    step(`kill(${process})`, async (model, real) => {
      real.processes[process] = await real.open();
      let ended = 0;
      // The others look every second. A paused process would be one of them again.
      for (let second = 0; second < 12 && ended === 0; second++) {
        real.steadyMs += 1000;
        real.time.pass(1000);
        for (const { watch } of real.processes) ended += (await watch.follow()).processes;
      }
      expect(ended).toBe(1);
      for (const rate of list(model)) {
        if (rate.state !== 'leased' || rate.owner !== process || rate.leaseUntil! <= real.time.nowMs) continue;
        go(rate, 'lose_process', real.time.nowMs);
      }
    }),
  ),
];

function moveBack(model: Model, real: Real, ms: number) {
  // Times beyond half of the jump were set before it and move with the clock.
  const moved = (at: number) => (at > real.time.nowMs + ms / 2 ? at - ms : at);
  for (const rate of list(model)) {
    if (rate.state === 'ended') continue;
    Object.assign(rate, { wakeAt: moved(rate.wakeAt), deadlineAt: moved(rate.deadlineAt) });
    if (rate.createdAt > real.time.nowMs) rate.createdAt -= ms;
    if (rate.leaseUntil !== undefined) rate.leaseUntil = moved(rate.leaseUntil);
  }
}

async function resume(model: Model, real: Real, carrier: number) {
  const { nowMs } = real.time;
  await endCooldown(real.processes[0]!.context, real.carriers[carrier]!);
  for (const rate of list(model)) {
    const isWaiting = rate.carrier === carrier && rate.state === 'waiting' && rate.isQueued;
    if (isWaiting && rate.wakeAt > nowMs) go(rate, 'wake', nowMs);
  }
}

/** Commands per database; the full volume is 100,000. */
const COMMANDS = 1000 * Number(process.env.LEEWARD_TEST_VOLUME ?? 1);
const MAX_COMMANDS = 40;

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`the transitions of rates, against a model, on ${engine.title}`, () => {
    it('are those of the table, for any actions of several processes', { timeout: 7_200_000 }, async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [quoteMigrations] });
      const time = createSetTime();
      walked.clear();
      let [run, count] = [0, 0];
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
          run++;
          time.pass(2 * 86_400_000);
          const real: Real = {
            ...{ time, steadyMs: 0, processes: [], carriers: [`carrier-${run}-a`, `carrier-${run}-b`] },
            async open() {
              const clockPort = { nowMicros: () => time.nowMs * 1000 };
              const context = createStoreContext({ database, clock: clockPort, encryption: undefined });
              const [clock, watch] = [
                createClockWatch(context, true),
                createProcessWatch(context, () => real.steadyMs),
              ];
              await clock.follow();
              await watch.follow();
              return { context, clock, watch, holds: [] };
            },
          };
          await sql`delete from quote_process`.execute(database.tables());
          await sql`delete from quote_rate`.execute(database.tables());
          for (let process = 0; process < PROCESSES; process++) real.processes.push(await real.open());
          for (const { watch } of real.processes) await watch.follow();
          const model: Model = { rates: new Map() };
          await fc.asyncModelRun(() => ({ model, real }), commands);
          count += [...commands].length;
          for (const carrier of [0, 1]) await resume(model, real, carrier);
          time.pass(3_600_000);
          for (const carrier of [0, 1]) {
            await takeOf(model, real, { process: 0, carrier, count: 100_000, concurrency: 100_000 });
          }
          const open = list(model).filter(({ state }) => state !== 'ended');
          expect(open.filter(({ state }) => state !== 'leased')).toEqual([]);
        }),
        { numRuns: Math.ceil(COMMANDS / (MAX_COMMANDS / 2)) },
      );
      console.info(`${engine.title}: ${count} commands, ${JSON.stringify(Object.fromEntries(walked))}`);
      expect([...walked.keys()].toSorted()).toEqual(Object.keys(transitions).toSorted());
    });
  });
}
