import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Erasure, openErasures } from '@leeward/quotes';
import type { Command } from 'commander';
import { withAccounts } from '../accounts/with-accounts.ts';
import { CommandError } from '../command-error.ts';
import { formatCount } from '../format-count.ts';
import { keepingSettings } from '../quotes/keeping-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { Terminal } from '../terminal.ts';

/** `leeward erasures …`: the list of erasures, which is replayed after a restore. */
export function erasuresCommand(group: Command, terminal: Terminal): void {
  group
    .command('export')
    .description('Write the list of erasures, without personal data, to a file. Keep it apart from backups.')
    .argument('<target>', 'the file to write; it must not exist')
    .action((target: string) =>
      withErasures(terminal, async (erasures) => {
        const list = await erasures.list();
        const lines = list.map((each) => `${JSON.stringify(each)}\n`).join('');
        writeFileSync(resolve(terminal.folder, target), lines, { flag: 'wx', mode: 0o600 });
        terminal.write(`Exported ${formatCount(list.length)} erasures.\n`);
      }),
    );
  group
    .command('replay')
    .description('Erase again, after a restore, everything that a list of leeward erasures export names.')
    .argument('<file>', 'a file that leeward erasures export wrote')
    .action((file: string) => replayErasures(readErasures(resolve(terminal.folder, file)), terminal));
}

/** @throws {CommandError} naming the line that is malformed */
export function readErasures(file: string): Erasure[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        const erasure = JSON.parse(line);
        const { id, at, kind, teamId, subject } = erasure;
        const isText = [id, teamId, subject].every((each) => typeof each === 'string');
        if (isText && Number.isSafeInteger(at) && ['quote', 'insured', 'tenant'].includes(kind)) return [erasure];
      } catch {
        // Reported below.
      }
      throw new CommandError(`${file}: line ${index + 1} is not an erasure; give a file of leeward erasures export.`);
    });
}

export function replayErasures(list: readonly Erasure[], terminal: Terminal): Promise<void> {
  return withErasures(terminal, async (erasures) => {
    const { quotes, unreadable } = await erasures.replay(list);
    terminal.write(`Replayed ${formatCount(list.length)} erasures: erased ${formatCount(quotes)} quotes.\n`);
    if (unreadable > 0) {
      throw new CommandError(
        `${formatCount(unreadable)} quotes could not be decrypted, so their insured is unknown: add the missing key (leeward keys status), and replay again.`,
      );
    }
  });
}

function withErasures(
  terminal: Terminal,
  work: (erasures: ReturnType<typeof openErasures>) => Promise<void>,
): Promise<void> {
  const { encryption } = keepingSettings(readSettings(terminal, []).variables);
  return withAccounts({ terminal }, (_, database) => work(openErasures({ database, encryption })));
}
