import type { UserItem } from '@leeward/accounts';
import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { listOption } from '../accounts/list-option.ts';
import { organizationOfTeam } from '../accounts/organization-of-team.ts';
import { type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';

type HeldRole = UserItem['roles'][number];

interface UserOptions extends PrintOptions {
  readonly organization?: string;
  readonly team?: string;
  readonly roles?: readonly string[];
  readonly name?: string;
  readonly email?: string;
  readonly issuer?: string;
  readonly subject?: string;
}

const rolesHelp =
  'viewer, author, approver, administrator or operator; ROLE:TEAM for viewer or agent in a team: author,agent:TEAM';

/** `leeward user …`: people who sign in, with their roles. */
export function userCommand(group: Command, terminal: Terminal): void {
  const change = async (user_id: string, fields: object, options: PrintOptions) => {
    const item = await withAccounts({ terminal }, async ({ administration: { users } }) => {
      const [current] = await everyPage(users.list, { user_id });
      return users.update.run(commandLine, { user_id, revision: current?.revision ?? 1, ...fields });
    });
    print(item, options, terminal);
  };

  group
    .command('list')
    .description('List the users of an organization, or the operators.')
    .option('--organization <id>', 'of this organization (default all)')
    .option('--json', 'print JSON')
    .action(async ({ organization, ...options }: UserOptions) => {
      const items = await withAccounts({ terminal }, ({ administration }) =>
        everyPage(administration.users.list, { organization_id: organization }),
      );
      const columns = ['user_id', 'email', 'name', 'roles', 'status', 'subject'];
      const owner = organization === undefined ? ['organization_id'] : [];
      printItems(options.json ? items : items.map(withShortRoles), [...owner, ...columns], options, terminal);
    });

  group
    .command('create')
    .description('Invite a person by e-mail address, or add one by issuer and subject.')
    .argument('[email]', 'the first sign-in with this verified address accepts the invitation')
    .option(
      '--organization <id>',
      'of the person (default that of the first team in --roles; leave it out for operators)',
    )
    .addOption(listOption('--roles <roles>', rolesHelp).makeOptionMandatory())
    .option('--name <name>', 'how the person is called')
    .option('--issuer <url>', 'identity provider, with --subject, in place of an e-mail address')
    .option('--subject <id>', 'identifier of the person at the provider')
    .option('--json', 'print JSON')
    .action(async (email: string | undefined, { organization, roles = [], ...options }: UserOptions) => {
      const { name, issuer, subject } = options;
      const heldRoles = roles.map(readRole);
      const team = heldRoles.find(({ team_id }) => team_id !== null)?.team_id ?? undefined;
      if (organization === undefined && team === undefined && heldRoles.some(({ role }) => role !== 'operator')) {
        throw new CommandError('Give the organization of the person: --organization ID.', { exitCode: 2 });
      }
      const item = await withAccounts({ terminal }, async (accounts) =>
        accounts.administration.users.create.run(commandLine, {
          organization_id: organization ?? (team && (await organizationOfTeam(accounts, team))),
          ...{ email, name, issuer, subject, roles: heldRoles },
        }),
      );
      print(item, options, terminal);
    });

  group
    .command('update')
    .description('Change the roles, the name or the address of a person.')
    .argument('<user-id>', 'as it is listed')
    .addOption(listOption('--roles <roles>', `all roles from now on: ${rolesHelp}`))
    .option('--name <name>', 'how the person is called')
    .option('--email <email>', 'address of an invitation')
    .option('--json', 'print JSON')
    .action((userId: string, { roles, name, email, ...options }: UserOptions) => {
      if (roles === undefined && name === undefined && email === undefined) {
        throw new CommandError('Give what to change: --roles, --name or --email.', { exitCode: 2 });
      }
      return change(userId, { roles: roles?.map(readRole), name, email }, options);
    });

  group
    .command('disable')
    .description('Stop all tokens of a person, who cannot sign in until enabled.')
    .argument('<user-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action((userId: string, options: PrintOptions) => change(userId, { status: 'disabled' }, options));

  group
    .command('enable')
    .description('Let a disabled person sign in again.')
    .argument('<user-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action((userId: string, options: PrintOptions) => change(userId, { status: 'active' }, options));

  group
    .command('remove')
    .description('Remove a person with name, e-mail address and tokens. The audit log keeps the identifier.')
    .argument('<user-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (user_id: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.users.remove.run(commandLine, { user_id }),
      );
      print(item, options, terminal);
    });
}

/** Reads `agent:TEAM`. The operation checks role and team. */
function readRole(text: string): HeldRole {
  const [role = '', ...team] = text.split(':');
  return { role: role.toLowerCase() as HeldRole['role'], team_id: team.length === 0 ? null : team.join(':') };
}

const withShortRoles = ({ roles, ...item }: UserItem) => ({
  ...item,
  roles: roles.map(({ role, team_id }) => (team_id === null ? role : `${role}:${team_id}`)),
});

function print(item: UserItem, options: PrintOptions, terminal: Terminal): void {
  printItem(options.json ? item : withShortRoles(item), options, terminal);
}
