import type { FieldKeys } from '@leeward/quotes';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { openStore } from '../store/open-store.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';

interface KeysOptions {
  readonly json?: boolean;
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
      'Encrypt everything under LEEWARD_FIELDS_KEY, while services run. Stopped, it goes on when it is repeated.',
    )
    .option('--json', 'print JSON')
    .action((options: KeysOptions) => withKeys(terminal, (keys) => reencrypt(keys, options, terminal)));
}

async function withKeys(
  terminal: Terminal,
  work: (keys: FieldKeys & { readonly currentId: string | undefined }) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const { databaseUrl } = storeSettings(terminal, 'live', faults);
  refuseFaults(faults);
  const { encryption } = keepingSettings(readSettings(terminal, []).variables);
  const { openFieldKeys, quoteMigrations } = await import('@leeward/quotes');
  const { accountsMigrations } = await import('@leeward/accounts');
  const database = await openStore(databaseUrl, [accountsMigrations, quoteMigrations]);
  try {
    await work({ ...openFieldKeys({ database, encryption }), currentId: encryption?.current.id });
  } finally {
    await database.close();
  }
}

async function status(
  keys: FieldKeys & { readonly currentId: string | undefined },
  { json }: KeysOptions,
  terminal: Terminal,
): Promise<void> {
  const uses = await keys.use();
  if (json) {
    const items = uses.map(({ place, keyId, rows, isReadable }) => ({
      place,
      key_id: keyId,
      rows,
      current: keyId === (keys.currentId ?? null),
      readable: isReadable,
    }));
    terminal.write(`${JSON.stringify({ current_key_id: keys.currentId ?? null, uses: items }, null, 2)}\n`);
  } else {
    terminal.write(`Current key: ${keys.currentId ?? 'none, LEEWARD_FIELDS_KEY is not set'}\n`);
    for (const { place, keyId, rows, isReadable } of uses) {
      const note = !isReadable ? ', not readable' : keyId === (keys.currentId ?? null) ? '' : ', not the current key';
      terminal.write(`  ${place}: ${formatCount(rows)} under ${keyId ?? 'no key (plain text)'}${note}\n`);
    }
    if (uses.length === 0) terminal.write('  Nothing is stored.\n');
  }
  await keys.check().catch((error: Error) => {
    throw error.name === 'UnreadableFieldsError' ? new CommandError(error.message) : error;
  });
}

async function reencrypt(
  keys: FieldKeys & { readonly currentId: string | undefined },
  { json }: KeysOptions,
  terminal: Terminal,
): Promise<void> {
  if (keys.currentId === undefined) {
    throw new CommandError('LEEWARD_FIELDS_KEY is not set: there is no key to encrypt with. See leeward keys --help.');
  }
  const done = await keys.reencrypt((rows) => terminal.writeError(`${formatCount(rows)} rows\n`));
  if (json) terminal.write(`${JSON.stringify(done, null, 2)}\n`);
  else terminal.write(`${formatCount(done.rows)} rows are encrypted under ${keys.currentId} now.\n`);
  if (done.unreadable > 0) {
    throw new CommandError(
      `${formatCount(done.unreadable)} rows could not be read: add their key to LEEWARD_FIELDS_PREVIOUS_KEYS (leeward keys status names it), and repeat this.`,
    );
  }
}
