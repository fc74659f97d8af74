import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../outward/public-address.ts';
import { createEventPost } from './post-event.ts';

const message = { headers: { 'content-type': 'application/json' }, body: '{}' };
const never = new AbortController().signal;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function listen(answer: RequestListener) {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, calls: () => calls };
}

function poster(options: Partial<Parameters<typeof createEventPost>[0]> = {}) {
  const post = createEventPost({ allowPrivate: false, timeoutMs: 5000, ...options });
  ends.push(() => post.close());
  return (url: string, signal = never) => post(url, message, signal);
}

describe('a request to an endpoint', () => {
  it('ends with its caller while it waits for a connection', async () => {
    const { port } = await listen(() => {});
    const send = poster({ allowPrivate: true, timeoutMs: 60_000 });
    const gone = new AbortController();
    const calls = Array.from({ length: 65 }, () => send(`http://127.0.0.1:${port}/`, gone.signal));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const queued = calls.at(-1)!;
    const alone = new AbortController();
    const last = send(`http://127.0.0.1:${port}/`, alone.signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    alone.abort();
    expect(await last).toMatchObject({ ok: false });
    gone.abort();
    expect(await queued).toMatchObject({ ok: false });
  }, 20_000);

  it('rejects addresses that are not public, in any spelling', async () => {
    const { port, calls } = await listen((_, response) => response.end());
    const hosts = ['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0.0.0.0', '[::1]', '[::]'];
    for (const host of [
      ...hosts,
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ]) {
      expect({ host, ...(await poster()(`https://${host}:${port}/`)) }).toMatchObject({
        host,
        ok: false,
        reason: 'forbidden_address',
      });
    }
    expect(await poster()(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: false, reason: 'not_https' });
    expect(calls()).toBe(0);
  });

  it('rejects other ports before resolving the name', async () => {
    let asked = 0;
    const resolve = async () => {
      asked++;
      return ['127.0.0.1'];
    };
    const { port, calls } = await listen((_, response) => response.end());
    const ports = [443, 8443];
    for (const refused of ['https://hook.example:22/', `https://hook.example:${port}/`, 'https://hook.example:80/']) {
      expect(await poster({ ports, resolve })(refused)).toMatchObject({ ok: false, reason: 'forbidden_port' });
    }
    expect(asked).toBe(0);
    for (const allowed of ['https://hook.example/', 'https://hook.example:8443/']) {
      expect(await poster({ ports, resolve })(allowed)).toMatchObject({ ok: false, reason: 'forbidden_address' });
    }
    expect(await poster({ ports, resolve, allowPrivate: true })(`http://hook.example:${port}/`)).toMatchObject({
      ok: true,
    });
    expect(calls()).toBe(1);
  });

  it('rejects a name with a private address, and resolves each name once per call', async () => {
    const { port, calls } = await listen((_, response) => response.end());
    let asked = 0;
    const rebinding = (first: string) => async () => (asked++ === 0 ? [first] : ['192.0.2.1']);
    const refused = await poster({ resolve: rebinding('127.0.0.1') })(`https://rebind.example:${port}/`);
    expect([refused.ok, asked, calls()]).toEqual([false, 1, 0]);
    asked = 0;
    const sent = await poster({ allowPrivate: true, resolve: rebinding('127.0.0.1') })(
      `http://rebind.example:${port}/`,
    );
    expect([sent.ok, asked, calls()]).toEqual([true, 1, 1]);
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['fe80::1'], ['::ffff:192.168.0.1']]) {
      const answer = await poster({ resolve: async () => addresses })(`https://many.example:${port}/`);
      expect(answer).toMatchObject({ ok: false, reason: 'forbidden_address' });
    }
    expect(await poster({ resolve: async () => [] })('https://none.example/')).toMatchObject({
      reason: 'name_not_resolved',
    });
    expect(calls()).toBe(1);
  });

  it('connects to the checked address', async () => {
    const { port, calls } = await listen((request, response) => {
      expect(request.headers.host).toBe(`named.example:${port}`);
      response.end();
    });
    const post = poster({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
    expect(await post(`http://named.example:${port}/`)).toEqual({ ok: true, status: 200 });
    expect(calls()).toBe(1);
  });

  it('does not follow redirects', async () => {
    const target = await listen((_, response) => response.end());
    const { port } = await listen((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const answer = await poster({ allowPrivate: true })(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ ok: false, status: 307, reason: 'redirect (307)' });
    expect(target.calls()).toBe(0);
  });

  it('ends at its time limit, and does not read an endless response', async () => {
    const silent = await listen(() => {});
    const endless = await listen((_, response) => {
      const write = () => {
        while (response.write('x'.repeat(16_384)));
      };
      response.on('drain', write);
      write();
    });
    const post = poster({ allowPrivate: true, timeoutMs: 400 });
    expect(await post(`http://127.0.0.1:${silent.port}/`)).toMatchObject({ ok: false, reason: 'timeout' });
    expect(await poster({ allowPrivate: true })(`http://127.0.0.1:${endless.port}/`)).toEqual({
      ok: true,
      status: 200,
    });
    expect(await poster({ allowPrivate: true })('http://127.0.0.1:1/')).toMatchObject({
      reason: 'no_answer (ECONNREFUSED)',
    });
    const busy = await listen((_, response) => response.writeHead(503, { 'retry-after': '7' }).end());
    expect(await poster({ allowPrivate: true })(`http://127.0.0.1:${busy.port}/`)).toMatchObject({
      status: 503,
      retryAfterMs: 7000,
    });
    const stopped = AbortSignal.abort();
    expect(await poster({ allowPrivate: true })(`http://127.0.0.1:${silent.port}/`, stopped)).toMatchObject({
      ok: false,
    });
  });
});

describe('a public address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.0', '2606:2800:220:1::1', '2a00:1450:4001::200e'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
  it.each([
    ...['0.0.0.0', '10.255.255.255', '100.64.0.1', '127.8.8.8', '169.254.169.254', '172.16.0.0', '172.31.255.255'],
    ...['192.168.1.1', '192.0.0.8', '198.18.0.1', '198.51.100.1', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '100::1', '5f00::1'],
    ...[
      '::ffff:8.8.8.8',
      '::8.8.8.8',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '2001::1',
      '2001:db8::1',
      '2002:808:808::1',
      '3fff::1',
    ],
    ...['', 'localhost', '8.8.8', '08.8.8.8', '8.8.8.8 ', 'example.com'],
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  it('excludes addresses that embed a private IPv4 address', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(part, part, part, fc.constantFrom('::ffff:', '::', '64:ff9b::', '2002:'), (b, c, d, prefix) => {
        const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
        const tail = prefix === '2002:' ? `${hex(10, b)}:${hex(c, d)}::` : `${hex(10, b)}:${hex(c, d)}`;
        return !isPublicAddress(`${prefix}${tail}`);
      }),
    );
  });
});
