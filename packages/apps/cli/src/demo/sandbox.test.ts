import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workspace } from '../../../../../test/support/running-leeward.ts';
import { demoPeople, inviteDemoPeople } from './demo-people.ts';
import { startSandboxProvider } from './sandbox-provider.ts';

async function startSandbox(port = 0) {
  const sandbox = await startSandboxProvider(port, workspace);
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

describe('the sandbox provider', () => {
  it('listens on another port if its port is taken', async () => {
    const { issuer } = await startSandbox();
    const other = await startSandbox(Number(new URL(issuer).port));
    expect(other.issuer).not.toBe(issuer);
    for (const each of [issuer, other.issuer]) {
      const description = await (await fetch(`${each}/.well-known/openid-configuration`)).json();
      expect(description).toMatchObject({ issuer: each, authorization_response_iss_parameter_supported: true });
    }
  });

  it('shows its people without a script, and accepts no other person', async () => {
    const { issuer } = await startSandbox();
    const parameters = {
      ...{ client_id: 'leeward', redirect_uri: 'http://127.0.0.1:4000/', response_type: 'code', scope: 'openid' },
      ...{
        state: 's'.repeat(24),
        nonce: 'n'.repeat(24),
        code_challenge: 'c'.repeat(43),
        code_challenge_method: 'S256',
      },
    };
    const begun = await fetch(`${issuer}/auth?${new URLSearchParams(parameters)}`, { redirect: 'manual' });
    const page = new URL(begun.headers.get('location')!, issuer);
    const cookie = begun.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const text = await (await fetch(page, { headers: { cookie } })).text();
    for (const { name } of demoPeople) expect(text).toContain(name);
    expect(text).toContain('This is a sandbox of the demo.');
    expect(text).not.toContain('<script');
    const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
    for (const body of ['person=mallory', '', `person=${'a'.repeat(5_000)}`]) {
      expect((await fetch(page, { method: 'POST', headers, body, redirect: 'manual' })).status).toBe(400);
    }
    // Without its cookies the address of the page is worth nothing.
    expect((await fetch(page)).status).toBe(400);
    const another = { ...parameters, redirect_uri: 'https://evil.example/' };
    const refused = await fetch(`${issuer}/auth?${new URLSearchParams(another)}`, { redirect: 'manual' });
    expect(await refused.text()).toContain('The sandbox refuses this sign-in: redirect_uri');
    expect({ status: refused.status, location: refused.headers.get('location') }).toEqual({
      status: 400,
      location: null,
    });
  });
});

describe('the people of the demo', () => {
  it('are invited once, and again after their sandbox moved', async () => {
    const accounts = createAccounts({ store: createMemoryStore() });
    const { organizations, teams, users } = accounts.administration;
    const host = { system: 'test' };
    const { organization_id } = await organizations.create.run(host, { name: 'Palmetto' });
    const { team_id } = await teams.create.run(host, { organization_id, name: 'Lines' });
    const keys = { organization_id, team_id };
    const list = async () => (await users.list.run(host, { organization_id })).items;
    const invite = (issuer: string) => inviteDemoPeople(accounts, keys, issuer);
    await invite('http://127.0.0.1:3001');
    const first = await list();
    expect(first.map(({ name }) => name)).toEqual(demoPeople.map(({ name }) => name));
    const [ana] = demoPeople;
    const identity = { issuer: 'http://127.0.0.1:3001', subject: 'ana', verifiedEmail: ana!.email };
    await accounts.signIn.open(identity);
    await invite('http://127.0.0.1:3001');
    expect((await list()).map((each) => each.user_id)).toEqual(first.map((each) => each.user_id));
    await invite('http://127.0.0.1:9001');
    expect(await list()).toHaveLength(demoPeople.length);
    expect((await accounts.signIn.open({ ...identity, issuer: 'http://127.0.0.1:9001' })).name).toBe('Ana Núñez');
  });
});
