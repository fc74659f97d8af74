import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { demoPath, writeDemo } from '../demo/demo-file.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const escapeCharacter = '\u001b';
const fixture = join(import.meta.dirname, '../../../../../fixtures/quotes/marion-fl-2004-ho3.json');
const request = readFileSync(fixture, 'utf8');
const id = '01a1fb96-4836-7a9a-aeb4-bf502b76b4d5';

interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}
type Answer = { status?: number; headers?: Record<string, string>; body: unknown } | 'reset';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** Prepared answers, one per request; the last repeats. */
async function service(...answers: Answer[]) {
  const sent: Sent[] = [];
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('end', () => {
      const answer = answers[Math.min(sent.length, answers.length - 1)]!;
      sent.push({ path: incoming.url ?? '', headers: incoming.headers, body: JSON.parse(text) });
      if (answer === 'reset') return void incoming.socket.destroy();
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const environment = { LEEWARD_URL: url, LEEWARD_TOKEN: 'team-token', LEEWARD_DATA_DIR: '/nowhere' };
  return { url, sent, environment };
}

const created = { quote_request_id: id, counts: { processing: 3, success: 0, error: 0 } };
const rate = (more: object) => ({
  status: 'success',
  outcome: 'quoted',
  premium: '1843.50',
  carrier: 'Bayou Mutual',
  form_type: 'ho3',
  carrier_quote_number: null,
  carrier_response_messages: null,
  rate_type: 'bindable',
  error: null,
  ...more,
});
const status = (processing: number, rates: object[]) => ({
  quote_request_id: id,
  status: processing > 0 ? 'processing' : 'complete',
  counts: { processing, success: rates.length, error: 0 },
  min_quote: rates.length > 0 ? '987.00' : null,
  max_quote: rates.length > 0 ? '12843.50' : null,
  rates,
});
const problem = (status: number, code: string, more: object = {}): Answer => ({
  status,
  body: { status, code, detail: 'Said by the service.', ...more },
});

describe('leeward quote create', () => {
  it('shows progress on a terminal, then a table of rates, lowest first', async () => {
    const message = (text: string, more = {}) => ({ level: 'info', code: 'note', message: text, field: null, ...more });
    const rates = [
      rate({ premium: '12843.50', carrier_quote_number: 'BM-7' }),
      rate({
        ...{ status: 'error', outcome: 'ineligible', premium: null, carrier: 'Heron Shore', rate_type: null },
        carrier_response_messages: [message('Too far\u001b[2J inland\u202e.')],
      }),
      rate({
        ...{ premium: '987.00', carrier: 'Pecan Grove', rate_type: 'indication' },
        carrier_response_messages: ['roof_year', 'acreage'].map((field) =>
          message('It hangs on this.', { code: 'missing_field', field }),
        ),
      }),
    ];
    const { environment, sent } = await service(
      { body: created },
      { body: status(3, []) },
      { body: status(1, rates.slice(0, 1)) },
      { body: status(0, rates) },
    );
    const words = ['quote', 'create', fixture, '--wait'];
    const { code, output, errors } = await runWords(words, { environment, columns: 96 });
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const [first, second, third, table = ''] = output.split(`\r${escapeCharacter}[K`).slice(1);
    expect(first).toMatch(/^░{24} 0 of 3 answered, 0 with a premium$/);
    expect(second).toMatch(/^█+░+ 1 of 2 answered, 1 with a premium, lowest \$987\.00$/);
    expect(third).toMatch(/^█{24} /);
    expect(table.indexOf('Pecan Grove')).toBeLessThan(table.indexOf('Bayou Mutual'));
    expect(table.indexOf('Bayou Mutual')).toBeLessThan(table.indexOf('Heron Shore'));
    expect(table).toMatch(/indication +│ +\$987\.00 │ Pecan Grove +│ HO3 +│ \? needs year of the roof, acreage/);
    expect(table).toMatch(/quoted +│ \$12,843\.50 │ Bayou Mutual +│ HO3 +│ BM-7/);
    // Carriers' text cannot control the terminal.
    expect(table).toMatch(/ineligible +│ +│ Heron Shore +│ HO3 +│ Too far \[2J inland \./);
    expect(table).not.toContain(escapeCharacter);
    expect(table).toContain('Lowest $987.00, highest $12,843.50 a year.\n3 with a premium, 0 without.\n');
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(96);
    expect(sent[0]).toMatchObject({
      path: '/api/v1/quote/request',
      headers: { authorization: 'Bearer team-token', 'idempotency-key': expect.stringMatching(/^[\w-]{36}$/) },
      body: JSON.parse(request),
    });
    expect(sent[1]).toMatchObject({ path: `/api/v1/quote/${id}`, body: { include_rates: true } });
  });

  it('prints only JSON without a terminal or on request', async () => {
    const answers = [{ body: created }, { body: status(1, []) }, { body: status(0, [rate({})]) }];
    for (const more of [{}, { columns: 80 }]) {
      const { environment } = await service(...answers);
      const words = ['quote', 'create', '-', '--wait', ...('columns' in more ? ['--json'] : [])];
      const { code, output, errors } = await runWords(words, { environment, input: request, ...more });
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(JSON.parse(output)).toEqual(status(0, [rate({})]));
    }
  });

  it('prints the created quote and the next command without --wait', async () => {
    const { environment } = await service({ body: created });
    const plain = await runWords(['quote', 'create', '-'], { environment, input: request });
    expect(JSON.parse(plain.output)).toEqual(created);
    const shown = await runWords(['quote', 'create', '-'], { environment, input: request, columns: 80 });
    expect(shown.output).toBe(`Quote ${id}: calling 3 carriers.\n\n  leeward quote status ${id} --wait\n`);
  });

  it('retries with the same key during an outage, and creates one quote', async () => {
    const { environment, sent } = await service('reset', problem(503, 'unavailable'), { body: created });
    expect(await runWords(['quote', 'create', '-'], { environment, input: request })).toMatchObject({ code: 0 });
    expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(sent).toHaveLength(3);
    const own = await runWords(['quote', 'create', '-', '--idempotency-key', 'mine'], { environment, input: request });
    expect(own.code).toBe(0);
    expect(sent.at(-1)?.headers['idempotency-key']).toBe('mine');
  });

  it('reports every fault at its line of the file', async () => {
    const errors = [
      { path: '/fields/state', code: 'invalid_value', message: 'state is "zz".' },
      { path: '/product_code', code: 'unknown', message: 'product_code is "boats".' },
    ];
    const { environment } = await service(problem(422, 'invalid_request', { errors }));
    using folder = temporaryFolder({ 'quote.json': request });
    const told = await runWords(['quote', 'create', 'quote.json', '--wait'], { environment, folder: folder.path });
    expect(told).toMatchObject({ code: 1, output: '' });
    expect(told.errors).toMatch(/quote\.json:\d\d {2}\/fields\/state\n {4}state is "zz"\./);
    expect(told.errors).toContain('quote.json:2  /product_code\n');
  });

  it.each([
    [problem(401, 'unauthenticated'), 'does not take this token'],
    [problem(403, 'forbidden'), 'takes the token of a team'],
    [problem(409, 'idempotency_conflict'), 'was used for another request'],
    [problem(500, 'internal'), 'Said by the service.'],
    [{ status: 200, body: '<html>' }, 'is not a Leeward service'],
    [{ status: 200, body: 'null' }, 'is not a Leeward service'],
    [{ status: 404, body: '<html>' }, 'is not a Leeward service (404)'],
    [{ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' }, 'is not a Leeward service (302)'],
  ] satisfies [Answer, string][])(
    'describes %j in one sentence',
    async (answer, message) => {
      const { environment } = await service(answer);
      const { code, errors } = await runWords(['quote', 'create', '-'], { environment, input: request });
      expect(code).toBe(1);
      expect(errors).toContain(message);
      expect(errors).not.toMatch(/\n\s+at |team-token/);
    },
    20_000,
  );

  it('stops waiting at the time limit, and prints how to continue', async () => {
    const { environment } = await service({ body: created }, { body: status(2, [rate({})]) });
    const words = ['quote', 'create', '-', '--wait', '--timeout', '1'];
    const { code, output, errors } = await runWords(words, { environment, input: request });
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ status: 'processing' });
    expect(errors).toContain(
      `Not all have answered in 1 s. The quote goes on without you: leeward quote status ${id} --wait`,
    );
  });

  it('reports an unreachable service, and how to retry without a second quote', async () => {
    const { url, environment } = await service({ body: created });
    open.splice(0)[0]?.close();
    const { code, errors } = await runWords(['quote', 'create', '-'], { environment, input: request });
    expect(code).toBe(1);
    expect(errors).toContain(`No service can be reached at ${url} (ECONNREFUSED)`);
    expect(errors).toMatch(/--idempotency-key [\w-]{36}\n$/);
  });

  it('finds the demo, and sends its token to the demo only', async () => {
    const { url, sent } = await service({ body: created });
    using folder = temporaryFolder();
    const key = (secret: string) => `lw_demo_${'0'.repeat(26)}_${secret.repeat(43)}`;
    writeDemo(folder.path, { url, api_key: key('a'), team_token: key('b') } as Parameters<typeof writeDemo>[1]);
    expect(demoPath(folder.path)).toContain(folder.path);
    const environment = { LEEWARD_DATA_DIR: folder.path };
    expect(await runWords(['quote', 'status', id], { environment })).toMatchObject({ code: 0 });
    expect(sent[0]?.headers.authorization).toBe(`Bearer ${key('b')}`);
    const elsewhere = await service({ body: created });
    const words = ['quote', 'status', id, '--url', elsewhere.url];
    const { code, errors } = await runWords(words, { environment });
    expect({ code, asked: elsewhere.sent.length }).toEqual({ code: 1, asked: 0 });
    expect(errors).toContain('Give the token of a team');
  });

  it.each<[string[], string, number?]>([
    [['create', 'nowhere.json'], 'There is no file nowhere.json.', 2],
    [['create', '.'], 'cannot be read (EISDIR)', 2],
    [['create', '-'], 'This is not JSON'],
    [['status', 'x', '--timeout', 'soon'], '--timeout is "soon"'],
    [['status', 'x', '--url', 'ftp://x'], 'begins with http://'],
    [['status', 'x', '--url', 'http://me:secret@x'], 'without user and password'],
    [['status', 'x'], 'Say which service'],
    [['status'], "missing required argument 'quote'", 2],
  ])('refuses %j in a sentence', async (words, message, expected = 1) => {
    using folder = temporaryFolder();
    const given = { input: '{"a": tx}', folder: folder.path, environment: {} };
    const { code, errors } = await runWords(['quote', ...words], given);
    expect(code).toBe(expected);
    expect(errors).toContain(message);
    expect(errors).not.toContain('secret@');
  });
});

describe('leeward quote list', () => {
  const item = (more: object) => ({
    ...{ quote_request_id: id, created_at: '2026-11-20T12:00:00.000000Z', insured_initials: 'DW', insured: null },
    ...{ counts: { processing: 0, success: 2, error: 0 }, best_offer: { premium: '1843.50', rate_type: 'bindable' } },
    ...more,
  });
  const page = {
    quotes: [
      item({}),
      item({ counts: { processing: 3, success: 0, error: 0 }, insured: { name: 'Dana\u001b[2J Whitfield' } }),
      item({ insured_initials: null, best_offer: null }),
    ],
    next: '17_x',
  };

  it('shows a line for each quote in 80 columns, and how to continue', async () => {
    const { environment, sent } = await service({ body: page });
    const words = ['quote', 'list', '--product', 'homeowners', '--team', 't', '--limit', '3', '--cursor', 'c'];
    const { code, output, errors } = await runWords(words, { environment, columns: 80 });
    expect(code).toBe(0);
    expect(sent[0]).toMatchObject({
      path: '/api/v1/quote/list',
      body: { product_code: 'homeowners', team_id: 't', limit: 3, cursor: 'c' },
    });
    expect(output).not.toContain(escapeCharacter);
    const lines = output.split('\n').filter((line) => line.includes(id));
    expect(lines).toHaveLength(3);
    for (const [at, parts] of [['DW', '$1,843.50'], ['Dana [2J', '3 to answer'], ['erased']].entries()) {
      for (const part of parts) expect(lines[at]).toContain(part);
    }
    expect(errors).toBe('There are more: --cursor 17_x\n');
    expect(JSON.parse((await runWords(['quote', 'list'], { environment })).output)).toEqual(page);
  });

  it.each([
    [problem(404, 'not_found'), 'There is no such team here'],
    [problem(422, 'invalid_request', { errors: [{ path: '/status', message: 'status is "x".' }] }), 'status is "x".'],
    [{ body: {} }, 'is not a Leeward service'],
  ])('says in words why it cannot list: %#', async (answer, message) => {
    const { environment } = await service(answer);
    const { code, errors } = await runWords(['quote', 'list'], { environment });
    expect(code).toBe(1);
    expect(errors).toContain(message);
  });
});

describe('leeward quote requote', () => {
  it('writes options as requested coverages, alone or with the changes of a file', async () => {
    const { environment, sent } = await service({ body: created });
    const options = [
      '--option',
      'hurricane=5%',
      'all_other_perils=$5,000',
      'roof=Actual cash value',
      'water_backup=none',
    ];
    const coverages = {
      hurricane: { percent: 5 },
      all_other_perils: { amount: 5000 },
      roof: { settlement: 'actual_cash_value' },
      water_backup: null,
    };
    await runWords(['quote', 'requote', id, ...options], { environment });
    const input =
      '{"priority": 1, "fields": {"acreage": 2, "requested_coverages": {"flood": {"inclusion": "excluded"}}}}';
    await runWords(['quote', 'requote', id, '-', ...options], { environment, input });
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      [`/api/v1/quote/${id}/requote`, { fields: { requested_coverages: coverages } }],
      [
        `/api/v1/quote/${id}/requote`,
        {
          priority: 1,
          fields: { acreage: 2, requested_coverages: { flood: { inclusion: 'excluded' }, ...coverages } },
        },
      ],
    ]);
  });

  it.each([
    [[], 'Give a file of changes, or --option'],
    [['--option', 'hurricane'], '--option is "hurricane"; give code=value'],
    [['--option', 'roof=new'], '--option is "roof=new"; give code=value'],
  ])('refuses %j', async (words, message) => {
    const { code, errors } = await runWords(['quote', 'requote', id, ...words], { environment: {} });
    expect(code).toBe(1);
    expect(errors).toContain(message);
  });
});

describe('leeward quote proposal', () => {
  it('writes the page of the service', async () => {
    const page = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<!doctype html><p>A page' };
    const { environment, sent } = await service(page, { body: {} });
    const words = ['quote', 'proposal', id, '--agency', 'Palmetto Coast'];
    expect((await runWords([...words, '--rates', 'r1', 'r2'], { environment })).output).toBe(page.body);
    expect(sent[0]).toMatchObject({
      path: `/api/v1/quote/${id}/proposal`,
      body: { agency_name: 'Palmetto Coast', rate_ids: ['r1', 'r2'] },
    });
    expect((await runWords(words, { environment })).errors).toContain('is not a Leeward service');
    expect((await runWords(['quote', 'proposal', id], { environment })).code).toBe(2);
  });
});

describe('leeward quote compare', () => {
  const compared = (id: string, carrier: string, premium: string) => ({
    ...{ id, carrier, carrier_key: id, form_type: 'ho3', outcome: 'quoted', premium },
    ...{ rate_type: 'quoted', expires_at: null, subject_to: [], violates_terms: id === 'c' },
    financial_strength: { agency: 'Example Ratings', rating: 'A' },
  });
  const value = (more: object) => ({
    ...{ amount: null, percent: null, percent_of: null, inclusion: null, settlement: null },
    ...more,
  });
  const line = (more: object) => ({
    ...{ section: 'coverages', code: 'dwelling', name: 'A. Dwelling', requested: null, same: true },
    ...{ differs_from_request: [] },
    values: ['350000.00', '350000.00', '300000.00'].map((amount) => value({ amount })),
    ...more,
  });
  const comparison = {
    quote_request_id: id,
    status: 'complete',
    rates: [
      compared('a', 'Pecan\u001b[2J Grove', '987.00'),
      compared('b', 'Bayou Mutual', '1843.50'),
      compared('c', 'Sawpalm', '12843.50'),
    ],
    lines: [
      line({ requested: '350000.00', same: false, differs_from_request: ['c'] }),
      line({
        section: 'fees',
        code: 'policy_fee',
        name: 'Policy fee',
        values: [null, value({ amount: '27.00' }), null],
      }),
      line({
        ...{ section: 'endorsements', name: 'Water' },
        values: [
          value({ percent: 2, percent_of: 'dwelling' }),
          value({ inclusion: 'not_offered' }),
          value({ settlement: 'schedule' }),
        ],
      }),
    ],
    coverage_basis: 'different',
    basis_differences: ['coverages/dwelling'],
    without_premium: [{}],
  };

  it('puts rates side by side, as many as the terminal holds', async () => {
    const { environment, sent } = await service({ body: comparison });
    for (const columns of [60, 100]) {
      const { code, output } = await runWords(['quote', 'compare', id], { environment, columns });
      expect(code).toBe(0);
      expect(output).not.toContain(escapeCharacter);
      for (const text of output.split('\n')) expect(text.length).toBeLessThanOrEqual(columns);
      expect(output.match(/premium a year/g)).toHaveLength(columns === 60 ? 2 : 1);
      expect(output).toContain('≠');
      expect(output).toContain('$300,000.00 *');
      for (const text of ['2 %', 'not offered', 'schedule', 'violated', 'A (Example']) expect(output).toContain(text);
      expect(output).not.toContain('…');
      expect(output).toContain('Not like for like: rows with ≠ differ.\n');
      expect(output).toContain('* the amount differs from the request.\n1 without a premium.\n');
    }
    expect(sent[0]).toMatchObject({ path: `/api/v1/quote/${id}/compare`, body: {} });
    await runWords(['quote', 'compare', id, '--form', 'ho3', '--differences'], { environment });
    expect(sent[2]!.body).toEqual({ form_type: 'ho3', differences_only: true });
  });

  it('prints JSON if the output is not a terminal', async () => {
    const { environment } = await service({ body: comparison });
    const { output } = await runWords(['quote', 'compare', id], { environment });
    expect(JSON.parse(output)).toEqual(comparison);
  });
});

describe('operator commands of leeward quote and leeward carrier', () => {
  const trouble = {
    rate_id: 'r1',
    carrier_key: 'palm',
    why: 'http_503',
    retry: 'yes',
    created_at: 'today',
    team_id: 't',
  };

  it('send the operator’s token, and print the result', async () => {
    const { sent, environment: ofTeam } = await service(
      { body: { rates: [trouble], next: '5_r1' } },
      {
        body: {
          retried: [],
          woken: ['r2'],
          refused: [{ rate_id: 'r1', code: 'may_repeat', message: 'Ask.' }],
          more: true,
        },
      },
      { body: { retried: [{ rate_id: 'r1', retried_as: 'r3' }], woken: [], refused: [], more: false } },
      { body: { carrier_key: 'palm', changed: true } },
      { body: { carriers: [{ carrier_key: 'palm', paused: true, remaining_seconds: null }] } },
      problem(404, 'not_found'),
      problem(401, 'unauthenticated'),
    );
    const environment = { ...ofTeam, LEEWARD_OPERATOR_TOKEN: 'operator-token' };
    const leeward = (words: string) => runWords(words.split(' '), { environment });
    const listed = await leeward('quote trouble --waiting --carrier Palm --longer-than 60');
    expect(listed.output).toMatch(/r1.*palm.*http_503.*yes/);
    expect(listed.errors).toContain('--after 5_r1');
    expect(await leeward('quote retry r1 r2')).toMatchObject({
      output: '0 retried, 1 run now, 1 refused.\n',
      errors: 'r1: Ask.\nThere are more: repeat the command.\n',
    });
    expect(JSON.parse((await leeward('quote retry --carrier palm --may-repeat --json')).output).retried).toHaveLength(
      1,
    );
    expect((await leeward('carrier pause palm')).output).toMatch(/carrier key +palm/);
    expect((await leeward('carrier resting')).output).toMatch(/palm.*true/);
    expect(await leeward('carrier resume nobody')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no such carrier'),
    });
    expect(await leeward('carrier resting')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('LEEWARD_OPERATOR_TOKEN'),
    });
    expect(sent.map(({ path, body }) => [path.slice('/v1/admin/quote-'.length), body])).toEqual([
      ['rates/list', { state: 'waiting', carrier_key: 'Palm', waiting_seconds: 60 }],
      ['rates/retry', { rate_ids: ['r1', 'r2'], may_repeat: false }],
      ['rates/retry', { carrier_key: 'palm', may_repeat: true }],
      ['carriers/pause', { carrier_key: 'palm' }],
      ['carriers/list', {}],
      ['carriers/resume', { carrier_key: 'nobody' }],
      ['carriers/list', {}],
    ]);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer operator-token']));
    for (const words of ['quote retry', 'quote retry r1 --carrier palm', 'quote trouble --limit many'])
      expect(await leeward(words)).toMatchObject({ code: 1, output: '' });
    // A team's token is not the operator's.
    expect(await runWords(['carrier', 'resting'], { environment: ofTeam })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Give the operator'),
    });
    expect(sent).toHaveLength(7);
  });
});
