import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCarrier } from '../demo/demo-organization.ts';
import { fewCarriers } from '../testing/few-carriers.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { withAccounts } from './with-accounts.ts';

const few = fewCarriers();
let folder: ReturnType<typeof temporaryFolder>;
let environment: Record<string, string>;
beforeAll(() => {
  folder = temporaryFolder();
  environment = { ...few.environment, LEEWARD_DATA_DIR: join(folder.path, 'data') };
});
afterAll(() => {
  folder[Symbol.dispose]();
  few[Symbol.dispose]();
});

const leeward = (words: string, input?: string) =>
  runWords(
    words.split(' ').map((word) => word.replaceAll('~', ' ')),
    { environment, folder: folder.path, ...(input !== undefined && { input }) },
  );

async function json<T = Record<string, unknown>>(words: string, input?: string): Promise<T> {
  const outcome = await leeward(`${words} --json`, input);
  expect({ ...outcome, output: '' }).toMatchObject({ code: 0 });
  return JSON.parse(outcome.output) as T;
}

type Items = { items: Record<string, unknown>[] };

async function organization(name = 'Suncoast~Agency'): Promise<string> {
  return (await json<{ organization_id: string }>(`organization create ${name}`)).organization_id;
}

/** The caller that a service with the same database finds for a token. */
function callerOf(token: string, inEnvironment = 'live') {
  const terminal = { environment, folder: folder.path, writeError: () => {} } as never;
  return withAccounts({ terminal, environment: inEnvironment }, (accounts) => accounts.directory.authenticate(token));
}

describe('leeward organization, team, producer, appointment', () => {
  it('make, list and remove, as tables and as JSON', async () => {
    const id = await organization();
    expect((await leeward('organization list')).output).toContain('Suncoast Agency');
    const team = await json<{ team_id: string }>(`team create Personal --organization ${id}`);
    expect(await json<Items>(`team list --organization ${id}`)).toMatchObject({ items: [{ name: 'Personal' }] });

    const producer = await leeward(`producer add Pat@Suncoast.example --team ${team.team_id} --states FL,Texas`);
    expect(producer).toMatchObject({ code: 0, errors: '' });
    expect(producer.output).toMatch(/licensed states +fl, tx\n/);
    const again = await leeward(`producer add pat@suncoast.example --team ${team.team_id}`);
    expect(again).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('is on this team already') });
    const { items } = await json<Items>(`producer list --team ${team.team_id}`);
    expect(items).toMatchObject([{ organization_id: id, email: 'Pat@Suncoast.example' }]);
    expect(await leeward(`producer remove ${items[0]?.['producer_id']}`)).toMatchObject({ code: 0 });
    expect((await leeward(`producer list --organization ${id}`)).output).toBe('There are none.\n');

    const words = `appointment add bayou_mutual --organization ${id} --states la --policy-types HO-3,dp3 --from 2026-01-01`;
    const appointment = await json<{ appointment_id: string }>(words);
    expect(appointment).toMatchObject({ states: ['la'], policy_types: ['dp3', 'ho3'], from: '2026-01-01' });
    expect((await leeward(`appointment list --organization ${id}`)).output).toContain('bayou_mutual');
    await json(`appointment remove ${appointment.appointment_id}`);
    expect((await json<Items>(`appointment list --organization ${id}`)).items).toEqual([]);

    await json(`organization remove ${id}`);
    expect((await leeward(`team list --organization ${id}`)).errors).toContain('There is no such resource');
  });

  it('report every fault, and change nothing', async () => {
    const id = await organization();
    const bad = await leeward(
      `appointment add bayou_mutual --organization ${id} --states fl,atlantis --policy-types ho4 --from 2026-02-30`,
    );
    expect(bad).toMatchObject({ code: 1, output: '' });
    for (const fault of ['"atlantis"', '"ho4"', 'from is "2026-02-30"; give a date'])
      expect(bad.errors).toContain(fault);
    const unknown = await leeward(`appointment add bayou_mutal --organization ${id}`);
    expect(unknown.errors).toContain('There is no carrier "bayou_mutal" here.');
    expect((await json<Items>(`appointment list --organization ${id}`)).items).toEqual([]);
    for (const words of [
      `team create T --organization ${'0'.repeat(26)}`,
      'team create T --organization nobody',
      'producer add a@b.example --team nobody',
      'organization remove nobody',
      'token revoke nobody',
      'token rotate nobody',
    ]) {
      expect(await leeward(words)).toMatchObject({ code: 1, errors: expect.stringContaining('There is no') });
    }
    expect((await leeward('team create T')).errors).toContain('--organization <id>');
    await json(`organization remove ${id}`);
  });

  it('report a database error without its password', async () => {
    const noDatabase = join(folder.path, 'hunter2.txt');
    writeFileSync(noDatabase, 'not a database, but notes of some length\n'.repeat(100));
    for (const [url, message, code = 1] of [
      ['mysql://leeward:hunter2@db/x', 'begins with sqlite: or postgres:', 2],
      ['postgres://leeward:hunter2@127.0.0.1:1/x', 'cannot be used (ECONNREFUSED)'],
      [`sqlite:${noDatabase}`, 'cannot be used (ERR_SQLITE_ERROR)'],
    ] as const) {
      const outcome = await runWords(['organization', 'list'], { environment: { LEEWARD_DATABASE_URL: url } });
      expect(outcome).toMatchObject({ code, output: '', errors: expect.stringContaining(message) });
      expect(outcome.errors).not.toContain('hunter2');
    }
  });
});

describe('leeward user', () => {
  it('invites people with roles of the organization and of teams, disables, enables and removes them', async () => {
    const id = await organization();
    const { team_id: team } = await json<{ team_id: string }>(`team create Personal --organization ${id}`);
    const ana = await leeward(`user create ana@suncoast.example --roles author,agent:${team} --name Ana~Diaz`);
    expect(ana).toMatchObject({ code: 0, errors: '' });
    expect(ana.output).toContain(`author, agent:${team}\n`);
    const { items } = await json<Items>(`user list --organization ${id}`);
    const roles = [
      { role: 'author', team_id: null },
      { role: 'agent', team_id: team },
    ];
    expect(items).toMatchObject([{ email: 'ana@suncoast.example', name: 'Ana Diaz', roles, status: 'active' }]);
    const [{ user_id: userId }] = items as [Record<string, unknown>];
    expect(await json(`user update ${userId} --roles Approver`)).toMatchObject({
      name: 'Ana Diaz',
      roles: [{ role: 'approver', team_id: null }],
    });
    expect(await json(`user disable ${userId}`)).toMatchObject({ status: 'disabled' });
    expect((await leeward('user list')).output).toMatch(/Ana Diaz │ approver │ disabled/);
    expect(await json(`user enable ${userId}`)).toMatchObject({ status: 'active' });
    const operator = 'user create --issuer https://login.example --subject 7 --roles operator';
    expect(await json(operator)).toMatchObject({ organization_id: null, email: null, subject: '7' });
    expect(await leeward(`user remove ${userId}`)).toMatchObject({ code: 0 });
    expect(await json<Items>(`user list --organization ${id}`)).toEqual({ items: [] });
    await json(`organization remove ${id}`);
  });

  it('refuses what is wrong, by name', async () => {
    const id = await organization();
    for (const [words, code, message] of [
      ['user create ana@suncoast.example --roles author', 2, '--organization ID'],
      [`user create ana@suncoast.example --roles king --organization ${id}`, 1, 'roles/0/role is text of 4 characters'],
      [`user create ana@suncoast.example --roles agent --organization ${id}`, 1, 'is required for an agent'],
      [`user create --roles author --organization ${id}`, 1, 'is required, or issuer and subject together'],
      ['user update nobody', 2, '--roles, --name or --email'],
      ['user disable nobody', 1, 'There is no'],
      ['user remove nobody', 1, 'There is no'],
    ] as const) {
      expect([words, await leeward(words)]).toEqual([
        words,
        { code, output: '', errors: expect.stringContaining(message), bytes: expect.anything() },
      ]);
    }
    await json(`organization remove ${id}`);
  });
});

describe('leeward token', () => {
  it('shows a secret once, alone on standard output, and stores only its hash', async () => {
    const id = await organization();
    const made = await leeward(`token create --organization ${id} --name website --expires 90d`);
    expect(made.code).toBe(0);
    const token = made.output.trim();
    expect(made.output).toMatch(/^lw_live_[0-9a-z]{26}_[0-9A-Za-z]{43}\n$/);
    const secret = token.split('_')[3]!;
    expect(made.errors).toMatch(/scopes +underwrite, distance\n/);
    expect(made.errors).toContain('shown only once');
    expect(made.errors).not.toContain(secret);
    expect(await callerOf(token)).toMatchObject({ organizationId: id, name: 'website' });
    const list = await leeward(`token list --organization ${id}`);
    expect(list.output).toContain('website');
    expect(list.output + (await leeward('token list --json')).output).not.toContain(secret);
    const files = readdirSync(environment['LEEWARD_DATA_DIR']!);
    expect(files).toContain('leeward.sqlite');
    for (const file of files)
      expect(readFileSync(join(environment['LEEWARD_DATA_DIR']!, file)).includes(secret)).toBe(false);
  });

  it('rotates in the environment of the old one, and revokes', async () => {
    const id = await organization();
    const old = await json<{ token: string; token_id: string }>(
      `token create --organization ${id} --scope underwrite,admin --scope quote --environment demo`,
    );
    expect(old).toMatchObject({ environment: 'demo', scopes: ['underwrite', 'quote', 'admin'] });
    const next = await json<{ token: string; token_id: string }>(`token rotate ${old.token_id} --overlap-hours 0`);
    expect(next).toMatchObject({ environment: 'demo', scopes: ['underwrite', 'quote', 'admin'] });
    expect(await callerOf(old.token, 'demo')).toBeUndefined();
    expect(await callerOf(next.token)).toBeUndefined();
    expect(await callerOf(next.token, 'demo')).toMatchObject({ organizationId: id });
    expect(await json(`token revoke ${next.token_id}`)).toMatchObject({ status: 'revoked' });
    expect(await callerOf(next.token, 'demo')).toBeUndefined();
    expect((await leeward(`token rotate ${next.token_id}`)).errors).toContain('has ended: create a token instead');
  });

  it('makes tokens of teams and operators, and refuses what is neither', async () => {
    const id = await organization();
    const { team_id } = await json<{ team_id: string }>(`team create Personal --organization ${id}`);
    expect(await json(`token create --team ${team_id}`)).toMatchObject({ scopes: ['quote', 'distance'], team_id });
    const operator = await json<{ token: string }>('token create --operator --name on-call');
    expect(operator).toMatchObject({ organization_id: null, scopes: ['operator'] });
    expect(await callerOf(operator.token)).toMatchObject({ organizationId: null });
    const author = await json<{ token: string }>('token create --operator --scope underwrite,rules --name author');
    expect(author).toMatchObject({ organization_id: null, scopes: ['underwrite', 'rules', 'operator'] });
    const operators = (await json<Items>('token list --operator')).items;
    expect(operators.map((token) => token['name']).sort()).toEqual(['author', 'on-call']);
    for (const [words, message, code = 1] of [
      ['token create', '--organization ID, --team ID, or --operator', 2],
      [`token create --operator --organization ${id}`, 'leave those out', 2],
      ['token create --operator --scope admin', 'others need an organization'],
      [`token create --organization ${id} --scope fly`, 'scopes/0'],
      [`token create --team ${team_id} --scope admin`, 'must not contain admin'],
      [`token create --organization ${id} --expires someday`, 'expires_at is "someday"; give an instant'],
      [`token create --organization ${id} --expires 2020-01-01`, 'must be later than now'],
      [`token create --organization ${id} --environment Live`, '--environment is "Live"', 2],
      [`token rotate ${id} --overlap-hours long`, '--overlap-hours is "long"'],
    ] as const) {
      expect(await leeward(words)).toMatchObject({ code, output: '', errors: expect.stringContaining(message) });
    }
  });
});

describe('leeward carrier', () => {
  it('enters a rule set, and refuses a broken one with every fault at its line', async () => {
    const id = await organization();
    const entered = await leeward(`carrier add - --organization ${id}`, JSON.stringify(demoCarrier));
    expect(entered.output).toMatch(/carrier key +palmetto_reciprocal\n/);
    const { items } = await json<Items>(`carrier list --organization ${id}`);
    expect(items).toMatchObject([{ carrier: 'Palmetto Reciprocal', rule_set: { format: 1 } }]);

    const broken = JSON.stringify({ ...demoCarrier, version: '2026.2', surprise: true }, null, 2)
      .replace('"dwelling_a"', '"dweling_a"')
      .replace('"total_claims"', '"total_clams"');
    const refused = await leeward(`carrier add - --organization ${id}`, broken);
    expect(refused).toMatchObject({ code: 1, output: '' });
    const lineOf = (text: string) => broken.slice(0, broken.indexOf(text)).split('\n').length;
    for (const text of ['"dweling_a"', '"total_clams"', '"surprise"']) {
      expect(refused.errors).toContain(`standard input:${lineOf(text)}  /`);
    }
    expect((await json<Items>(`carrier list --organization ${id}`)).items).toHaveLength(1);
    expect((await leeward(`carrier add - --organization ${id}`, '{"format": 1,')).errors).toContain('not JSON');
    expect((await leeward(`carrier add none.json --organization ${id}`)).errors).toContain(
      'There is no file none.json',
    );
    const taken = JSON.stringify({ ...demoCarrier, carrier: { key: 'bayou_mutual', name: 'Ours' } });
    expect((await leeward(`carrier add - --organization ${id}`, taken)).errors).toContain(
      'is a carrier of the catalog',
    );
    await json(`carrier remove ${items[0]?.['carrier_id']}`);
    expect((await json<Items>(`carrier list --organization ${id}`)).items).toEqual([]);
  });
});

describe('leeward token, with limits', () => {
  it('makes tokens for networks, and lists them', async () => {
    const id = await organization();
    const made = await json<{ token: string; networks: string[] }>(
      `token create --organization ${id} --network 203.0.113.0/24,2001:db8::/48 --network 198.51.100.7`,
    );
    expect(made.networks).toEqual(['198.51.100.7', '2001:db8::/48', '203.0.113.0/24']);
    expect((await callerOf(made.token))?.networks).toEqual(made.networks);
    expect(await json<Items>(`token list --organization ${id}`)).toMatchObject({
      items: [{ networks: made.networks }],
    });
    const refused = await leeward(`token create --organization ${id} --network 203.0.113.9/24`);
    expect(refused).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining('203.0.113.0/24 instead of'),
    });
  });

  it('follows LEEWARD_TOKEN_MAX_DAYS, and lists tokens to rotate', async () => {
    const id = await organization();
    const older = await json<{ token_id: string }>(`token create --organization ${id}`);
    await json(`token create --organization ${id} --expires 60d`);
    const soon = await json<{ token_id: string }>(`token create --organization ${id} --expires 12h`);
    environment['LEEWARD_TOKEN_MAX_DAYS'] = '90';
    try {
      const limited = await json<{ expires_at: string }>(`token create --organization ${id}`);
      expect(Date.parse(limited.expires_at) - Date.now()).toBeGreaterThan(89.9 * 86_400_000);
      const late = await leeward(`token create --organization ${id} --expires 91d`);
      expect(late).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('at most 90 days') });
      const { items } = await json<Items>(`token list --organization ${id} --expiring`);
      expect(items).toMatchObject([
        { token_id: older.token_id, reminder: 'exceeds_policy' },
        { token_id: soon.token_id, reminder: 'expires_soon' },
      ]);
      environment['LEEWARD_TOKEN_MAX_DAYS'] = 'never';
      const unclear = await leeward(`token create --organization ${id}`);
      expect(unclear).toMatchObject({
        code: 2,
        output: '',
        errors: expect.stringContaining('LEEWARD_TOKEN_MAX_DAYS is "never"'),
      });
    } finally {
      delete environment['LEEWARD_TOKEN_MAX_DAYS'];
    }
  });
});
