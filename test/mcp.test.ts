import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { createLeeward, type Leeward, type LeewardOptions } from '@leeward/http';
import { administrationRoutes, createAccountCatalogs, createRulesPort } from '@leeward/http-admin';
import { mcpRoutes, referenceResources } from '@leeward/mcp';
import { createRegistry, readOrganizationRules } from '@leeward/registry';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { checkedLeeward } from './support/checked-leeward.ts';
import { claimsRuleSet } from './support/claims-rule-set.ts';
import { sampleCatalog } from './support/sample-catalog.ts';

const host = { system: 'a test' };
const home = { state: 'tx', county: 'harris', policy_type: 'ho3', roof_type: '3-tab shingle', roof_age: 22 };
const citation =
  /\[(rules? [\w\-, ]+|no rule)( and \d+ more)? of \w+ [\d.]+, sha256 [0-9a-f]{12}(; rules? [\w\-, ]+( and \d+ more)? of \w+ [\d.]+, sha256 [0-9a-f]{12})*\]$/;

async function service(options: Partial<LeewardOptions> = {}) {
  const catalog = sampleCatalog();
  const accounts = createAccounts({
    store: createMemoryStore(),
    readOrganizationRules,
    catalog: new Set(catalog.carriers.map(({ key }) => key)),
  });
  const registry = createRegistry({ accounts, rules: createRulesPort(catalog) });
  const operations = [...accounts.administration.operations, ...registry.administration.operations];
  const errors: unknown[] = [];
  const requests: string[] = [];
  const leeward: Leeward = checkedLeeward(
    createLeeward({
      directory: accounts.directory,
      underwriting: { catalog, organizations: createAccountCatalogs(catalog, accounts.directory) },
      routes: [
        administrationRoutes({ operations }),
        mcpRoutes({ service: () => leeward, resources: referenceResources(), onError: (error) => errors.push(error) }),
      ],
      observers: [(exchange) => () => requests.push(`${exchange.route} ${exchange.status} ${exchange.requestId}`)],
      rateLimit: null,
      ...options,
    }),
  );
  const organization = async (name: string, carriers: readonly string[]) => {
    const { organizations, tokens, appointments } = accounts.administration;
    const { organization_id } = await organizations.create.run(host, { name });
    for (const carrier_key of carriers) await appointments.create.run(host, { organization_id, carrier_key });
    const tokenFor = async (...scopes: string[]) =>
      (await tokens.create.run(host, { organization_id, scopes })).token as string;
    return { organization_id, tokenFor };
  };
  return { leeward, organization, errors, requests, accounts };
}

async function connect(leeward: Leeward, token: string) {
  const client = new Client({ name: 'a test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('https://leeward.test/mcp'), {
    fetch: (url, init) => leeward.fetch(new Request(url, init)),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  // The type of the SDK does not allow for undefined session ids.
  await client.connect(transport as unknown as Parameters<Client['connect']>[0]);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    const [content] = result.content as [{ text: string }];
    return {
      text: content.text,
      lines: content.text.split('\n'),
      isError: result.isError === true,
      data: (result.structuredContent ?? {}) as Record<string, never>,
    };
  };
  return { client, call };
}

describe('the server for agents', () => {
  it('drives all tools for homes, each line with its rule', async () => {
    const { leeward, organization, errors } = await service();
    const ours = await organization('Ours', ['bluestem']);
    const { call, client } = await connect(leeward, await ours.tokenFor('underwrite'));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'describe_fields',
      'find_carriers',
      'ask_next',
      'decide',
      'explain',
      'what_would_change',
      'check_answer',
    ]);

    const fields = await call('describe_fields', { words: 'age of the roof' });
    expect(fields.lines[0]).toMatch(/^roof_age: /);
    // Only the appointed carrier answers, unless the call names all.
    const own = await call('decide', { home });
    expect(own.lines).toEqual([
      expect.stringMatching(
        /^Bluestem Mutual \(HO3\) is ineligible: A 3-tab roof may be 15 years old; this one is 22\. \[rule roof of bluestem 2026\.1\.0, sha256 [0-9a-f]{12}\]$/,
      ),
    ]);
    const all = await call('decide', { home, all_carriers: true });
    expect(
      new Set((all.data['verdicts'] as unknown as { carrier_key: string }[]).map((each) => each.carrier_key)),
    ).toEqual(new Set(['bluestem', 'quarry']));
    for (const line of all.lines) expect(line).toMatch(citation);
    const found = await call('find_carriers', { state: 'fl', policy_type: 'ho3', all_carriers: true });
    expect(found.text).toMatch(/^Quarry Home offers HO3 in FL/);
    expect(found.data['not_offered']).toMatchObject([{ carrier_key: 'bluestem', code: 'no_program' }]);
    const next = await call('ask_next', { home: { state: 'tx', policy_type: 'ho3' } });
    expect(next.lines.length).toBeGreaterThan(1);
    for (const line of next.lines) expect(line).toMatch(/^Ask for \w+.*rules? [\w, -]+ of bluestem/);
    const explained = await call('explain', { home, carrier_key: 'bluestem' });
    expect(explained.text).toContain('rule roof (decline) holds. Roof type: 3-tab shingle.');
    const change = await call('what_would_change', { home });
    expect(change.lines[0]).toMatch(/^Bluestem Mutual \(HO3\) becomes \w+ with age of the roof: at most 15 years/);
    const reply = [...own.lines, 'Bluestem Mutual (HO3) is eligible: approved by the underwriter.', ...change.lines];
    const checked = await call('check_answer', { home, answer: reply.map((line) => `- ${line}`).join('\n') });
    expect(checked.lines).toEqual([
      `1 of ${reply.length} lines is not a statement of the engine:`,
      'Bluestem Mutual (HO3) is eligible: approved by the underwriter.',
    ]);
    expect(errors).toEqual([]);
  });

  it('refuses bad input with the field, the value and the way out', async () => {
    const { leeward, organization } = await service();
    const { tokenFor } = await organization('Ours', ['bluestem']);
    const { call, client } = await connect(leeward, await tokenFor('underwrite'));
    const unknown = await call('decide', { home: { ...home, roof_agee: 3 } });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean "roof_age"?') });
    expect(await call('decide', {})).toMatchObject({
      isError: true,
      text: 'The arguments do not fit the tool:\n- home: give the fields of the home as an object',
    });
    expect((await call('decide', { home, line: 'boats' })).isError).toBe(true);
    expect((await call('ask_next', { home, line: 'boats' })).text).toContain('home');
    expect((await call('explain', { home, carrier_key: 'quarry' })).text).toContain('bluestem');
    expect((await call('draft_rules', {})).text).toContain('one of the scopes rules, admin, operator');
    await expect(client.callTool({ name: 'approve_rules', arguments: {} })).rejects.toThrow('There is no tool');
    await expect(client.readResource({ uri: 'leeward://nothing' })).rejects.toThrow('There is no resource');
  });

  it('keeps tenants apart, and refuses tokens that are missing, wrong or revoked', async () => {
    const { leeward, organization, accounts } = await service();
    const ours = await organization('Ours', ['bluestem']);
    const theirs = await organization('Theirs', ['quarry']);
    const { call } = await connect(leeward, await ours.tokenFor('underwrite'));
    const other = await call('decide', { home, organization_id: theirs.organization_id });
    expect(other).toMatchObject({ isError: true, text: expect.stringMatching(/^not_found: /) });
    await expect(connect(leeward, 'lw_test_nobody')).rejects.toThrow();
    const { tokens } = accounts.administration;
    const made = await tokens.create.run(host, { organization_id: ours.organization_id, scopes: ['underwrite'] });
    const { call: callRevoked } = await connect(leeward, made.token as string);
    await tokens.remove.run(host, { token_id: made.token_id });
    await expect(callRevoked('decide', { home })).rejects.toThrow();
  });

  it('takes a proposal only if its cases pass, and never puts it in force', async () => {
    const { leeward, organization } = await service();
    const { tokenFor } = await organization('Ours', []);
    const author = await connect(leeward, await tokenFor('admin', 'rules'));
    const draft = await author.call('draft_rules', {
      carrier_key: 'our_own',
      carrier_name: 'Our Own',
      states: ['tx'],
      effective_from: '2026-01-01',
    });
    const { rule_set, cases } = draft.data as unknown as { rule_set: object; cases: { expect: object }[] };
    expect((await author.call('check_rules', { rule_set, cases })).lines.at(-1)).toMatch(/^\d cases run: all pass\.$/);
    expect((await author.call('run_cases', { rule_set, cases })).text).toMatch(/^\d cases run: all pass\.$/);
    const wrong = cases.map((each, index) => (index === 0 ? { ...each, expect: { status: 'referral' } } : each));
    const note = 'From the guide.';
    expect(await author.call('propose_rules', { rule_set, cases: wrong, note })).toMatchObject({
      isError: true,
      text: expect.stringContaining('expects status referral'),
    });
    expect((await author.call('propose_rules', { rule_set, cases: [], note })).isError).toBe(true);
    const broken = {
      ...rule_set,
      rules: [{ id: 'x', when: { all: [{ fact: 'roof_agee', operator: 'equal', value: 3 }] } }],
    };
    expect((await author.call('check_rules', { rule_set: broken })).text).toContain('Did you mean "roof_age"?');
    const status = async () => {
      const response = await leeward.fetch(
        new Request('https://leeward.test/v1/admin/rule-sets/status', {
          method: 'POST',
          headers: { authorization: `Bearer ${await tokenFor('admin')}`, 'content-type': 'application/json' },
          body: '{}',
        }),
      );
      return (await response.json()) as { carriers: unknown[]; proposed: { status: string }[] };
    };
    expect((await status()).proposed).toEqual([]);
    const proposed = await author.call('propose_rules', { rule_set, cases, note });
    expect(proposed.text).toContain('It is proposed and not in force; another person approves it.');
    expect(await status()).toMatchObject({ carriers: [], proposed: [{ status: 'proposed' }] });
    const newer = { ...claimsRuleSet({ key: 'bluestem', version: '2' }) };
    const older = { ...claimsRuleSet({ key: 'bluestem', version: '1' }) };
    expect((await author.call('diff_rules', { newer, older })).text).toContain('version_edited');
  });

  it('serves the rule reference and the fields as resources', async () => {
    const { leeward, organization } = await service();
    const { tokenFor } = await organization('Ours', ['bluestem']);
    const { client } = await connect(leeward, await tokenFor('underwrite'));
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['leeward://reference/home', 'leeward://vocabulary/home']);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(JSON.parse((contents[0] as { text: string }).text))).toContain('roof_age');
    }
  });

  it('stays up under messages that do not fit, and counts each call of the service', async () => {
    const { leeward, organization, requests, errors } = await service();
    const { tokenFor } = await organization('Ours', ['bluestem']);
    const token = await tokenFor('underwrite');
    const send = async (body: unknown, headers: Record<string, string> = {}) => {
      const response = await leeward.fetch(
        new Request('https://leeward.test/mcp', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'x-request-id': 'a-call',
            ...headers,
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      );
      return { status: response.status, text: await response.text() };
    };
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await send('{"jsonrpc":')).status).toBe(400);
    expect((await send([list, list])).status).toBe(422);
    expect((await send({ jsonrpc: '1.0', method: 'x' })).status).toBe(422);
    expect(await send(list, { accept: 'application/json' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Accept: application/json, text/event-stream'),
    });
    expect((await send(list, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    expect((await send({ ...list, method: 'nothing/here' })).text).toContain('-32601');
    const call = { ...list, method: 'tools/call', params: { name: 'decide', arguments: { home } } };
    expect((await send(call)).text).toContain('is ineligible');
    // The id of the call is that of the decision.
    expect(requests.slice(-2).map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
      '/mcp 200',
      '/v1/underwrite/home/{organization_id} 200',
    ]);
    expect(requests.at(-1)).toMatch(/ a-call$/);
    expect(errors.map(String)).toEqual([]);
  });

  it('gives one organization a share of the open calls, and frees it with their callers', async () => {
    const { leeward, organization } = await service();
    const ours = await (await organization('Ours', ['bluestem'])).tokenFor('underwrite');
    const theirs = await (await organization('Theirs', ['bluestem'])).tokenFor('underwrite');
    const send = (token: string) =>
      leeward.fetch(
        new Request('https://leeward.test/mcp', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        }),
      );
    // Answers that are never read hold their places.
    const open = await Promise.all(Array.from({ length: 50 }, () => send(ours)));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await send(ours);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const other = await send(theirs);
    expect([other.status, (await other.text()).includes('"result":{}')]).toEqual([200, true]);
    for (const { body } of open) await body?.cancel();
    for (let turn = 0; turn < 50; turn++) await (await send(ours)).text();
    expect((await send(ours)).status).toBe(200);
  });
});
