import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/dialects/xml/', import.meta.url));
const file = JSON.parse(readFileSync(`${fixtures}http-carrier.json`, 'utf8'));
const text = readFileSync(`${fixtures}answer.xml`, 'utf8');
const read = { outcome: 'quoted', code: null, premium: '1843.50' };
const message = (body: object) => ({
  headers: { 'content-type': 'application/xml' },
  body: { bytes: 9, truncated: false, ...body },
});
const exchange = (id: string, more: object = {}) => ({
  ...{
    exchange_id: id,
    rate_id: `rate-${id}`,
    at: '2026-11-20T12:00:00.812000Z',
    carrier_key: file.carrier.key,
    readable: true,
  },
  ...{
    purpose: 'quote',
    method: 'POST',
    url: 'https://quotes.lamplighter.example/v2/homes',
    status: 200,
    failure: null,
  },
  ...{ took_ms: 402, reading: read, request: message({ text: '<Home/>' }), answer: message({ text }) },
  ...more,
});

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** One exchange a page. */
async function service(...exchanges: object[]) {
  const sent: Record<string, unknown>[] = [];
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const request = JSON.parse(body);
    sent.push({ ...request, path: incoming.url, authorization: incoming.headers.authorization });
    const at = Number(request.after ?? 0);
    response.writeHead(200, { 'content-type': 'application/json' });
    const next = at + 1 < exchanges.length ? String(at + 1) : null;
    response.end(JSON.stringify({ exchanges: exchanges.slice(at, at + 1), next }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const environment = {
    LEEWARD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    LEEWARD_OPERATOR_TOKEN: 'operator-token',
  };
  const run = (...words: string[]) => runWords(['carrier', ...words], { environment });
  return { sent, run };
}

describe('leeward carrier exchanges', () => {
  it('lists them, and shows one in full without terminal controls', async () => {
    const lost = exchange('b', { status: null, failure: 'connection_lost', reading: null, answer: null });
    const { run, sent } = await service(exchange('a', { answer: message({ text: 'one\u001b[2J\ntwo' }) }), lost);
    const list = await run('exchanges', 'rate-a', '--since', '2026-11-20T08:00:00Z');
    expect(list).toMatchObject({ code: 0, output: expect.stringMatching(/quoted \$1,843\.50[\s\S]*\bb\b/) });
    expect(sent).toEqual([
      expect.objectContaining({ path: '/v1/admin/quote-exchanges/list', rate_id: 'rate-a', include_messages: false }),
      expect.objectContaining({ after: '1', authorization: 'Bearer operator-token', since: '2026-11-20T08:00:00Z' }),
    ]);
    const { output } = await run('exchanges', '--carrier', file.carrier.key, '--exchange', 'a');
    expect(output).toContain(
      'POST https://quotes.lamplighter.example/v2/homes\ncontent-type: application/xml\n\n<Home/>',
    );
    expect(output).toContain('one [2J\ntwo\n\nRead as: quoted $1,843.50');
    expect((await run('exchanges', 'rate-b', '--exchange', 'b')).output).toContain('No answer (connection_lost).');
    expect(await run('exchanges', 'rate-a', '--exchange', 'none')).toMatchObject({ code: 1 });
    expect(await run('exchanges')).toMatchObject({ code: 2 });
    expect(JSON.parse((await run('exchanges', 'rate-a', '--json')).output).items).toHaveLength(2);
  });
});

describe('leeward carrier replay', () => {
  it('exits 1 and shows whose premium or outcome changes, 0 if none', async () => {
    const cheaper = exchange('b', {
      answer: message({ text: text.replace('>184350<', '>100000<') }),
      reading: { ...read, premium: '1000.00' },
    });
    const truncated = exchange('c', { answer: message({ text, truncated: true }) });
    const step = exchange('d', { purpose: 'step', reading: null });
    const { run, sent } = await service(exchange('a'), cheaper, truncated, step);
    using folder = temporaryFolder({
      'same.json': JSON.stringify({ ...file, auth: { type: 'bearer', token: `\${CARRIER_TOKEN}` } }),
      'edited.json': JSON.stringify({ ...file, statuses: { 200: 'declined' } }),
      'other.json': JSON.stringify({ ...file, carrier: { key: 'other', name: 'Other' } }),
      'faulty.json': JSON.stringify({ ...file, nam: 1 }),
      'carriers/lamp/http-carrier.json': JSON.stringify(file),
    });
    const at = (name: string) => `${folder.path}/${name}`;
    const same = await run('replay', '--file', at('same.json'), '--since', '2d');
    expect(same).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 of 2 rates change (2 answers read). 1 answers'),
    });
    expect(sent[0]).toMatchObject({ carrier_key: file.carrier.key, include_messages: true });
    expect(Date.parse(String(sent[0]!['since']))).toBeLessThan(Date.now() - 86_400_000);
    expect(await run('replay', 'rate-a', '--carriers', at('carriers'))).toMatchObject({ code: 0 });
    const edited = await run('replay', 'rate-a', '--file', at('edited.json'));
    expect(edited).toMatchObject({ code: 1, errors: expect.stringContaining('2 of 2 rates change') });
    expect(edited.output).toMatch(/rate-a .*quoted \$1,843\.50 .*declined/);
    const json = await run('replay', '--file', at('edited.json'), '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.output)).toMatchObject({
      ...{ rates: 2, changed_rates: 2, answers: 2, skipped: 1 },
      changes: [{ rate_id: 'rate-a', before: read, after: { outcome: 'declined', code: null, premium: null } }, {}],
    });
    expect((await run('replay', 'rate-a', '--file', at('other.json'))).errors).toContain('the files describe other');
    expect((await run('replay', 'rate-a', '--file', at('faulty.json'))).errors).toContain('/nam');
    for (const words of [['rate-a'], ['rate-a', '--file', 'x', '--carrier', 'y'], ['--carriers', folder.path]]) {
      expect(await run('replay', ...words)).toMatchObject({ code: 2 });
    }
  });
});
