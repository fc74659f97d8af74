import type { WatchedHomeList, WatchedHomeView } from '@leeward/quotes';
import type { Command } from 'commander';
import { printItems } from '../accounts/print-items.ts';
import { CommandError } from '../command-error.ts';
import { readJsonInput } from '../files/json-input.ts';
import { plainText } from '../quotes/plain-text.ts';
import { postToService, RefusedByServiceError, type ServiceFault } from '../quotes/quote-client.ts';
import { quoteServer, type ServerOptions } from '../quotes/quote-server.ts';
import { refusedAtLines, throwFaults } from '../quotes/refusal.ts';
import type { Terminal } from '../terminal.ts';

interface WatchOptions extends ServerOptions {
  readonly json?: boolean;
}

interface AddOptions extends WatchOptions {
  readonly reference: string;
  readonly home?: string;
  readonly decision?: string;
  readonly quote?: string;
}

interface ListOptions extends WatchOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

/** `leeward watch …`: homes of a team that a running service evaluates again when rules or events change. */
export function watchCommand(group: Command, terminal: Terminal): void {
  const atService = (command: Command) =>
    command
      .option('--url <url>', 'the service (LEEWARD_URL, default the demo of the data folder)')
      .option('--token <token>', 'of a team; better in LEEWARD_TOKEN, where no list of processes shows it')
      .option('--json', 'print JSON (default if the output is not a terminal)');
  atService(group.command('add'))
    .description('Watch a home: changes of a carrier’s answer are sent to the webhooks of the team.')
    .requiredOption('--reference <name>', 'your name for the home, 1 to 200 characters')
    .option('--home <file>', 'the home as /v1/underwrite/home has it; - for standard input')
    .option('--decision <id>', 'or the home of a saved decision of your organization')
    .option('--quote <id>', 'a quote of the same person: its erasure removes the home')
    .action((options: AddOptions) => add(options, terminal));
  atService(group.command('list'))
    .description('List the watched homes of a team with their last changes, newest first.')
    .option('--limit <number>', 'at most so many, up to 200 (default 50)')
    .option('--cursor <cursor>', 'the value of next, to continue')
    .action((options: ListOptions) => list(options, terminal));
  atService(group.command('remove'))
    .description('Stop watching a home, and delete it for good.')
    .argument('<watched-home-id>', 'as it is listed')
    .action((id: string, options: WatchOptions) => remove(id, options, terminal));
}

async function add(options: AddOptions, terminal: Terminal): Promise<void> {
  const { reference, home, decision, quote } = options;
  if ((home === undefined) === (decision === undefined)) {
    throw new CommandError('Give --home with a file, or --decision with the id of a saved decision.', { exitCode: 2 });
  }
  const file = home === undefined ? undefined : await readJsonInput(home, terminal, 'The home');
  const body = { reference, home: file?.value, decision_id: decision, quote_request_id: quote };
  const answer = await postTo(options, terminal)('/api/v1/watched-homes/create', body).catch((error: unknown) => {
    const isOfHome =
      error instanceof RefusedByServiceError && error.faults.some(({ path }) => path.startsWith('/home'));
    throw (file && isOfHome && refusedAtLines(error, file, '/home')) || throwFaults(error);
  });
  const created = answer as WatchedHomeView & { readonly warnings: readonly ServiceFault[] };
  if (!isForPeople(options, terminal)) return terminal.write(`${JSON.stringify(created, null, 2)}\n`);
  terminal.write(`Watched until ${created.watched_until.slice(0, 10)}: ${created.watched_home_id}\n`);
  if (created.counts !== null) terminal.write(`${countsOf(created.counts)}\n`);
  for (const { message } of created.warnings) terminal.writeError(`${message}\n`);
}

async function list(options: ListOptions, terminal: Terminal): Promise<void> {
  const { limit, cursor } = options;
  const body = { limit: limit === undefined ? undefined : Number(limit), cursor };
  const page = (await postTo(options, terminal)('/api/v1/watched-homes/list', body).catch(
    throwFaults,
  )) as WatchedHomeList;
  if (!isForPeople(options, terminal)) return terminal.write(`${JSON.stringify(page, null, 2)}\n`);
  const rows = page.watched_homes.map(({ reference, counts, last_change, watched_home_id }) => ({
    home: plainText(reference ?? 'unreadable'),
    answers: counts === null ? 'not evaluated yet' : countsOf(counts),
    changed: last_change?.at.slice(0, 10),
    watched_home_id,
  }));
  printItems(rows, ['home', 'answers', 'changed', 'watched_home_id'], {}, terminal);
  if (page.next !== null) terminal.writeError(`There are more: --cursor ${page.next}\n`);
}

async function remove(id: string, options: WatchOptions, terminal: Terminal): Promise<void> {
  const removed = await postTo(options, terminal)('/api/v1/watched-homes/remove', { watched_home_id: id }).catch(
    throwFaults,
  );
  terminal.write(isForPeople(options, terminal) ? `Removed ${id}.\n` : `${JSON.stringify(removed, null, 2)}\n`);
}

const meanings = {
  unauthenticated: 'The service does not take this token; see LEEWARD_TOKEN, or make one: leeward token create --team.',
  forbidden: 'This token may not watch homes; watching takes the token of a team: leeward token create --team.',
  not_found: 'There is no such watched home here, or it is another team’s.',
};

const postTo =
  (options: ServerOptions, terminal: Terminal) =>
  async (path: string, body: unknown): Promise<unknown> =>
    postToService(await quoteServer(options, terminal), meanings)(path, body);

/** `4 eligible, 1 referral`. */
function countsOf(counts: NonNullable<WatchedHomeView['counts']>): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`).join(', ') || 'no carriers';
}

function isForPeople({ json }: WatchOptions, { columns }: Terminal): boolean {
  return columns !== undefined && json !== true;
}
