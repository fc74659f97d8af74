import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostileRuleSets } from '../../test/support/engine/hostile-rule-sets.ts';
import type { Service } from './service.ts';

/** An organization with a team: victim or attacker. */
export interface Tenant {
  readonly organizationId: string;
  readonly key: string;
  readonly teamToken: string;
  readonly adminToken: string;
  readonly quoteRequest: { readonly fields: object };
}

export interface Team {
  readonly teamId: string;
  readonly token: string;
}

const PRODUCER_EMAIL = 'pat@palmetto.example';
const carrierKeys = ['bayou_mutual', 'sawpalm_home'];

export async function createTenant(service: Service, root: string, name: string): Promise<Tenant> {
  const make = async (path: string, body: object, token?: string) => {
    const answer = await service.admin(`${path}/create`, body, token);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { organization_id: organizationId = '' } = await make('organizations', { name });
  const within = { organization_id: organizationId };
  const scopes = ['admin', 'underwrite', 'distance', 'quote'];
  const { token: adminToken = '' } = await make('tokens', { ...within, scopes });
  // With the tenant's token: the operator's limit would take minutes.
  const makeOwn = (path: string, body: object) => make(path, { ...within, ...body }, adminToken);
  const { team_id = '' } = await makeOwn('teams', { name: 'Personal lines' });
  await makeOwn('producers', { team_id, email: PRODUCER_EMAIL });
  for (const carrier_key of carrierKeys) await makeOwn('appointments', { carrier_key });
  const mint = async (body: object) => (await makeOwn('tokens', body))['token'] ?? '';
  const fixture = JSON.parse(readFileSync(join(root, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8')) as {
    fields: object;
  };
  return {
    organizationId,
    key: await mint({}),
    teamToken: await mint({ team_id }),
    adminToken,
    quoteRequest: { ...fixture, assigned_producer_email: PRODUCER_EMAIL, form_types: ['ho3'] } as { fields: object },
  };
}

/** Enters hostile rule sets. Returns the number of accepted ones. */
export async function enterHostileRules(service: Service, tenant: Tenant): Promise<number> {
  let taken = 0;
  for (const [name, make] of Object.entries(hostileRuleSets)) {
    for (let seed = 1; seed <= 3; seed++) {
      const carrierKey = `hostile_${name.toLowerCase()}_${seed}`;
      const { status } = await service.admin(
        'carriers/create',
        { rule_set: make({ carrierKey, seed }) },
        tenant.adminToken,
      );
      if (status === 200) taken++;
    }
  }
  return taken;
}

/** Creates tokens of one organization up to its limit or the requested number. */
export async function mintMany(service: Service, tenant: Tenant, wanted: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < wanted) {
    const { status, body } = await service.admin('tokens/create', {}, tenant.adminToken);
    if (status !== 200) break;
    tokens.push(body['token'] ?? '');
  }
  return tokens;
}

export async function createTeams(service: Service, tenant: Tenant, count: number): Promise<Team[]> {
  const make = async (path: string, body: object) => {
    const answer = await service.admin(`${path}/create`, body, tenant.adminToken);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const teams: Team[] = [];
  for (let index = 0; index < count; index++) {
    const { team_id = '' } = await make('teams', { name: `Team ${index}` });
    await make('producers', { team_id, email: PRODUCER_EMAIL });
    teams.push({ teamId: team_id, token: (await make('tokens', { team_id }))['token'] ?? '' });
  }
  return teams;
}
