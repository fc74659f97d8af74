import type { Accounts } from '@leeward/accounts';
import { eraseTeam, type FieldKeys, type FieldKeyUse, openFieldKeys } from '@leeward/quotes';
import type { Command } from 'commander';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Terminal } from '../terminal.ts';

interface KeysOptions {
  readonly json?: boolean;
}

interface EraseOptions extends KeysOptions {
  readonly yes?: boolean;
}

interface Keys extends FieldKeys {
  readonly currentId: string | undefined;
  /** One entry for every configured key. */
  readonly ids: readonly string[];
}

/** `leeward keys …`: the keys that personal data of quotes is encrypted under. */
export function keysCommand(group: Command, terminal: Terminal): void {
  group
    .command('status')
    .description('Count what is encrypted under which key. Ends with 1 if a key is missing.')
    .option('--json', 'print JSON')
    .action((options: KeysOptions) => withKeys(terminal, (keys) => status(keys, options, terminal)));
  group
    .command('re-encrypt')
    .description(
      'Encrypt data keys under the current key, and everything else under data keys, while services run. Stopped, it goes on when it is repeated.',
    )
    .option('--json', 'print JSON')
    .action((options: KeysOptions) => withKeys(terminal, (keys) => reencrypt(keys, options, terminal)));
  group
    .command('rotate')
    .description('Give a team a new data key. leeward keys re-encrypt then moves its data to it.')
    .argument('<team-id>')
    .action((teamId: string) => withKeys(terminal, (keys) => rotate(keys, teamId, terminal)));
  group
    .command('erase-tenant')
    .description('Erase the data keys of a team, and with them all its personal data. Repeat it after a restore.')
    .argument('<team-id>')
    .option('--yes', 'erase; without it nothing is erased')
    .action((teamId: string, { yes }: EraseOptions) =>
      withAccounts({ terminal }, async ({ auditTrail, directory }, database) => {
        if (!yes)
          throw new CommandError(`Nothing was erased. Erase the personal data of ${teamId} for good with --yes.`);
        const quotes = await eraseTeam({ database, teamId });
        const organizationId = (await directory.team(teamId))?.organizationId ?? null;
        const entry = { organizationId, action: 'quotes.erase_tenant', subjectId: teamId, details: { quotes } };
        await auditTrail.record({ actor: commandLine, ...entry });
        terminal.write(`Erased the data keys and ${formatCount(quotes)} quotes of ${teamId}.\n`);
      }),
    );
  group
    .command('erase')
    .description('Erase for good the data encrypted under a lost key, which is no longer readable. The last resort.')
    .argument('<key-id>', 'as leeward keys status lists it')
    .option('--yes', 'erase; without it the command only counts')
    .option('--json', 'print JSON')
    .action((keyId: string, options: EraseOptions) =>
      withKeys(terminal, (keys, accounts) => erase(keys, accounts, keyId, options, terminal)),
    );
}

async function withKeys(terminal: Terminal, work: (keys: Keys, accounts: Accounts) => Promise<void>): Promise<void> {
  const { encryption } = keepingSettings(readSettings(terminal, []).variables);
  const all = encryption === undefined ? [] : [encryption.current, ...(encryption.previous ?? [])];
  await withAccounts({ terminal }, (accounts, database) =>
    work(
      { ...openFieldKeys({ database, encryption }), currentId: encryption?.current.id, ids: all.map(({ id }) => id) },
      accounts,
    ),
  );
}

async function status(keys: Keys, { json }: KeysOptions, terminal: Terminal): Promise<void> {
  const uses = await keys.use();
  if (json) {
    const items = uses.map((use) => ({
      place: use.place,
      key_id: use.keyId,
      kind: use.kind,
      rows: use.rows,
      current: isCurrent(use, keys),
      readable: use.isReadable,
    }));
    terminal.write(`${JSON.stringify({ current_key_id: keys.currentId ?? null, uses: items }, null, 2)}\n`);
  } else {
    terminal.write(`Current key: ${keys.currentId ?? 'none, LEEWARD_FIELDS_KEY is not set'}\n`);
    for (const use of uses) {
      const { place, keyId, kind, rows } = use;
      const under = {
        plain: 'no key (plain text)',
        direct: `${keyId}, without data keys`,
        envelope: keyId ?? '',
        erased: 'erased keys',
      };
      const note = kind === 'erased' || isCurrent(use, keys) ? '' : use.isReadable ? ', not current' : ', not readable';
      terminal.write(`  ${place}: ${formatCount(rows)} under ${under[kind]}${note}\n`);
    }
    if (uses.length === 0) terminal.write('  Nothing is stored.\n');
  }
  await keys.check().catch((error: Error) => {
    throw error.name === 'UnreadableFieldsError' ? new CommandError(error.message) : error;
  });
}

function isCurrent({ kind, keyId, isReadable }: FieldKeyUse, { currentId }: Keys): boolean {
  return isReadable && keyId === (currentId ?? null) && kind === (currentId === undefined ? 'plain' : 'envelope');
}

async function reencrypt(keys: Keys, { json }: KeysOptions, terminal: Terminal): Promise<void> {
  if (keys.currentId === undefined) {
    throw new CommandError('LEEWARD_FIELDS_KEY is not set: there is no key to encrypt with. See leeward keys --help.');
  }
  const done = await keys.reencrypt((rows) => terminal.writeError(`${formatCount(rows)} rows\n`));
  if (json) terminal.write(`${JSON.stringify(done, null, 2)}\n`);
  else
    terminal.write(
      `${formatCount(done.keys)} data keys are encrypted under ${keys.currentId} now, and ${formatCount(done.rows)} rows under data keys.\n`,
    );
  if (done.unreadable > 0) {
    throw new CommandError(
      `${formatCount(done.unreadable)} data keys or rows could not be read: add their key to LEEWARD_FIELDS_PREVIOUS_KEYS (leeward keys status names it), and repeat this.`,
    );
  }
}

async function rotate(keys: Keys, teamId: string, terminal: Terminal): Promise<void> {
  if (!(await keys.rotate(teamId))) throw new CommandError(`The team "${teamId}" has no data key.`);
  terminal.write('The next value is encrypted under a new key. Run leeward keys re-encrypt in a minute.\n');
}

async function erase(
  keys: Keys,
  { auditTrail, directory }: Accounts,
  keyId: string,
  { yes, json }: EraseOptions,
  terminal: Terminal,
): Promise<void> {
  if (keys.ids.includes(keyId)) {
    throw new CommandError(
      `The key "${keyId}" is configured, so nothing was erased. If that is not the lost key, give it a new id first.`,
    );
  }
  const uses = (await keys.use()).filter((use) => use.keyId === keyId);
  if (uses.length === 0) {
    throw new CommandError(`Nothing is encrypted under a key "${keyId}". leeward keys status lists the keys in use.`);
  }
  if (!yes) {
    const counts = uses.map(({ place, rows }) => `${place}: ${formatCount(rows)}`).join(', ');
    throw new CommandError(
      `Nothing was erased. Under "${keyId}" are encrypted: ${counts}. If the key is lost, erase this for good with --yes; otherwise add the key to LEEWARD_FIELDS_PREVIOUS_KEYS.`,
    );
  }
  const record = (action: string, subjectId: string, organizationId: string | null, details = {}) =>
    auditTrail.record({ actor: commandLine, organizationId, action, subjectId, details });
  const done = await keys.erase(keyId, async (quotes) => {
    for (const { quoteId, teamId } of quotes) {
      await record('quotes.erase', quoteId, (await directory.team(teamId))?.organizationId ?? null);
    }
  });
  await record('quotes.erase_key', keyId, null, done);
  const { quotes, rates, webhooks } = done;
  terminal.write(
    json
      ? `${JSON.stringify(done, null, 2)}\n`
      : `Erased ${formatCount(quotes)} quotes under "${keyId}", and in other quotes ${formatCount(rates)} rates; ${formatCount(webhooks)} webhooks are disabled until their secret is rotated. Start services and workers again.\n`,
  );
}
