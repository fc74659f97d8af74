import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService, tokens } from '../../../../../test/support/sample-service.ts';
import type { Directory } from '../access/directory.ts';

const get = (token: string | null) => ({ method: 'GET', token });
const caller = { tokenId: 'token-1', environment: 'test', scopes: new Set(['quote']) };
const directory: Directory = {
  authenticate: async (token) =>
    token === 'operator'
      ? { ...caller, organizationId: null, teamId: null }
      : { ...caller, organizationId: 'org_acme', teamId: token },
  organization: async () => ({ name: 'Acme Agency' }),
  team: async (teamId) => {
    if (teamId === 'broken') throw new Error('10.1.2.3 refused');
    return teamId === 'removed' ? undefined : { name: 'Personal lines' };
  },
};

describe('GET /v1/token', () => {
  it('names organization, team and environment for any scopes', async () => {
    const response = await ask(sampleService({ directory }), '/v1/token', get('team-1'));
    expect(await response.json()).toEqual({
      token_id: 'token-1',
      environment: 'test',
      organization: { organization_id: 'org_acme', name: 'Acme Agency' },
      team: { team_id: 'team-1', name: 'Personal lines' },
      user: null,
      scopes: ['quote'],
    });
  });

  it('names the person who holds the token', async () => {
    const named: Directory = {
      ...directory,
      authenticate: async (token) => ({ ...caller, organizationId: null, teamId: null, userId: token }),
      user: async (userId) => (userId === 'removed' ? undefined : { name: 'Ana Núñez' }),
    };
    const leeward = sampleService({ directory: named });
    const read = async (token: string) => (await ask(leeward, '/v1/token', get(token))).json();
    expect(await read('ana')).toMatchObject({ user: { user_id: 'ana', name: 'Ana Núñez' } });
    expect(await read('removed')).toMatchObject({ user: { user_id: 'removed', name: null } });
  });

  it('gives ids where there is no name, and null for the operator', async () => {
    const leeward = sampleService({ directory });
    const read = async (token: string) => (await ask(leeward, '/v1/token', get(token))).json();
    expect(await read('removed')).toMatchObject({ team: { team_id: 'removed', name: null } });
    expect(await read('operator')).toMatchObject({ organization: null, team: null });
    const unnamed = await ask(sampleService(), '/v1/token', get(tokens.acme));
    expect(await unnamed.json()).toMatchObject({
      environment: null,
      organization: { organization_id: 'org_acme', name: null },
    });
  });

  it('takes a valid token, counts its requests, and is 503 where names are out of reach', async () => {
    const leeward = sampleService({ rateLimit: { perMinute: 1, burst: 1 } });
    for (const token of [null, tokens.expired]) expect((await ask(leeward, '/v1/token', get(token))).status).toBe(401);
    const statuses = [
      await ask(leeward, '/v1/token', get(tokens.acme)),
      await ask(leeward, '/v1/token', get(tokens.acme)),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    const broken = await ask(sampleService({ directory }), '/v1/token', get('broken'));
    expect(broken.status).toBe(503);
    expect(JSON.stringify(await problemOf(broken))).not.toContain('10.1.2.3');
  });
});
