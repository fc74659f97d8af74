import type { Accounts } from '@leeward/accounts';

/** An invented person of the demo, who can sign in at the sandbox. */
export interface DemoPerson {
  /** Identifier at the sandbox. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'author' | 'approver' | 'agent';
}

export const demoPeople: readonly DemoPerson[] = [
  { id: 'ana', name: 'Ana Núñez', email: 'ana.nunez@palmetto-coast.example', role: 'author' },
  { id: 'ben', name: 'Ben Okafor', email: 'ben.okafor@palmetto-coast.example', role: 'approver' },
  { id: 'kim', name: 'Kim Larsen', email: 'kim.larsen@palmetto-coast.example', role: 'agent' },
];

/** Invites the people to the demo's organization. Those who signed in at a sandbox on another port are invited again. */
export async function inviteDemoPeople(
  { administration: { users } }: Pick<Accounts, 'administration'>,
  { organization_id, team_id }: { readonly organization_id: string; readonly team_id: string },
  issuer: string,
): Promise<void> {
  const actor = { system: 'demo' };
  const { items } = await users.list.run(actor, { organization_id });
  for (const { name, email, role } of demoPeople) {
    const user = items.find((each) => each.email === email);
    if (user && (user.issuer === null || user.issuer === issuer)) continue;
    if (user) await users.remove.run(actor, { user_id: user.user_id });
    const roles = [role === 'agent' ? { role, team_id } : { role }];
    await users.create.run(actor, { organization_id, name, email, roles });
  }
}
