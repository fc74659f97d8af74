import type { Accounts } from '@leeward/accounts';
import type { Registry } from '@leeward/registry';
import { readDemo } from './demo-file.ts';
import {
  demoAppointments,
  demoCarrier,
  demoOrganization,
  demoOverride,
  demoProducer,
  demoTeam,
} from './demo-organization.ts';

/** The keys in a demo's file. */
export interface DemoKeys {
  readonly api_key: string;
  readonly organization_id: string;
  readonly team_id: string;
  readonly team_token: string;
  readonly producer_email: string;
  readonly admin_token: string;
  /** Token of a person who writes rules of the catalog; the next one approves them. */
  readonly author_token: string;
  readonly approver_token: string;
}

/**
 * The demo's keys: those of an earlier start if they still work, otherwise of a new organization. It has appointments
 * with some of the invented carriers, or with all carriers of a custom folder.
 */
export async function seedDemo(
  accounts: Accounts & { readonly registry: Registry },
  dataFolder: string,
  carrierKeys: readonly string[],
  lineCarrierKeys: readonly string[] = [],
): Promise<DemoKeys> {
  const storedDemo = readDemo(dataFolder);
  const actor = { system: 'demo' };
  if (isWhole(storedDemo) && (await accounts.directory.authenticate(storedDemo.api_key))) {
    await appointForLines(accounts, storedDemo.organization_id, lineCarrierKeys);
    return storedDemo;
  }
  const { organizations, appointments, teams, producers, tokens } = accounts.administration;
  const { carriers, overrides } = accounts.registry.administration;
  const { organization_id } = await organizations.create.run(actor, demoOrganization);
  const isInvented = demoAppointments.every(({ carrier_key }) => carrierKeys.includes(carrier_key));
  const appointed = isInvented ? demoAppointments : carrierKeys.map((carrier_key) => ({ carrier_key }));
  for (const appointment of appointed) await appointments.create.run(actor, { organization_id, ...appointment });
  await appointForLines(accounts, organization_id, lineCarrierKeys);
  await carriers.create.run(actor, { organization_id, rule_set: demoCarrier });
  if (isInvented) await overrides.create.run(actor, { organization_id, ...demoOverride });
  const { team_id } = await teams.create.run(actor, { organization_id, ...demoTeam });
  await producers.create.run(actor, { organization_id, team_id, ...demoProducer });
  const mint = async (body: object) => (await tokens.create.run(actor, { organization_id, ...body })).token;
  const mintOperator = async (name: string) =>
    (await tokens.create.run(actor, { name, scopes: ['underwrite', 'distance', 'rules', 'operator'] })).token;
  return {
    api_key: await mint({ name: 'demo key' }),
    organization_id,
    team_id,
    team_token: await mint({ name: 'demo team', team_id, scopes: ['quote', 'insured', 'distance'] }),
    producer_email: demoProducer.email,
    admin_token: await mint({ name: 'demo admin', scopes: ['underwrite', 'quote', 'distance', 'rules', 'admin'] }),
    author_token: await mintOperator('demo author'),
    approver_token: await mintOperator('demo approver'),
  };
}

/** Carriers of the lines that are on, appointed all of them, once: a demo that was begun without them gets them later. */
async function appointForLines(
  { directory, administration }: Accounts,
  organization_id: string,
  carrierKeys: readonly string[],
): Promise<void> {
  const rules = await directory.catalog(organization_id);
  const appointed = new Set(rules?.appointments.map(({ carrierKey }) => carrierKey));
  for (const carrier_key of carrierKeys.filter((key) => !appointed.has(key))) {
    await administration.appointments.create.run({ system: 'demo' }, { organization_id, carrier_key });
  }
}

/** True if the keys are those of this version of the demo. */
export function isWhole<Keys extends Partial<DemoKeys>>(demo: Keys | undefined): demo is Keys & DemoKeys {
  const { organization_id, team_token, admin_token, author_token, approver_token } = demo ?? {};
  return [organization_id, team_token, admin_token, author_token, approver_token].every((each) => each !== undefined);
}
