import { describe, expect, it, vi } from 'vitest';
import type { CarrierExchange } from '../ports/carrier-exchange.ts';
import type { FullRate } from '../present/rate.ts';
import type { Exchanges } from '../service/operator-actions.ts';
import type { Quotes } from '../service/quotes.ts';
import { openFieldKeys } from '../store/open-field-keys.ts';
import type { QuoteTables } from '../store/tables.ts';
import { createBench, engines, quotedAt, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { replaceStoreMethods } from '../testing/store-bench.ts';

const DAY_MS = 86_400_000;
const key = (id: string) => ({ id, key: Buffer.alloc(32, id) });
const body = { ...exampleBody, form_types: ['ho3'] };
const exchange: CarrierExchange = {
  purpose: 'quote',
  method: 'POST',
  url: 'https://carrier.example/quotes?api_key=hidden-key',
  requestHeaders: { authorization: 'Bearer hidden-token', accept: 'application/json' },
  requestBody: '{"name":"Dana Whitfield","note":"hidden-word"}',
  status: 200,
  answerHeaders: { 'content-type': 'application/json' },
  answerBody: Buffer.from('{"premium":1000,"echo":"hidden-word"}'),
  tookMs: 12.4,
  reading: { outcome: 'quoted', premiumCents: 100_000n },
  secrets: ['hidden-word'],
};
const recording = (...exchanges: CarrierExchange[]) =>
  scriptedCarrier(async (_, context) => {
    for (const each of exchanges) context.recordExchange?.(each);
    return quotedAt(100_000n);
  });

async function kept(quotes: Quotes, rateId: string, count = 1): Promise<Exchanges['exchanges']> {
  return vi.waitFor(
    async () => {
      const { exchanges = [] } = (await quotes.exchanges({ rateId, includeMessages: true })) ?? {};
      expect(exchanges).toHaveLength(count);
      return exchanges;
    },
    { timeout: 5000, interval: 50 },
  );
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`exchanges with carriers, on ${engine.title}`, () => {
    type Bench = Awaited<ReturnType<typeof createBench>>;
    const quoteAt = async (bench: Bench) => {
      const { quote_request_id: id } = await bench.quotes.create('team-1', body);
      const { rates } = await bench.completed(id);
      const [rate] = rates as [FullRate];
      return { id, rateId: rate.id, outcome: rate.outcome };
    };
    const stored = async (bench: Bench) =>
      (await bench.place.open()).tables<QuoteTables>().selectFrom('quote_exchange').selectAll().execute();

    it('are kept without secrets, encrypted, and shown oldest first', async () => {
      const step = { ...exchange, purpose: 'step', reading: undefined, tookMs: 500 } as const;
      await using bench = await createBench(engine, [recording(exchange, step)], {
        encryption: { current: key('k1') },
      });
      const { id, rateId } = await quoteAt(bench);
      const [first, second] = await kept(bench.quotes, rateId, 2);
      expect(first).toMatchObject({ purpose: 'step', reading: null });
      expect(second).toMatchObject({
        ...{ rate_id: rateId, quote_request_id: id, team_id: 'team-1', carrier_key: 'scripted', readable: true },
        ...{ purpose: 'quote', method: 'POST', status: 200, failure: null, took_ms: 12 },
        url: 'https://carrier.example/quotes?api_key=[redacted]',
        reading: { outcome: 'quoted', code: null, premium: '1000.00' },
        request: {
          headers: { authorization: '[redacted]', accept: 'application/json' },
          body: { text: '{"name":"Dana Whitfield","note":"[redacted]"}', truncated: false },
        },
        answer: { body: { text: '{"premium":1000,"echo":"[redacted]"}' } },
      });
      const text = JSON.stringify(await stored(bench));
      for (const hidden of ['hidden', 'Dana', 'carrier.example']) expect(text).not.toContain(hidden);
      const page = await bench.quotes.exchanges({ carrier: 'Scripted Mutual', limit: 1 });
      expect(page?.exchanges).toEqual([expect.not.objectContaining({ request: expect.anything() })]);
      const rest = await bench.quotes.exchanges({ carrier: 'scripted', after: page!.next! });
      expect(rest).toMatchObject({ exchanges: [{ purpose: 'quote' }], next: null });
      const since = new Date(Date.now() + DAY_MS).toISOString();
      expect((await bench.quotes.exchanges({ rateId, since }))?.exchanges).toEqual([]);
      await expect(bench.quotes.exchanges({ rateId, since: 'today' })).rejects.toThrow('since is not an instant');
      expect(await bench.quotes.exchanges({ rateId: 'none' })).toBeUndefined();
      expect(await bench.quotes.exchanges({ carrier: 'none' })).toBeUndefined();
    });

    it('have at most 256 KiB of each body, and keep binary bodies', async () => {
      const long = '€'.repeat(100_000);
      const binary = Buffer.from([0, 255, 254, 1]);
      const lost = { ...exchange, status: undefined, answerBody: undefined, failure: 'connection_lost' };
      const carrier = recording({ ...exchange, requestBody: long, answerBody: binary }, lost);
      await using bench = await createBench(engine, [carrier]);
      const [first, second] = await kept(bench.quotes, (await quoteAt(bench)).rateId, 2);
      expect(first?.request?.body).toMatchObject({ bytes: 300_000, truncated: true });
      expect(first?.request?.body.text).toBe('€'.repeat(87_381));
      expect(first?.answer?.body).toEqual({ base64: binary.toString('base64'), bytes: 4, truncated: false });
      expect(second).toMatchObject({ status: null, failure: 'connection_lost', answer: null });
    });

    it('are deleted with the personal data, and none is added afterwards', async () => {
      let record: ((late: CarrierExchange) => void) | undefined;
      const carrier = scriptedCarrier(async (_, { recordExchange }) => {
        record = recordExchange;
        recordExchange?.(exchange);
        return quotedAt(1n);
      });
      await using bench = await createBench(engine, [carrier]);
      const { id, rateId } = await quoteAt(bench);
      await kept(bench.quotes, rateId);
      expect(await bench.quotes.erase('team-1', id)).toBeTruthy();
      expect(await stored(bench)).toEqual([]);
      record?.(exchange);
      const other = await quoteAt(bench);
      await kept(bench.quotes, other.rateId);
      expect(await stored(bench)).toHaveLength(1);
    });

    it('are deleted after the configured days and with their quote; 0 keeps none', async () => {
      let nowMs = Date.UTC(2026, 10, 20);
      const clock = { nowMicros: () => nowMs * 1000 };
      await using bench = await createBench(engine, [recording(exchange)], { clock, personalDataDays: 999 });
      const { rateId } = await quoteAt(bench);
      await kept(bench.quotes, rateId);
      nowMs += 7 * DAY_MS - 60_000;
      await (await bench.join()).sweep();
      expect(await stored(bench)).toHaveLength(1);
      nowMs += 60_000;
      await (await bench.join()).sweep();
      expect(await stored(bench)).toEqual([]);
      await kept(bench.quotes, (await quoteAt(bench)).rateId);
      nowMs += DAY_MS;
      await (await bench.join({ finishedQuoteDays: 1 })).sweep();
      expect(await stored(bench)).toEqual([]);
      await using none = await createBench(engine, [recording(exchange)], { exchangeDays: 0 });
      await quoteAt(none);
      await none.quotes.stop();
      expect(await stored(none)).toEqual([]);
      await expect(bench.join({ exchangeDays: -1 })).rejects.toThrow('exchangeDays is -1; give');
    });

    it('do not change or delay a rate if they cannot be stored', async () => {
      for (const keepExchanges of [
        () => Promise.reject(new Error('The disk is full.')),
        () => new Promise<void>(() => {}),
      ]) {
        await using bench = await createBench(engine, [recording(exchange)], {
          wrapPort: replaceStoreMethods(() => ({ keepExchanges })),
        });
        expect((await quoteAt(bench)).outcome).toBe('quoted');
        const startedAt = performance.now();
        await bench.quotes.stop({ graceMs: 100 });
        expect(performance.now() - startedAt).toBeLessThan(4000);
        expect(await stored(bench)).toEqual([]);
      }
    });

    it('are encrypted again with the fields, and erased with a lost key', async () => {
      await using bench = await createBench(engine, [recording(exchange)], { encryption: { current: key('k1') } });
      const { rateId } = await quoteAt(bench);
      await kept(bench.quotes, rateId);
      const database = await bench.place.open();
      const keys = openFieldKeys({ database, encryption: { current: key('k2'), previous: [key('k1')] } });
      await keys.rotate('team-1');
      expect(await keys.reencrypt()).toEqual({ keys: 1, rows: 2, unreadable: 0 });
      const use = { place: 'exchanges', keyId: 'k2', kind: 'envelope', rows: 1, isReadable: true };
      expect(await keys.use()).toContainEqual(use);
      expect((await bench.quotes.exchanges({ rateId }))?.exchanges).toMatchObject([{ readable: false }]);
      await openFieldKeys({ database, encryption: { current: key('k1') } }).erase('k2');
      expect(await stored(bench)).toEqual([]);
    });
  });
}
