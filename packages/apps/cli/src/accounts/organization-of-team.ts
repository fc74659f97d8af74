import type { Accounts } from '@leeward/accounts';
import { CommandError } from '../command-error.ts';

/** The organization that a team belongs to: who names the team need not name both. */
export async function organizationOfTeam({ directory }: Accounts, teamId: string): Promise<string> {
  const team = await directory.team(teamId);
  if (team !== undefined) return team.organizationId;
  throw new CommandError(`There is no team ${JSON.stringify(teamId)}; leeward team list shows those there are.`);
}
