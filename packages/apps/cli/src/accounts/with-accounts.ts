import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AdministrationError, accountsMigrations, type Fault } from '@leeward/accounts';
import { type Database, isUnavailable } from '@leeward/database';
import { type Catalog, createCatalog, homeVocabulary, type Vocabulary } from '@leeward/engine';
import { createAccountTeams } from '@leeward/http-admin';
import { eraseRemovedTeams, quoteMigrations } from '@leeward/quotes';
import { carrierKeysIn } from '../carriers/carrier-adapters.ts';
import { readCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { importAdapters } from '../carriers/own-adapters.ts';
import { CommandError } from '../command-error.ts';
import { demoPath } from '../demo/demo-file.ts';
import { knownLines, linesWithHome } from '../lines/known-lines.ts';
import { openLinesOn } from '../lines/lines-on.ts';
import { makeFolder, nameDataFolder } from '../make-folder.ts';
import { approvalRules } from '../settings/approval-rules.ts';
import { lineNamesIn, readSettings } from '../settings/read-settings.ts';
import { refuseFaults } from '../settings/refuse-faults.ts';
import { openStore, unreachableStore } from '../store/open-store.ts';
import { storeSettings } from '../store/store-settings.ts';
import type { Terminal } from '../terminal.ts';
import { type KeptAccounts, keptAccounts } from './kept-accounts.ts';

/** Source of changes in the audit log. */
export const commandLine = { system: 'command line' } as const;

export interface WithAccounts {
  readonly terminal: Terminal;
  /** Carriers that the change is checked against; left out, it has nothing to do with carriers. */
  readonly carriers?: { readonly folder: string | undefined };
  /** Environment of tokens, if given as an option. */
  readonly environment?: string | undefined;
  /** Lines with the fields of files, if the setting of lines is not set: `home+/rules/fields.json`. */
  readonly lines?: readonly string[] | undefined;
  /** Formats a refusal for the command. Default: the faults' messages. */
  readonly explain?: (faults: readonly Fault[]) => string;
}

/**
 * Does something with the accounts of `LEEWARD_DATABASE_URL`, default the database of the data folder, and closes it.
 * Throws a `CommandError` for what its user can mend: a database out of reach, and every fault of a refused change.
 */
export async function withAccounts<T>(
  { terminal, carriers, environment, lines: ownLines = [], explain = describeFaults }: WithAccounts,
  work: (accounts: KeptAccounts, database: Database) => Promise<T>,
): Promise<T> {
  const faults: string[] = [];
  const settings = storeSettings(terminal, 'live', faults);
  if (environment !== undefined && !/^[a-z0-9]{1,16}$/.test(environment)) {
    faults.push(`--environment is ${JSON.stringify(environment)}; give 1 to 16 lower-case letters and digits.`);
  }
  const all = readSettings(terminal, faults);
  const tokenMaxDays = all.value('token_max_days');
  refuseFaults(faults);
  const { home, lines, modules: lineModules } = await openLinesOn(lineNamesIn(all) ?? ownLines, terminal.folder);
  const catalog =
    carriers === undefined ? createCatalog([], { vocabulary: home }) : catalogOf(carriers.folder, home, terminal);
  if (terminal.environment['LEEWARD_DATABASE_URL'] === undefined) {
    makeFolder(settings.dataFolder, nameDataFolder);
  }
  const database = await openStore(settings.databaseUrl, [accountsMigrations, quoteMigrations]);
  try {
    const accounts = keptAccounts(database, catalog, {
      environment: environment ?? settings.environment,
      tokenMaxDays,
      approval: approvalRules(all),
      ...(carriers && { carrierKeys: await carrierKeysOf(carriers.folder, all.value('adapters') ?? [], terminal) }),
      lines: lines.map((line) => ({
        line,
        catalog: createCatalog([], { vocabulary: line.vocabulary }),
      })),
      lineModules,
    });
    const result = await work(accounts, database);
    await accounts.settle();
    return result;
  } catch (error) {
    if (error instanceof AdministrationError) throw new CommandError(refusal(error, explain));
    if (isUnavailable(error)) throw unreachableStore(error);
    throw error;
  } finally {
    await database.close();
  }
}

/** Does something that takes teams away, and erases what their quotes say of people. */
export async function withTeamsRemoved<T>(
  terminal: Terminal,
  work: (accounts: KeptAccounts) => Promise<T>,
): Promise<T> {
  return withAccounts({ terminal }, async (accounts, database) => {
    const result = await work(accounts);
    await eraseRemovedTeams({ database, teams: createAccountTeams(accounts.directory) });
    return result;
  });
}

/** True if a demo stores its accounts here. Tokens of another environment would not work. */
export function isBesideDemo(terminal: Terminal): boolean {
  const { environment } = terminal;
  if (environment['LEEWARD_DATABASE_URL'] || environment['LEEWARD_ENVIRONMENT']) return false;
  return existsSync(demoPath(storeSettings(terminal, 'live', []).dataFolder));
}

/** Carriers with quoting files or adapters, with or without rules. */
async function carrierKeysOf(
  folder: string | undefined,
  adapters: readonly string[],
  terminal: Terminal,
): Promise<ReadonlySet<string>> {
  const carriers = resolve(
    terminal.folder,
    folder ?? (terminal.environment['LEEWARD_CARRIERS'] || demoCarriersFolder()),
  );
  const own = await Promise.all(adapters.map((file) => importAdapters(resolve(terminal.folder, file), file)));
  return new Set([...carrierKeysIn(carriers), ...own.flat().map(({ key }) => key)]);
}

function catalogOf(folder: string | undefined, home: Vocabulary, terminal: Terminal): Catalog {
  const carriersFolder = folder ?? (terminal.environment['LEEWARD_CARRIERS'] || undefined);
  if (carriersFolder === undefined) {
    terminal.writeError('Checked against the invented carriers; give yours with --carriers or LEEWARD_CARRIERS.\n');
  }
  const lines = home === homeVocabulary ? knownLines : linesWithHome(home);
  return readCatalog(carriersFolder ?? demoCarriersFolder(), terminal.folder, lines);
}

function refusal(error: AdministrationError, explain: (faults: readonly Fault[]) => string): string {
  if (error.code === 'not_found') {
    return 'There is no such resource. See leeward organization list and the lists of its teams, producers and tokens.';
  }
  return explain(error.faults);
}

function describeFaults(faults: readonly Fault[]): string {
  const lines = faults.map(({ path, message }) => {
    const field = path.slice(1).replaceAll('/', ' ');
    const isNamed = field === '' || message.startsWith(`${path.slice(1)} `);
    return `  ${isNamed ? '' : `${field}: `}${message}`;
  });
  return ['This is refused:', ...lines].join('\n');
}
