import type { MintedTokenItem } from '@leeward/accounts';
import type { Command } from 'commander';
import { everyPage } from '../accounts/every-page.ts';
import { givenInstant } from '../accounts/given-instant.ts';
import { listOption } from '../accounts/list-option.ts';
import { organizationOfTeam } from '../accounts/organization-of-team.ts';
import { itemLines, type PrintOptions, printItem, printItems } from '../accounts/print-items.ts';
import { commandLine, isBesideDemo, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';

interface TokenOptions extends PrintOptions {
  readonly operator?: boolean;
  readonly organization?: string;
  readonly team?: string;
  readonly scope?: readonly string[];
  readonly name?: string;
  readonly network?: readonly string[];
  readonly expires?: string;
  readonly environment?: string;
  readonly overlapHours?: string;
  readonly expiring?: boolean;
}

/** `leeward token …`: what speaks for an organization, a team, or the operator. */
export function tokenCommand(group: Command, terminal: Terminal): void {
  group
    .command('create')
    .description('Make a token. It alone goes to standard output, this once; what it is, to standard error.')
    .option('--organization <id>', 'a key of this organization (scopes underwrite, distance)')
    .option('--team <id>', 'a token of this team (scopes quote, distance)')
    .option('--operator', "an operator's, who administers the whole instance")
    .addOption(
      listOption(
        '--scope <scopes>',
        'what it may do: underwrite, quote, insured, distance, rules, admin, approve; with --operator, also underwrite, distance, rules',
      ),
    )
    .option('--name <name>', 'to know it by')
    .addOption(
      listOption(
        '--network <networks>',
        'valid only from these addresses and networks: 203.0.113.7, 2001:db8::/48 (default any)',
      ),
    )
    .option(
      '--expires <when>',
      'a date, an instant, or hours, days or weeks from now: 12h, 90d, 4w (default the maximum, LEEWARD_TOKEN_MAX_DAYS; else never)',
    )
    .option('--environment <name>', "of the service it is for (LEEWARD_ENVIRONMENT, default live; a demo's is demo)")
    .option('--json', 'print JSON, the token in it')
    .action((options: TokenOptions) => create(options, terminal));
  group
    .command('rotate')
    .description('Make a token that replaces another, which goes on working for a while.')
    .argument('<token-id>', 'as it is listed')
    .option('--overlap-hours <hours>', 'how long the old one goes on (default 24)')
    .option('--expires <when>', 'when the new one ends (default after as long as the old one)')
    .option('--json', 'print JSON, the token in it')
    .action((tokenId: string, options: TokenOptions) => rotate(tokenId, options, terminal));
  group
    .command('revoke')
    .description('Revoke a token, at once and for good.')
    .argument('<token-id>', 'as it is listed')
    .option('--json', 'print JSON')
    .action(async (token_id: string, options: PrintOptions) => {
      const item = await withAccounts({ terminal }, ({ administration }) =>
        administration.tokens.remove.run(commandLine, { token_id }),
      );
      printItem(item, options, terminal);
    });
  group
    .command('list')
    .description('List tokens, without their secrets.')
    .option('--organization <id>', 'of this organization')
    .option('--team <id>', 'of this team')
    .option('--operator', "operators' only")
    .option('--expiring', 'only those to rotate: they expire within 14 days, or exceed LEEWARD_TOKEN_MAX_DAYS')
    .option('--json', 'print JSON')
    .action((options: TokenOptions) => list(options, terminal));
}

async function create(options: TokenOptions, terminal: Terminal): Promise<void> {
  const { operator, organization, team, scope, name, network, expires } = options;
  if (operator ? (organization ?? team) : organization === undefined && team === undefined) {
    throw new CommandError(
      operator
        ? "An operator's token has no organization or team: leave those out, or leave out --operator."
        : 'Give the owner of the token: --organization ID, --team ID, or --operator.',
      { exitCode: 2 },
    );
  }
  const minted = await withAccounts({ terminal, environment: options.environment }, async (accounts) =>
    accounts.administration.tokens.create.run(commandLine, {
      organization_id: organization ?? (team && (await organizationOfTeam(accounts, team))),
      team_id: team,
      scopes: operator ? ['operator', ...(scope ?? [])] : scope,
      name,
      networks: network,
      expires_at: expires && givenInstant(expires, terminal.now().getTime()),
    }),
  );
  printMinted(minted, options, terminal);
  if (options.environment === undefined && isBesideDemo(terminal)) {
    terminal.writeError('A demo keeps its accounts here; tokens that it takes are made with --environment demo.\n');
  }
}

async function rotate(token_id: string, options: TokenOptions, terminal: Terminal): Promise<void> {
  const { overlapHours, expires } = options;
  if (overlapHours !== undefined && !/^\d{1,3}(?:\.\d{1,4})?$/.test(overlapHours)) {
    throw new CommandError(`--overlap-hours is ${JSON.stringify(overlapHours)}; give hours, from 0 to 720.`);
  }
  // The successor is for the service that the old one is for, wherever this runs.
  const [old] = await withAccounts({ terminal }, ({ administration }) =>
    everyPage(administration.tokens.list, { token_id }),
  );
  const minted = await withAccounts({ terminal, environment: old?.environment }, ({ administration }) =>
    administration.tokens.rotate.run(commandLine, {
      token_id,
      overlap_seconds: overlapHours && Math.round(Number(overlapHours) * 3600),
      expires_at: expires && givenInstant(expires, terminal.now().getTime()),
    }),
  );
  printMinted(minted, options, terminal);
}

async function list(
  { organization, team, operator, expiring, ...options }: TokenOptions,
  terminal: Terminal,
): Promise<void> {
  const items = await withAccounts({ terminal }, async (accounts) => {
    const organization_id = organization ?? (team && (await organizationOfTeam(accounts, team)));
    const tokens = await everyPage(accounts.administration.tokens.list, { organization_id, team_id: team });
    const replaced = new Set(tokens.map((token) => token.rotated_from));
    return tokens.filter(
      (token) =>
        !(operator && token.organization_id !== null) &&
        !(expiring && (token.reminder === null || replaced.has(token.token_id))),
    );
  });
  const columns = [
    'token_id',
    'name',
    'environment',
    'scopes',
    'networks',
    'status',
    'expires_at',
    'reminder',
    'last_used_at',
  ];
  printItems(
    items,
    organization === undefined && !operator ? ['organization_id', ...columns] : columns,
    options,
    terminal,
  );
}

function printMinted(minted: MintedTokenItem, options: PrintOptions, terminal: Terminal): void {
  if (options.json) {
    printItem(minted, options, terminal);
    return;
  }
  const { token, ...item } = minted;
  terminal.write(`${token}\n`);
  terminal.writeError(`\n${itemLines(item)}\nThe token is shown only once and is not stored: save it now.\n`);
}
