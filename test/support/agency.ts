import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from './running-leeward.ts';

/** An agency with a team, a producer and tokens, made by the operator of a service. */
export interface Agency {
  readonly apiKey: string;
  readonly teamToken: string;
  /** A request for quotes that is in order: one form type of the home in the fixture. */
  readonly quoteRequest: { readonly fields: object; readonly [field: string]: unknown };
}

export async function createAgency(
  url: string,
  operatorToken: string,
  carrierKeys: readonly string[],
): Promise<Agency> {
  const create = async (what: string, body: object) => {
    const response = await fetch(`${url}/v1/admin/${what}/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${what}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { organization_id } = await create('organizations', { name: 'Palmetto Agency' });
  const { team_id } = await create('teams', { organization_id, name: 'Personal lines' });
  const email = 'pat@palmetto.example';
  await create('producers', { organization_id, team_id, email });
  for (const carrier_key of carrierKeys) await create('appointments', { organization_id, carrier_key });
  const { token: apiKey = '' } = await create('tokens', { organization_id, name: 'key' });
  const { token: teamToken = '' } = await create('tokens', { organization_id, team_id, name: 'team' });
  const fixture = JSON.parse(readFileSync(join(workspace, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8')) as {
    readonly fields: object;
  };
  return { apiKey, teamToken, quoteRequest: { ...fixture, assigned_producer_email: email, form_types: ['ho3'] } };
}
