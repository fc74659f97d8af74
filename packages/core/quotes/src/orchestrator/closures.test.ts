import { describe, expect, it } from 'vitest';
import { withVerdict } from '../carriers/with-verdict.ts';
import type { CarrierClosure, ClosureRequest, ClosureSource } from '../ports/closure-source.ts';
import type { QuoteEventMessage } from '../present/event.ts';
import type { FullRate } from '../present/rate.ts';
import type { Quotes } from '../service/quotes.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { eventually } from '../testing/suite.ts';

const reasons = [{ code: 'moratorium', message: 'Binding is suspended: hurricane Elena.' }];

/** Events by hand, shared by all processes. */
function createStorms() {
  const state = {
    stamp: '0' as string | undefined,
    closed: [] as readonly string[],
    isUnknown: false,
    isSlow: false,
    stamps: 0,
  };
  const listeners = new Set<() => void>();
  const asked: ClosureRequest[] = [];
  const source: ClosureSource = {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stamp() {
      state.stamps++;
      return state.stamp;
    },
    async closuresOf(request) {
      asked.push(request);
      if (state.isSlow) await new Promise((resolve) => setTimeout(resolve, 50));
      if (state.isUnknown) return undefined;
      return ['scripted', 'other'].map(
        (carrierKey): CarrierClosure =>
          state.closed.includes(carrierKey)
            ? { carrierKey, state: 'closed', reasons }
            : { carrierKey, state: 'open', reasons: [] },
      );
    },
  };
  return {
    state,
    asked,
    source,
    change(closed: readonly string[], stamp = String(Number(state.stamp) + 1)) {
      state.closed = closed;
      state.stamp = stamp;
      for (const listener of listeners) listener();
    },
  };
}

async function affectedOf(quotes: Quotes, quoteId: string): Promise<QuoteEventMessage[]> {
  const events = await quotes.events('team-1', quoteId);
  const messages: QuoteEventMessage[] = [];
  for (;;) {
    const next = await Promise.race([
      events!.next(),
      new Promise<undefined>((resolve) => setTimeout(resolve, 300, undefined)),
    ]);
    if (next === undefined) break;
    if (next.message.type === 'quote.affected') messages.push(next.message);
  }
  events!.end();
  return messages;
}

const changesOf = (messages: readonly QuoteEventMessage[]) =>
  messages.map(({ data }) => data.carriers!.map(({ carrier_key, change }) => `${carrier_key} ${change}`));

const offers = [{ formTypes: ['ho3' as const] }];
const carriersOf = () => [
  scriptedCarrier(async () => quotedAt(12_300n), { offers }),
  scriptedCarrier(async () => quotedAt(45_600n), { key: 'other', name: 'Other Mutual', offers }),
];

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`closures on ${engine.title}`, { concurrent: true }, () => {
    it('report each change of an open quote once, though three processes watch', async () => {
      const storms = createStorms();
      await using bench = await createBench(engine, carriersOf(), { closures: storms.source });
      const others = [await bench.join(), await bench.join()];
      for (const quotes of others) await quotes.start();
      const { quote_request_id: id } = await bench.quotes.create('team-1', exampleBody);
      await bench.completed(id);
      const reported = async () => changesOf(await affectedOf(bench.quotes, id));
      storms.change(['scripted']);
      await eventually(
        async () => (await reported()).length === 1,
        () => 'not closed',
        30_000,
      );
      storms.change(['scripted', 'other']);
      await eventually(
        async () => (await reported()).length === 2,
        () => 'other not closed',
        30_000,
      );
      storms.change([]);
      await eventually(
        async () => (await reported()).length === 3,
        () => 'not reopened',
        30_000,
      );
      storms.change([]);
      await eventually(
        async () => checks(bench.events) >= 4,
        () => 'not checked',
        30_000,
      );
      expect(await reported()).toEqual([
        ['scripted closed'],
        ['other closed'],
        ['scripted reopened', 'other reopened'],
      ]);
      const [first] = await affectedOf(bench.quotes, id);
      expect(first!.data).toMatchObject({
        quote_request_id: id,
        rate: null,
        carriers: [{ carrier_key: 'scripted', form_type: 'ho3', change: 'closed', reasons }],
      });
    });

    it('are not undone by a process that reads the events a moment later, which goes on when the first one stops', async () => {
      const storms = createStorms();
      const late = createStorms();
      await using bench = await createBench(engine, carriersOf(), { closures: storms.source });
      const { quote_request_id: id } = await bench.quotes.create('team-1', exampleBody);
      await bench.completed(id);
      const second = await bench.join({ closures: late.source });
      await second.start();
      const reported = async () => changesOf(await affectedOf(second, id));
      storms.change(['scripted']);
      await eventually(
        async () => (await reported()).length === 1,
        () => 'not closed',
        30_000,
      );
      const { stamps } = late.state;
      late.change([], '0');
      await eventually(
        async () => late.state.stamps > stamps,
        () => 'not checked',
        30_000,
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await reported()).toEqual([['scripted closed']]);
      await bench.quotes.stop({ graceMs: 100 });
      late.change([], '2');
      await eventually(
        async () => (await reported()).length === 2,
        () => 'not reopened',
        30_000,
      );
      expect(await reported()).toEqual([['scripted closed'], ['scripted reopened']]);
    });

    it('do not repeat a closure that the answer of a rate reports, and report that it is over', async () => {
      const storms = createStorms();
      storms.state.closed = ['scripted'];
      const carriers = carriersOf().map((carrier) =>
        withVerdict(carrier, async (key) => ({
          status: storms.state.closed.includes(key) ? 'ineligible' : 'eligible',
          reasons: storms.state.closed.includes(key) ? reasons : [],
          missingFields: [],
        })),
      );
      await using bench = await createBench(engine, carriers, { closures: storms.source });
      // Let the first pass end before the quote is created. While a rate waits, its closure would be reported.
      await eventually(
        async () => storms.state.stamps > 0,
        () => 'not started',
        30_000,
      );
      await new Promise((resolve) => setTimeout(resolve, 500));
      const { quote_request_id: id } = await bench.quotes.create('team-1', exampleBody);
      const { rates } = await bench.completed(id);
      // The rules at the time of the call count.
      expect((rates as FullRate[]).map((rate) => rate.outcome).sort()).toEqual(['ineligible', 'quoted']);
      storms.change(['scripted']);
      await eventually(
        async () => checks(bench.events) >= 1,
        () => 'not checked',
        30_000,
      );
      expect(await affectedOf(bench.quotes, id)).toEqual([]);
      storms.change([]);
      await eventually(
        async () => (await affectedOf(bench.quotes, id)).length === 1,
        () => 'not reopened',
        30_000,
      );
      expect(changesOf(await affectedOf(bench.quotes, id))).toEqual([['scripted reopened']]);
    });

    it('change nothing while the events are unknown', async () => {
      const storms = createStorms();
      await using bench = await createBench(engine, carriersOf(), { closures: storms.source });
      const { quote_request_id: id } = await bench.quotes.create('team-1', exampleBody);
      await bench.completed(id);
      storms.change(['scripted']);
      await eventually(
        async () => (await affectedOf(bench.quotes, id)).length === 1,
        () => 'not closed',
        30_000,
      );
      storms.state.isUnknown = true;
      storms.change([]);
      storms.state.stamp = undefined;
      storms.change([], undefined);
      expect(changesOf(await affectedOf(bench.quotes, id))).toEqual([['scripted closed']]);
    });

    it('take teams in turn, and end at a stop', async () => {
      const storms = createStorms();
      await using bench = await createBench(engine, carriersOf(), { closures: storms.source, work: false });
      for (let index = 0; index < 25; index++) await bench.quotes.create('team-1', exampleBody);
      const small = await bench.quotes.create('team-2', exampleBody);
      const watching = await bench.join();
      await watching.start({ work: false });
      await eventually(
        async () => checks(bench.events) >= 1,
        () => 'not checked',
        30_000,
      );
      const teams = storms.asked.map(({ teamId }) => teamId);
      expect(teams).toHaveLength(26);
      // The small team does not wait for all quotes of the large one.
      expect(teams.indexOf('team-2')).toBe(10);
      expect(small.quote_request_id).toBeDefined();
      storms.asked.length = 0;
      storms.state.isSlow = true;
      storms.change(['scripted']);
      await eventually(
        async () => storms.asked.length > 0,
        () => 'not begun',
        30_000,
      );
      await watching.stop({ graceMs: 100 });
      expect(storms.asked.length).toBeLessThan(26);
    });

    it('leave out quotes whose personal data was erased', async () => {
      const storms = createStorms();
      await using bench = await createBench(engine, carriersOf(), { closures: storms.source });
      const { quote_request_id: id } = await bench.quotes.create('team-1', exampleBody);
      const { quote_request_id: kept } = await bench.quotes.create('team-1', { ...exampleBody });
      await bench.completed(id);
      await bench.completed(kept);
      await bench.quotes.erase('team-1', id);
      storms.change(['scripted']);
      await eventually(
        async () => (await affectedOf(bench.quotes, kept)).length === 1,
        () => 'not closed',
        30_000,
      );
      expect(await affectedOf(bench.quotes, id)).toEqual([]);
    });
  });
}

type BenchOf = Awaited<ReturnType<typeof createBench>>;

const checks = (events: BenchOf['events']) => events.filter(({ type }) => type === 'closures_checked').length;
