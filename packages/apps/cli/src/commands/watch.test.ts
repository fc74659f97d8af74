import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const id = '01a1fb9b-afb1-7f12-8456-f0be1282f255';
const view = {
  watched_home_id: id,
  reference: 'customer 4711',
  home: null,
  counts: { eligible: 4, referral: 0, needs_information: 3, ineligible: 2, not_offered: 0 },
  last_change: { at: '2026-11-21T08:00:00.000000Z', changes: [] },
  quote_request_id: null,
  created_at: '2026-11-20T12:00:00.706000Z',
  evaluated_at: '2026-11-21T08:00:00.000000Z',
  watched_until: '2027-02-18T12:00:00.706000Z',
};

/** A service that always gives the same answer, and a folder with a home. */
async function open(body: object, status = 200) {
  const sent: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    sent.push([request.url, request.headers.authorization, JSON.parse(text)]);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'home.json'), '{\n  "state": "fl",\n  "roof_age": "old"\n}\n');
  const environment = {
    LEEWARD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    LEEWARD_TOKEN: 'team-token',
    LEEWARD_DATA_DIR: '/nowhere',
  };
  return {
    sent,
    run: (words: readonly string[], columns?: number) =>
      runWords(['watch', ...words], { folder: folder.path, environment, ...(columns && { columns }) }),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
      folder[Symbol.dispose]();
    },
  };
}

it('watches the home of a file, or of a saved decision, for a quote', async () => {
  const warning = 'Unknown to the watched home: county, because it was one of several.';
  using service = await open({ ...view, warnings: [{ path: '/decision_id', code: 'not_saved', message: warning }] });
  const reference = ['--reference', 'customer 4711'];
  const ofFile = await service.run(['add', ...reference, '--home', 'home.json', '--quote', 'q-1']);
  expect([ofFile.code, JSON.parse(ofFile.output)]).toMatchObject([0, view]);
  const ofDecision = await service.run(['add', ...reference, '--decision', 'd-1'], 100);
  expect([ofDecision.code, ofDecision.output, ofDecision.errors]).toEqual([
    0,
    `Watched until 2027-02-18: ${id}\n4 eligible, 3 needs information, 2 ineligible\n`,
    `${warning}\n`,
  ]);
  const path = '/api/v1/watched-homes/create';
  const home = { state: 'fl', roof_age: 'old' };
  expect(service.sent).toEqual([
    [path, 'Bearer team-token', { reference: 'customer 4711', home, quote_request_id: 'q-1' }],
    [path, 'Bearer team-token', { reference: 'customer 4711', decision_id: 'd-1' }],
  ]);
});

it('needs exactly one of a file and a decision', async () => {
  using service = await open(view);
  for (const words of [[], ['--home', 'home.json', '--decision', 'd-1']]) {
    const { code, errors } = await service.run(['add', '--reference', 'a', ...words]);
    expect([code, errors]).toEqual([2, expect.stringContaining('Give --home with a file, or --decision')]);
  }
  expect((await service.run(['add', '--reference', 'a', '--home', 'nowhere.json'])).errors).toContain('nowhere.json');
  expect(service.sent).toEqual([]);
});

it('names faults of the home at their lines, and others in words', async () => {
  const problem = (path: string, message: string) => ({
    ...{ code: 'invalid_request', status: 422, detail: message },
    errors: [{ path, code: 'x', message }],
  });
  using ofHome = await open(problem('/home/roof_age', 'roof_age is "old"; give years.'), 422);
  const add = ['add', '--reference', 'a', '--home', 'home.json'];
  expect((await ofHome.run(add)).errors).toContain('home.json:3');
  using ofQuote = await open(problem('/quote_request_id', 'quote_request_id is not a quote of this team.'), 422);
  expect(await ofQuote.run([...add, '--quote', 'x'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('quote_request_id is not a quote of this team.'),
  });
  using unknown = await open({ code: 'not_found', status: 404, detail: 'x' }, 404);
  expect((await unknown.run(['remove', id])).errors).toContain('There is no such watched home here');
});

it('lists homes with their changes, and removes one', async () => {
  using service = await open({ watched_homes: [view], next: 'c-2' });
  const { output, errors } = await service.run(['list', '--limit', '1'], 120);
  expect(output).toMatch(/customer 4711.*4 eligible, 3 needs information.*2026-11-21/s);
  expect([output.includes(id), errors]).toEqual([true, 'There are more: --cursor c-2\n']);
  await service.run(['remove', id]);
  expect(service.sent).toEqual([
    ['/api/v1/watched-homes/list', 'Bearer team-token', { limit: 1 }],
    ['/api/v1/watched-homes/remove', 'Bearer team-token', { watched_home_id: id }],
  ]);
});
