import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { claimsRuleSet } from './support/claims-rule-set.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { startQuotingHere } from './support/quoting-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-field-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const lost = keyOf('k1', 1);
const fixture = JSON.parse(readFileSync('fixtures/quotes/marion-fl-2004-ho3.json', 'utf8')) as {
  fields: Record<string, unknown>;
};

it('a service with the wrong key is not ready and completes no erasure, until the lost key is given up', async () => {
  const environment = { LEEWARD_DATA_DIR: folder, LEEWARD_CARRIERS: 'fixtures/carriers', LEEWARD_LOG_LEVEL: 'silent' };
  const run = async (words: string, more: Record<string, string> = {}) =>
    runLeewardHere(words.split(' '), { environment: { ...environment, ...more } }).ended;
  const make = async (words: string) => {
    const { code, output, errors } = await run(`${words} --json`);
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(output) as Record<string, string>;
  };
  const { organization_id } = await make('organization create Suncoast');
  const { team_id } = await make(`team create Personal --organization ${organization_id}`);
  const { token } = await make(`token create --organization ${organization_id} --team ${team_id}`);
  const email = 'agent@example.com';
  await make(`producer add ${email} --team ${team_id} --name Ana`);
  await make(`appointment add brackish_bay --organization ${organization_id}`);
  const ruleSet = join(folder, 'rule-set.json');
  writeFileSync(ruleSet, JSON.stringify(claimsRuleSet({ key: 'own_rules', version: '1' })));
  await make(`carrier add ${ruleSet} --organization ${organization_id}`);

  /** Runs a service with this key while `work` runs. */
  const serving = async (key: string, work: (service: { url: string; readyz: () => Promise<unknown> }) => unknown) => {
    const more = { ...environment, LEEWARD_FIELDS_KEY: key };
    const service = await startQuotingHere(['serve'], more);
    const url = /Leeward is up at (\S+)/.exec(service.output())![1]!;
    const readyz = async () => {
      const response = await fetch(`${url}/readyz`);
      return { status: response.status, body: await response.json() };
    };
    try {
      await work({ url, readyz });
    } finally {
      await service.stop();
    }
  };
  const post = async (url: string, path: string, body: object) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const insured = { insured_email: 'aldonza@example.com' };
  const quote = async (url: string) => {
    const fields = { ...fixture.fields, ...insured };
    return post(url, 'quote/request', { ...fixture, assigned_producer_email: email, fields });
  };

  await serving(lost, async ({ url, readyz }) => {
    expect(await readyz()).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        warnings: [{ code: 'rules_unapproved', message: expect.stringMatching(/^1 rule sets and 0 overrides/) }],
      },
    });
    expect([await quote(url), await quote(url)]).toMatchObject([{ status: 200 }, { status: 200 }]);
  });
  await serving(keyOf('k1', 2), async ({ readyz }) => {
    const detail = expect.stringContaining('another key than the one configured as "k1"');
    expect(await readyz()).toMatchObject({ status: 503, body: { checks: { quotes: 'unreadable' }, detail } });
  });

  const right = { LEEWARD_FIELDS_KEY: keyOf('k2', 2) };
  await serving(right.LEEWARD_FIELDS_KEY, async ({ url, readyz }) => {
    const unready = {
      status: 503,
      body: { checks: { database: 'ok', quotes: 'unreadable' }, detail: expect.stringContaining('keys erase KEY_ID') },
    };
    expect(await readyz()).toMatchObject(unready);
    // Its data key is encrypted under the lost key.
    expect(await quote(url)).toMatchObject({ status: 503 });
    const incomplete = { code: 'unavailable', unreadable: 2 };
    expect(await post(url, 'quote/erase', insured)).toMatchObject({
      status: 503,
      body: { ...incomplete, erased: [], detail: expect.stringContaining('Erased 0 quotes; 2 could not be') },
    });
    const atService = { LEEWARD_URL: url, LEEWARD_TOKEN: token! };
    expect(await run('quote erase --email aldonza@example.com', atService)).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining('Erased 0 quotes; 2 could not be decrypted'),
    });

    expect(await run('keys erase k1 --yes', right)).toMatchObject({ code: 0 });
    expect(await run('quote erase --email aldonza@example.com', atService)).toMatchObject({ code: 0 });
    // Stored values can be read now, but this service still calls no carrier.
    expect(await readyz()).toMatchObject(unready);
  });
  await serving(right.LEEWARD_FIELDS_KEY, async ({ readyz }) => {
    expect(await readyz()).toMatchObject({ status: 200 });
  });
}, 60_000);
