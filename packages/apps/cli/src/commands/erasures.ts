import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessList } from '@leeward/accounts';
import { type Erasure, type Erasures, openErasures } from '@leeward/quotes';
import type { Command } from 'commander';
import type { KeptAccounts } from '../accounts/kept-accounts.ts';
import { commandLine, withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Terminal } from '../terminal.ts';

/** Contents of a file of `leeward erasures export`. */
export interface ErasureList {
  readonly erasures: readonly Erasure[];
  /** Undefined in files of earlier releases. */
  readonly access: AccessList | undefined;
}

/** `leeward erasures …`: the list of erasures and of valid tokens and people, which is replayed after a restore. */
export function erasuresCommand(group: Command, terminal: Terminal): void {
  group
    .command('export')
    .description(
      'Write what was erased, and which tokens and people are valid, to a file without personal data and secrets. Keep it apart from backups.',
    )
    .argument('<target>', 'the file to write; it must not exist')
    .action((target: string) =>
      withErasures(terminal, async (erasures, { access }) => {
        const list = await erasures.list();
        const valid = await access.list();
        const lines = [...list, valid].map((each) => `${JSON.stringify(each)}\n`).join('');
        writeFileSync(resolve(terminal.folder, target), lines, { flag: 'wx', mode: 0o600 });
        terminal.write(
          `Exported ${formatCount(list.length)} erasures, ${formatCount(valid.tokenIds.length)} valid tokens and ${formatCount(valid.users.length)} people.\n`,
        );
      }),
    );
  group
    .command('replay')
    .description(
      'After a restore, erase and revoke again everything that a list of leeward erasures export does not allow.',
    )
    .argument('<file>', 'a file that leeward erasures export wrote')
    .action((file: string) => replayErasures(readErasures(resolve(terminal.folder, file)), terminal));
}

/** @throws {CommandError} naming the line that is malformed */
export function readErasures(file: string): ErasureList {
  const erasures: Erasure[] = [];
  let access: AccessList | undefined;
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const entry = readEntry(line);
    if (entry === undefined) {
      throw new CommandError(`${file}: line ${index + 1} is not an erasure; give a file of leeward erasures export.`);
    }
    if (entry.kind === 'access') access = entry;
    else erasures.push(entry);
  }
  return { erasures, access };
}

function readEntry(line: string): Erasure | AccessList | undefined {
  try {
    const entry = JSON.parse(line);
    if (entry.kind === 'access') {
      const { atMs, tokenIds, users } = entry;
      return Number.isSafeInteger(atMs) && Array.isArray(tokenIds) && Array.isArray(users) ? entry : undefined;
    }
    const isText = [entry.id, entry.teamId, entry.subject].every((each) => typeof each === 'string');
    const isErasure =
      isText && Number.isSafeInteger(entry.at) && ['quote', 'insured', 'home', 'tenant'].includes(entry.kind);
    return isErasure ? entry : undefined;
  } catch {
    return undefined;
  }
}

export function replayErasures({ erasures: list, access }: ErasureList, terminal: Terminal): Promise<void> {
  return withErasures(terminal, async (erasures, accounts) => {
    const { quotes, unreadable } = await erasures.replay(list);
    terminal.write(`Replayed ${formatCount(list.length)} erasures: erased ${formatCount(quotes)} quotes.\n`);
    if (access !== undefined) {
      const { tokens, users } = await accounts.access.restrictTo(access, commandLine);
      terminal.write(
        `Revoked ${formatCount(tokens)} tokens, and disabled or restricted ${formatCount(users)} people.\n`,
      );
    }
    if (unreadable > 0) {
      throw new CommandError(
        `${formatCount(unreadable)} quotes could not be decrypted, so their insured is unknown: add the missing key (leeward keys status), and replay again.`,
      );
    }
  });
}

function withErasures(
  terminal: Terminal,
  work: (erasures: Erasures, accounts: KeptAccounts) => Promise<void>,
): Promise<void> {
  const { encryption } = keepingSettings(readSettings(terminal, []).variables);
  return withAccounts({ terminal }, (accounts, database) => work(openErasures({ database, encryption }), accounts));
}
