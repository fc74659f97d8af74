import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createPublicCaller } from '../outward/call-public.ts';
import type { CarrierAnswer, CarrierDocument, DocumentReference, OpenedDocument } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { quoteMigrations } from '../store/migrations.ts';
import { createBench, engines, scriptedCarrier } from '../testing/bench.ts';
import { exampleBody } from '../testing/example-request.ts';
import { fetchDocument } from './fetch-document.ts';
import { beginTransfer, type Transfer, type TransferEnd, type TransferLimits } from './transfer.ts';

const limits: TransferLimits = { maxBytes: 1_000_000, firstByteMs: 30_000, timeoutMs: 30_000 };
const never = new AbortController().signal;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function* chunksOf(chunks: readonly Uint8Array[], ended = () => {}): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    ended();
  }
}

async function begin(
  open: (signal: AbortSignal) => Promise<OpenedDocument>,
  options: Partial<TransferLimits> & { type?: string; caller?: AbortSignal } = {},
): Promise<{ transfer: Transfer; ended: TransferEnd[] }> {
  const { type = 'application/pdf', caller = never, ...rest } = options;
  const ended: TransferEnd[] = [];
  const transfer = await beginTransfer(open, type, { ...limits, ...rest }, caller, (end) => ended.push(end));
  return { transfer, ended };
}

async function readAll(transfer: Pick<Transfer, 'read'>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let piece = await transfer.read(); piece !== undefined; piece = await transfer.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a document transfer', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 12 });

  it('returns the bytes that were sent, in any chunks, or breaks off', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: -3, max: 3 }), fc.boolean(), async (sent, off, saysLength) => {
        const whole = Buffer.concat(sent);
        const lengthBytes = saysLength ? Math.max(0, whole.length + off) : undefined;
        const opened = { content: chunksOf(sent), ...(lengthBytes !== undefined && { lengthBytes }) };
        const ended: TransferEnd[] = [];
        const read = beginTransfer(
          async () => opened,
          'text/plain',
          limits,
          never,
          (end) => ended.push(end),
        ).then(readAll);
        if (lengthBytes !== undefined && lengthBytes !== whole.length) {
          await expect(read).rejects.toMatchObject({ kind: 'failed', reason: 'broken_off' });
          expect(ended).toMatchObject([{ fate: 'failed' }]);
        } else {
          expect((await read).equals(whole)).toBe(true);
          expect(ended).toEqual([{ fate: 'sent', reason: undefined, bytes: whole.length }]);
        }
      }),
    );
  });

  it('reads only the first chunk ahead', async () => {
    let made = 0;
    const { transfer, ended } = await begin(async () => ({
      content: (async function* () {
        for (;;) {
          made++;
          yield new Uint8Array(10);
        }
      })(),
    }));
    for (let read = 0; read < 5; read++) {
      expect(made).toBe(Math.max(1, read));
      await transfer.read();
    }
    transfer.close();
    expect(ended).toEqual([{ fate: 'abandoned', reason: 'caller_gone', bytes: 50 }]);
  });

  it('is limited in size, independent of the declared length', async () => {
    const big = [new Uint8Array(60), new Uint8Array(60)];
    const said = begin(async () => ({ content: chunksOf(big), lengthBytes: 120 }), { maxBytes: 100 });
    await expect(said).rejects.toMatchObject({ reason: 'too_large' });
    const { transfer, ended } = await begin(async () => ({ content: chunksOf(big) }), { maxBytes: 100 });
    await expect(readAll(transfer)).rejects.toMatchObject({ reason: 'too_large' });
    await expect(transfer.read()).rejects.toMatchObject({ reason: 'too_large' });
    expect(ended).toMatchObject([{ fate: 'failed', reason: 'too_large' }]);
  });

  it('requires the declared media type', async () => {
    const sent = (mediaType: string | undefined, type = 'application/pdf') =>
      begin(async () => ({ content: chunksOf([new Uint8Array(1)]), mediaType }), { type }).then(
        () => 'sent',
        (error: { reason: string }) => error.reason,
      );
    expect(await sent('application/PDF; charset=binary')).toBe('sent');
    expect(await sent('application/octet-stream')).toBe('sent');
    expect(await sent(undefined)).toBe('sent');
    expect(await sent('image/png', 'application/octet-stream')).toBe('sent');
    expect(await sent('text/html')).toBe('other_media_type');
    expect(await sent('nonsense')).toBe('other_media_type');
  });

  it('ends at its time limit, also with an adapter that ignores its signal', async () => {
    let letGo = 0;
    const opening = Promise.withResolvers<OpenedDocument>();
    await expect(begin(() => opening.promise, { firstByteMs: 5 })).rejects.toMatchObject({ kind: 'timed_out' });
    const content = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: true as const, value: undefined }),
        return: async () => ({ done: true as const, value: letGo++ }),
      }),
    };
    opening.resolve({ content });
    await expect.poll(() => letGo).toBe(1);
    const stuck = { content: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) } };
    await expect(begin(async () => stuck, { firstByteMs: 5 })).rejects.toMatchObject({ kind: 'timed_out' });
    const slow = (async function* () {
      yield new Uint8Array(1);
      await new Promise(() => {});
    })();
    const { transfer, ended } = await begin(async () => ({ content: slow }), { timeoutMs: 50 });
    await expect(readAll(transfer)).rejects.toMatchObject({ kind: 'timed_out' });
    expect(ended).toEqual([{ fate: 'failed', reason: 'timeout', bytes: 1 }]);
  });

  it('is aborted at the carrier when its reader leaves', async () => {
    for (const how of ['closed', 'gone'] as const) {
      let signal: AbortSignal | undefined;
      let ended = false;
      const gone = new AbortController();
      const content = chunksOf([new Uint8Array(1), new Uint8Array(1)], () => (ended = true));
      const { transfer } = await begin(
        async (given) => {
          signal = given;
          return { content };
        },
        { caller: gone.signal },
      );
      await transfer.read();
      if (how === 'closed') transfer.close();
      else {
        gone.abort();
        await expect(transfer.read()).rejects.toMatchObject({ reason: 'caller_gone' });
      }
      expect(signal!.aborted).toBe(true);
      await expect.poll(() => ended).toBe(true);
    }
    const gone = AbortSignal.abort();
    await expect(begin(() => new Promise(() => {}), { caller: gone })).rejects.toMatchObject({ reason: 'caller_gone' });
  });
});

describe('a document fetched from its address', () => {
  const context = { rateId: 'rate', signal: never, beforeRequest: async () => {} };
  const reference = (url: string): DocumentReference => ({ id: '1', title: 'Letter', mediaType: 'text/plain', url });
  function fetchFrom(url: string, options: { allowPrivate?: boolean; addresses?: string[] } = {}) {
    const { allowPrivate = false, addresses } = options;
    const resolve = addresses && (async () => addresses);
    const caller = createPublicCaller({ allowPrivate, keepAlive: false, resolve });
    ends.push(() => caller.close());
    return fetchDocument(caller, reference(url), context);
  }

  it('is requested from the public internet only, over https', async () => {
    let calls = 0;
    const url = await listen((_, response) => {
      calls++;
      response.end();
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:7f00:1]', '169.254.169.254', '10.0.0.1']) {
      await expect(fetchFrom(`https://${host}:${port}/`)).rejects.toMatchObject({ reason: 'forbidden_address' });
    }
    const many = { addresses: ['93.184.216.34', '127.0.0.1'] };
    await expect(fetchFrom(`https://rebind.example:${port}/`, many)).rejects.toMatchObject({
      reason: 'forbidden_address',
    });
    await expect(fetchFrom(url)).rejects.toMatchObject({ reason: 'not_https' });
    expect(calls).toBe(0);
  });

  it('requires a complete 200 of the right type, without redirects', async () => {
    const url = await listen((request, response) => {
      const [, status = '200'] = request.url!.split('/');
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(Number.parseInt(status, 10), {
        location: '/200',
        ...(request.url!.includes('gzip') && { 'content-encoding': 'gzip' }),
      });
      response.end('letter');
    });
    for (const [path, reason] of [
      ['302', 'http_302'],
      ['404', 'http_404'],
      ['410', 'http_410'],
      ['500', 'http_500'],
      ['206', 'http_206'],
      ['200/gzip', 'encoded'],
    ]) {
      const error = await fetchFrom(`${url}/${path}?token=secret`, { allowPrivate: true }).then(
        String,
        (thrown) => thrown,
      );
      expect(error).toMatchObject({ kind: 'failed', reason });
      expect(error.message).not.toContain('127.0.0.1');
      expect(error.message).not.toContain('secret');
    }
    const { content } = await fetchFrom(`${url}/200`, { allowPrivate: true });
    expect(await new Response(ReadableStream.from(content)).text()).toBe('letter');
  });
});

describe.each(engines.filter(({ skip }) => skip === undefined))('documents of rates on $title', (engine) => {
  const token = 'planted-token-7731';
  const letters: CarrierDocument[] = [
    { id: 'letter', title: 'Quote letter', mediaType: 'Text/Plain', url: `https://carrier.example/l?token=${token}` },
    { title: 'Form', mediaType: 'no media type', keep: { form: token } },
    { id: 'letter', title: 'Again', mediaType: 'text/plain', keep: {} },
    { title: 'Nowhere', mediaType: 'text/plain' },
    { title: ' ', mediaType: 'text/plain', keep: {} },
    { id: '../x', title: 'No name', mediaType: 'text/plain', keep: {} },
  ];
  const answer: CarrierAnswer = { outcome: 'quoted', premiumCents: 100n, documents: letters };
  const encryption = { current: { id: 'k1', key: Buffer.alloc(32, 7) } };

  it('are listed without addresses, opened by their carrier for their team, and erased with their quote', async () => {
    const opened: DocumentReference[] = [];
    const carrier = scriptedCarrier(async () => answer, {
      fieldsUsed: [],
      async openDocument(document) {
        opened.push(document);
        if (document.id === '2') throw new CarrierFault('No.', { kind: 'failed', code: 'http_404' });
        return { content: chunksOf([Buffer.from('Dear '), Buffer.from('Dana')]), lengthBytes: 9 };
      },
    });
    await using bench = await createBench(engine, [carrier], { encryption });
    const { quotes } = bench;
    const { quote_request_id: id } = await quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
    const { rates } = await bench.completed(id);
    const rate = rates[0]!.id;
    expect(await quotes.rate('team-1', rate)).toMatchObject({
      documents: [
        { document_id: 'letter', title: 'Quote letter', media_type: 'text/plain' },
        { document_id: '2', title: 'Form', media_type: 'application/octet-stream' },
      ],
    });
    expect(JSON.stringify([rates, await quotes.compare('team-1', id)])).not.toContain(token);
    const database = await bench.place.open({ migrations: [quoteMigrations] });
    const { rows } = await sql<{ answer: string }>`select answer from quote_rate`.execute(database.tables());
    expect(rows.map((row) => row.answer).join()).not.toContain(token);
    await database.close();

    const document = (await quotes.openDocument('team-1', rate, 'letter'))!;
    expect(document).toMatchObject({ title: 'Quote letter', mediaType: 'text/plain', lengthBytes: 9 });
    expect(String(await readAll(document))).toBe('Dear Dana');
    expect(opened[0]).toMatchObject({ id: 'letter', url: letters[0]!.url });
    await expect(quotes.openDocument('team-1', rate, '2')).rejects.toMatchObject({ reason: 'http_404' });
    expect(opened[1]).toMatchObject({ keep: { form: token } });
    for (const [team, of, name] of [
      ['team-2', rate, 'letter'],
      ['team-1', rate, '1'],
      ['team-1', id, 'letter'],
      ['team-1', rate, '../letter'],
    ] as const) {
      expect(await quotes.openDocument(team, of, name)).toBeUndefined();
    }
    expect(bench.events.filter(({ type }) => type === 'document')).toMatchObject([
      { fate: 'sent', bytes: 9, rateId: rate, carrierKey: 'scripted' },
      { fate: 'failed', reason: 'http_404', bytes: 0 },
    ]);
    expect(JSON.stringify(bench.events)).not.toContain(token);

    const again = (await quotes.requote('team-1', id, {}))!;
    const carried = (await bench.completed(again.quote_request_id)).rates[0]!.id;
    expect(String(await readAll((await quotes.openDocument('team-1', carried, 'letter'))!))).toBe('Dear Dana');
    const keyless = await bench.join({ encryption: undefined });
    await expect(keyless.openDocument('team-1', carried, 'letter')).rejects.toMatchObject({ kind: 'unreadable' });
    await quotes.erase('team-1', id);
    await expect(quotes.openDocument('team-1', rate, 'letter')).rejects.toMatchObject({ kind: 'gone' });
    expect(await quotes.rate('team-1', rate)).toMatchObject({ documents: null });
  });

  it('are fetched from their addresses if the adapter cannot open them', async () => {
    const url = await listen((_, response) => response.end('letter'));
    const documents = [{ ...letters[0]!, url: `${url}/?token=${token}` }, letters[1]!];
    const carrier = scriptedCarrier(async () => ({ ...answer, documents }));
    await using bench = await createBench(engine, [carrier]);
    const { quote_request_id: id } = await bench.quotes.create('team-1', { ...exampleBody, form_types: ['ho3'] });
    const rate = (await bench.completed(id)).rates[0]!.id;
    expect((await bench.quotes.rate('team-1', rate))!.documents).toMatchObject([{ document_id: 'letter' }]);
    await expect(bench.quotes.openDocument('team-1', rate, 'letter')).rejects.toMatchObject({ reason: 'not_https' });
    const within = await bench.join({ documents: { allowPrivate: true, maxBytes: 6 } });
    expect(String(await readAll((await within.openDocument('team-1', rate, 'letter'))!))).toBe('letter');
    const less = await bench.join({ documents: { allowPrivate: true, maxBytes: 5 } });
    await expect(less.openDocument('team-1', rate, 'letter')).rejects.toMatchObject({ reason: 'too_large' });
    expect(JSON.stringify(bench.events)).not.toContain(token);
  });
});
