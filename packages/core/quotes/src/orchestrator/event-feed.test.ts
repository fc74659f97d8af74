import { describe, expect, it } from 'vitest';
import type { QuoteEvents, TaggedEvent } from '../service/quotes.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { replaceStoreMethods } from '../testing/store-bench.ts';

async function untilCompleted(events: QuoteEvents): Promise<TaggedEvent[]> {
  const seen: TaggedEvent[] = [];
  for (;;) {
    const event = await events.next();
    if (event === undefined) return seen;
    seen.push(event);
    if (event.message.type === 'quote.completed') return seen;
  }
}

const offers = [{ formTypes: ['ho3', 'ho5'] as const }];

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`events of a quote on ${engine.title}`, () => {
    it('reach every follower in order and without a gap, from any process', async () => {
      const gate = Promise.withResolvers<void>();
      const carriers = ['one', 'two', 'three'].map((key, index) =>
        scriptedCarrier(
          async () => {
            if (index > 0) await gate.promise;
            return quotedAt(BigInt(100 + index));
          },
          { key, name: key, offers },
        ),
      );
      await using bench = await createBench(engine, carriers);
      const other = await bench.join();
      const { quote_request_id: id, service_quote_id } = await bench.quotes.create('team-1', {
        ...exampleBody,
        form_types: ['ho3', 'ho5'],
      });
      const here = await bench.quotes.events('team-1', id);
      const there = await other.events('team-1', service_quote_id);
      const first = await here!.next();
      expect(first).toMatchObject({
        id: `${id}_1`,
        message: { type: 'rate.ended', data: { quote_request_id: id, service_quote_id, number: 1 } },
      });
      expect(first!.message.data.rate).toMatchObject({
        carrier_key: 'one',
        status: 'success',
        outcome: 'quoted',
        premium: '1.00',
      });
      await there!.next();
      gate.resolve();
      const rest = await untilCompleted(here!);
      expect(rest.map(({ id: each }) => each)).toEqual([2, 3, 4, 5, 6, 7].map((number) => `${id}_${number}`));
      expect(await untilCompleted(there!)).toEqual(rest);
      expect(await untilCompleted((await other.events('team-1', id, { after: `${id}_4` }))!)).toEqual(rest.slice(3));
      expect(await untilCompleted((await bench.quotes.events('team-1', id, { after: '6' }))!)).toEqual(rest.slice(5));
      expect(JSON.stringify([first, ...rest])).not.toMatch(/Whitfield|dana|Larkspur|agent@/i);
    });

    it('are found by polling if a notification is lost', async () => {
      const carrier = scriptedCarrier(async () => quotedAt(1n));
      await using bench = await createBench(engine, [carrier]);
      const deaf = await bench.join({
        wrapPort: replaceStoreMethods(() => ({ subscribe: async () => async () => {} })),
      });
      const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      const events = await deaf.events('team-1', id);
      expect((await untilCompleted(events!)).map(({ message }) => message.type)).toEqual([
        'rate.ended',
        'quote.completed',
      ]);
    });

    it('end on demand and with their process, and are visible only to their team', async () => {
      const carrier = scriptedCarrier(() => new Promise(() => {}));
      await using bench = await createBench(engine, [carrier], { work: false });
      const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
      expect(await bench.quotes.events('team-2', id)).toBeUndefined();
      for (const after of ['x', '-1', '1.5', 'another_1', '1e3', ' 1']) {
        await expect(bench.quotes.events('team-1', id, { after })).rejects.toMatchObject({
          faults: [{ code: 'unknown_event' }],
        });
      }
      const [one, two] = [await bench.quotes.events('team-1', id), await bench.quotes.events('team-1', id)];
      const waiting = one!.next();
      one!.end();
      expect(await waiting).toBeUndefined();
      const last = two!.next();
      await bench.quotes.endEvents();
      expect(await last).toBeUndefined();
      expect(await (await bench.quotes.events('team-1', id))!.next()).toBeUndefined();
    });
  });
}
